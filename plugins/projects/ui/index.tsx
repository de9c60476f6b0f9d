import { filterProperties, groupings, issueProperties } from '../../issues/ui/contract.ts'
import { liveQueries, pages, settingsTabs, type Part } from '../../ui/browser/contract.ts'
import { favouriteLinks } from '../../views/ui/contract.ts'
import { groupingsOfProjects } from './groupings.tsx'
import { CycleOfIssue, MilestoneOfIssue, ProjectOfIssue } from './property.tsx'

const part: Part = ({ contribute }) => {
  contribute(
    pages,
    {
      path: '/projects',
      title: 'Projects',
      load: () => import('./projects-page.tsx'),
      place: { order: 25, icon: 'project', keys: 'g p' }
    },
    { path: '/projects/:id', title: 'Project', load: () => import('./project/project.tsx') }
  )
  contribute(settingsTabs, {
    path: 'cycles',
    title: 'Cycles',
    order: 50,
    load: () => import('./settings.tsx')
  })
  contribute(favouriteLinks, { type: 'project', icon: 'project', href: ({ id }) => `/projects/${id}` })
  contribute(groupings, ...groupingsOfProjects)
  contribute(issueProperties, ProjectOfIssue, MilestoneOfIssue, CycleOfIssue)
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(
    liveQueries,
    { events: 'project.', queries: ['projects', 'project', 'context'] },
    { events: 'project_update.', queries: ['projects', 'project', 'project-updates'] },
    { events: 'milestone.', queries: ['milestones', 'issue', 'context'] },
    { events: 'issue.', queries: ['milestones', 'project-progress'] },
    { events: 'cycle.', queries: ['cycles', 'context'] }
  )
}
export default part
