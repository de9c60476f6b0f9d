import { copiedFields, filterProperties, groupings, issueProperties, listingFields } from '../../issues/ui/contract.ts'
import { commands, go, liveQueries, pages, type Part } from '../../ui/browser/contract.ts'
import { favouriteLinks } from '../../views/ui/contract.ts'
import { teamPlaces, teamSettings } from '../../workspace/ui/contract.ts'
import { RepeatingCycles } from './repeating/repeating.tsx'
import { groupingsOfProjects } from './groupings.tsx'
import { copyPlan } from './copy-plan.ts'
import { fieldsOfListings } from './listing/fields.tsx'
import { CycleOfIssue, MilestoneOfIssue, ProjectOfIssue } from './property.tsx'

const part: Part = ({ contribute }) => {
  contribute(
    pages,
    {
      path: '/projects',
      title: 'Projects',
      words: 'epics milestones',
      load: () => import('./projects-page.tsx'),
      place: { order: 25, icon: 'project', keys: 'g p' }
    },
    { path: '/projects/:id', title: 'Project', load: () => import('./project/project.tsx') },
    {
      path: '/roadmap',
      title: 'Roadmap',
      words: 'timeline gantt plan',
      load: () => import('./roadmap/roadmap-page.tsx'),
      place: { order: 26, icon: 'roadmap', keys: 'g m' }
    },
    { path: '/cycles', title: 'Cycles', load: () => import('./cycles/cycles-page.tsx') },
    { path: '/cycles/:id', title: 'Cycle', load: () => import('./cycles/cycle-page.tsx') }
  )
  contribute(
    commands,
    {
      ...{ id: 'go /cycles', title: 'Go to Cycles', words: 'sprints iterations', section: 'Go', keys: ['g y'] },
      run: () => go('/cycles')
    },
    {
      ...{ id: 'new-project', title: 'Create project', words: 'new add epic', section: 'Projects' },
      run: () => go('/projects?new')
    },
    {
      ...{ id: 'new-cycle', title: 'Create cycle', words: 'new add start sprint iteration', section: 'Cycles' },
      run: () => go('/cycles?new')
    }
  )
  contribute(teamPlaces, {
    title: 'Cycles',
    icon: 'cycle',
    order: 30,
    href: identifier => `/cycles?team=${identifier}`
  })
  contribute(teamSettings, RepeatingCycles)
  contribute(favouriteLinks, { type: 'project', icon: 'project', href: ({ id }) => `/projects/${id}` })
  contribute(favouriteLinks, { type: 'cycle', icon: 'cycle', href: ({ id }) => `/cycles/${id}` })
  contribute(groupings, ...groupingsOfProjects)
  contribute(issueProperties, ProjectOfIssue, MilestoneOfIssue, CycleOfIssue)
  contribute(copiedFields, copyPlan)
  contribute(listingFields, ...fieldsOfListings)
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(
    liveQueries,
    { events: 'project.', queries: ['projects', 'project', 'context', 'project-activity'] },
    { events: 'project_update.', queries: ['projects', 'project', 'project-updates', 'project-activity'] },
    { events: 'milestone.', queries: ['milestones', 'issue', 'context', 'project-activity'] },
    { events: 'issue.', queries: ['milestones', 'project-progress', 'cycle-progress', 'cycle-counts'] },
    { events: 'issue.', queries: ['project-activity'] },
    { events: 'cycle.', queries: ['cycles', 'cycle-progress', 'cycle-counts', 'context'] }
  )
}
export default part
