import {
  commands,
  emptyChecks,
  finders,
  liveQueries,
  overlays,
  pages,
  referenceSupport,
  startSteps,
  type Part
} from '../../ui/browser/contract.ts'
import { filterProperties } from './contract.ts'
import { teamPlaces } from '../../workspace/ui/contract.ts'
import { Create } from './create/create.tsx'
import { openCreate } from './create/open.ts'
import { ReferenceCards } from './references/cards.tsx'
import { references } from './references/find.ts'
import { emptyCheck } from './data.ts'
import { prepareBoard, prepareNames } from './prepare.ts'

const part: Part = ({ contribute }) => {
  contribute(
    pages,
    {
      path: '/board',
      title: 'Board',
      words: 'kanban columns',
      load: () => import('./board/board.tsx'),
      prepare: prepareBoard,
      isRemembered: true,
      place: { order: 10, icon: 'board', keys: 'g b' }
    },
    {
      path: '/issues',
      title: 'Issues',
      words: 'list tasks tickets backlog',
      load: () => import('./list/list.tsx'),
      prepare: prepareNames,
      isRemembered: true,
      place: { order: 20, icon: 'list', keys: 'g i' }
    },
    { path: '/issue/:key', title: 'Issue', load: () => import('./issue/issue.tsx'), prepare: prepareNames }
  )
  contribute(commands, {
    id: 'issues.create',
    title: 'Create issue',
    words: 'new add file report task bug ticket',
    section: 'Issues',
    keys: ['c'],
    run: () => openCreate()
  })
  contribute(emptyChecks, emptyCheck)
  contribute(startSteps, { order: 20, load: () => import('./create/first-issue-step.tsx') })
  contribute(liveQueries, {
    events: 'issue.',
    queries: ['issues', 'issues-at-all', 'issue', 'context', 'timeline']
  })
  contribute(
    finders,
    { section: 'Filter', find: async (...typed) => (await import('./filters/find-filters.ts')).findFilters(...typed) },
    {
      section: 'Filter',
      order: 1,
      find: async (...typed) => (await import('./filters/find-filters.ts')).findKeys(...typed)
    }
  )
  contribute(filterProperties, () => import('./filters/properties/properties.tsx'))
  contribute(teamPlaces, {
    title: 'Board',
    icon: 'board',
    order: 10,
    href: identifier => `/board?team=${identifier}`
  })
  contribute(referenceSupport, references)
  contribute(overlays, Create, ReferenceCards)
}
export default part
