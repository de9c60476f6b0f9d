import { filterProperties, issueActions } from '../../issues/ui/contract.ts'
import { liveQueries, pages, type Part } from '../../ui/browser/contract.ts'
import { Unread } from './unread.tsx'
import { WatchSwitch } from './watch.tsx'

const part: Part = ({ contribute }) => {
  contribute(pages, {
    path: '/inbox',
    title: 'Needs you',
    words: 'inbox notifications unread mentions questions',
    load: () => import('./needs-you.tsx'),
    place: { order: 5, icon: 'inbox', keys: 'g n', badge: Unread }
  })
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(issueActions, WatchSwitch)
  contribute(liveQueries, { events: 'inbox.', queries: ['inbox'] })
  contribute(liveQueries, { events: 'issue.deleted', queries: ['inbox'] })
  contribute(liveQueries, { events: 'watch.', queries: ['watch'] })
  // New assignees and commenters watch the issue from then on.
  contribute(liveQueries, { events: 'issue.', queries: ['watch'] })
  contribute(liveQueries, { events: 'comment.', queries: ['watch'] })
}
export default part
