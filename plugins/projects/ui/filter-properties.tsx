import { Icon } from '../../ui/browser/contract.ts'
import type { FilterProperty } from '../../issues/ui/contract.ts'
import { cyclesQuery, milestonesQuery, projectsQuery } from './data.ts'

const optionsOf = (icon: string, all: ReadonlyArray<{ id: string; name: string }>) =>
  all.map(({ id, name }) => ({ id, title: name, icon: <Icon name={icon} /> }))

const properties: readonly FilterProperty[] = [
  {
    key: 'project',
    label: 'Project',
    icon: <Icon name="project" />,
    none: 'No project',
    kind: 'choice',
    options: async client => optionsOf('project', await client.fetchQuery(projectsQuery))
  },
  {
    key: 'milestone',
    label: 'Milestone',
    icon: <Icon name="milestone" />,
    none: 'No milestone',
    kind: 'choice',
    options: async client => optionsOf('milestone', await client.fetchQuery(milestonesQuery))
  },
  {
    key: 'cycle',
    label: 'Cycle',
    icon: <Icon name="cycle" />,
    none: 'No cycle',
    kind: 'choice',
    options: async client => optionsOf('cycle', await client.fetchQuery(cyclesQuery))
  }
]
export default properties
