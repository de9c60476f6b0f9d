import { connectLines } from '../../agents/ui/contract.ts'
import { timelineSources } from '../../issues/ui/contract.ts'
import type { Part } from '../../ui/browser/contract.ts'
import { HARNESSES } from '../contract.ts'
import { reminderSource } from './timeline.tsx'

const part: Part = ({ contribute }) => {
  contribute(timelineSources, reminderSource)
  for (const client of HARNESSES) {
    contribute(connectLines, {
      client,
      line: url => `npm run --prefix ../tracker tracker -- connect ${client} --url ${url}`
    })
  }
}
export default part
