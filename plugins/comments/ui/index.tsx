import { timelineSources } from '../../issues/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { commentSource } from './comments.tsx'

const part: Part = ({ contribute }) => {
  contribute(timelineSources, commentSource)
  contribute(liveQueries, { events: 'comment.', queries: ['timeline', 'context'] })
}
export default part
