import { groupsOfReference, type Grouping } from '../../issues/ui/contract.ts'
import { Icon } from '../../ui/browser/contract.ts'
import { cyclesQuery, projectsQuery, type Cycle, type Project } from './data.ts'

const projectIcon = <Icon name="project" size={14} />
const cycleIcon = <Icon name="cycle" size={14} />

export const groupingsOfProjects: readonly Grouping[] = [
  {
    id: 'project',
    title: 'Project',
    order: 50,
    query: projectsQuery,
    groups({ team, data }) {
      const projects = (data as Project[]).filter(({ teamId }) => !team || teamId === null || teamId === team.id)
      const named = projects.map(({ id, name }) => ({ id, name, icon: projectIcon }))
      return groupsOfReference('project', named, { name: 'No project' }, projectId => ({ projectId }))
    }
  },
  {
    id: 'cycle',
    title: 'Cycle',
    order: 60,
    query: cyclesQuery,
    groups({ team, data }) {
      const cycles = (data as Cycle[]).filter(({ teamId }) => !team || teamId === team.id)
      const named = cycles.map(({ id, name }) => ({ id, name, icon: cycleIcon }))
      return groupsOfReference('cycle', named, { name: 'No cycle' }, cycleId => ({ cycleId }))
    }
  }
]
