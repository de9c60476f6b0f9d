import { entryViews } from '../../inbox/ui/contract.ts'
import { filterProperties, timelineSources } from '../../issues/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { AskedQuestion } from './question.tsx'
import { commentSource } from './source.tsx'

const part: Part = ({ contribute }) => {
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(timelineSources, commentSource)
  contribute(entryViews, { reason: 'asked', component: AskedQuestion })
  contribute(liveQueries, { events: 'comment.', queries: ['timeline', 'comment', 'context'] })
  contribute(liveQueries, { events: 'question.', queries: ['timeline', 'comment', 'context', 'issues'] })
}
export default part
