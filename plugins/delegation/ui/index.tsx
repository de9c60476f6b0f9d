import { filterProperties, issuePanels, timelineSources } from '../../issues/ui/contract.ts'
import { liveQueries, pages, type Part } from '../../ui/browser/contract.ts'
import { runSource } from './timeline.tsx'

const part: Part = ({ contribute }) => {
  contribute(
    pages,
    {
      path: '/runs',
      title: 'Runs',
      words: 'jobs delegated',
      load: () => import('./runs.tsx'),
      place: { order: 40, icon: 'run', keys: 'g r' }
    },
    { path: '/runs/:id', title: 'Run', load: () => import('./run.tsx') }
  )
  contribute(issuePanels, { title: 'Agent', order: 20, load: () => import('./panel.tsx') })
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(liveQueries, { events: 'run.', queries: ['runs', 'timeline'] })
  contribute(timelineSources, runSource)
}
export default part
