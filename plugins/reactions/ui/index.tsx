import { commentFooters } from '../../comments/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { Reactions } from './reactions.tsx'

const part: Part = ({ contribute }) => {
  contribute(commentFooters, Reactions)
  contribute(liveQueries, { events: 'reaction.', queries: ['reactions'] })
}
export default part
