import { filterProperties, groupings, issueProperties } from '../../issues/ui/contract.ts'
import { liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'
import { favouriteLinks } from '../../views/ui/contract.ts'
import { groupingsOfProjects } from './groupings.tsx'
import { CycleOfIssue, ProjectOfIssue } from './property.tsx'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'projects',
    title: 'Projects and cycles',
    order: 50,
    load: () => import('./settings.tsx')
  })
  contribute(favouriteLinks, { type: 'project', icon: 'project', href: ({ id }) => `/issues?filter=project:${id}` })
  contribute(groupings, ...groupingsOfProjects)
  contribute(issueProperties, ProjectOfIssue, CycleOfIssue)
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(liveQueries, { events: 'project.', queries: ['projects', 'project', 'context'] })
  contribute(liveQueries, { events: 'cycle.', queries: ['cycles', 'context'] })
}
export default part
