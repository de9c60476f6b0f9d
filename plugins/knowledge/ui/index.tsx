import { issuePanels, timelineSources } from '../../issues/ui/contract.ts'
import { liveQueries, pages, type Part } from '../../ui/browser/contract.ts'
import { servingSource } from './timeline.tsx'

const part: Part = ({ contribute }) => {
  contribute(
    pages,
    {
      path: '/knowledge',
      title: 'Knowledge',
      words: 'wiki notes docs facts entry add new',
      load: () => import('./knowledge.tsx'),
      place: { order: 30, icon: 'book', keys: 'g k' }
    },
    { path: '/knowledge/:id', title: 'Entry', load: () => import('./entry.tsx') }
  )
  contribute(issuePanels, { title: 'Related knowledge', order: 30, load: () => import('./panel.tsx') })
  contribute(timelineSources, servingSource)
  contribute(liveQueries, { events: 'knowledge.', queries: ['knowledge'] })
}
export default part
