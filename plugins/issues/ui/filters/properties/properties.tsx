import type { QueryClient } from '@tanstack/react-query'
import { Icon } from '../../../../ui/browser/contract.ts'
import { CATEGORY_NAMES, STATE_CATEGORIES, teamOption } from '../../../../workspace/ui/contract.ts'
import { PRIORITIES } from '../../../fields/priorities.ts'
import type { FilterOption, FilterProperty } from './property.ts'
import { directoryQuery, labelsQuery, sortStates } from '../../data.ts'
import { StateIcon } from '../../issue/state-icon.tsx'
import { labelOptions, PriorityIcon, priorityOptions } from '../../symbols.tsx'
import { accountOptions } from './account-options.tsx'

async function stateOptions(client: QueryClient): Promise<FilterOption[]> {
  const { teams } = await client.fetchQuery(directoryQuery)
  const states = Map.groupBy(sortStates(teams.flatMap(({ states }) => states)), ({ name }) => name)
  return [...states].map(([name, [state]]) => ({
    id: name,
    title: name,
    icon: <StateIcon category={state!.category} />
  }))
}
async function teamOptions(client: QueryClient): Promise<FilterOption[]> {
  const { teams } = await client.fetchQuery(directoryQuery)
  return teams.map(team => ({ ...teamOption(team), word: team.identifier }))
}
const categories: readonly FilterOption[] = STATE_CATEGORIES.map(category => ({
  id: category,
  title: CATEGORY_NAMES[category],
  word: category.toLowerCase(),
  icon: <StateIcon category={category} />
}))
const priorities: readonly FilterOption[] = priorityOptions().map((option, n) => ({ ...option, word: PRIORITIES[n]! }))
const criteria: readonly FilterOption[] = [
  { id: 'MET', title: 'All met', word: 'met' },
  { id: 'UNMET', title: 'Some not met', word: 'unmet' },
  { id: 'NONE', title: 'No criteria', word: 'none' }
]

const day = (key: string, label: string) =>
  ({ key, label, icon: <Icon name="calendar" />, kind: 'day', isPast: true }) as const
const flag = (key: string, label: string, icon: string) =>
  ({ key, label, icon: <Icon name={icon} />, kind: 'flag' }) as const

const properties: readonly FilterProperty[] = [
  { key: 'state', label: 'Status', icon: <StateIcon category="STARTED" />, kind: 'choice', options: stateOptions },
  {
    key: 'stateCategory',
    label: 'Status category',
    icon: <StateIcon category="BACKLOG" />,
    kind: 'choice',
    options: async () => categories
  },
  {
    key: 'assignee',
    label: 'Assignee',
    icon: <Icon name="person" />,
    none: 'Nobody',
    kind: 'choice',
    options: accountOptions
  },
  {
    key: 'priority',
    label: 'Priority',
    icon: <PriorityIcon priority={2} />,
    kind: 'choice',
    options: async () => priorities
  },
  {
    key: 'label',
    label: 'Label',
    icon: <Icon name="tag" />,
    none: 'No label',
    kind: 'choice',
    options: async client => labelOptions(await client.fetchQuery(labelsQuery))
  },
  {
    key: 'dueDate',
    label: 'Due date',
    icon: <Icon name="calendar" />,
    none: 'No due date',
    kind: 'day',
    isPast: false
  },
  { key: 'estimate', label: 'Estimate', icon: <Icon name="estimate" />, none: 'No estimate', kind: 'number' },
  { key: 'text', label: 'Title or key', icon: <Icon name="search" />, kind: 'text' },
  { key: 'criteria', label: 'Criteria', icon: <Icon name="check" />, kind: 'choice', options: async () => criteria },
  { key: 'team', label: 'Team', icon: <Icon name="board" />, kind: 'choice', options: teamOptions },
  { key: 'createdBy', label: 'Creator', icon: <Icon name="edit" />, kind: 'choice', options: accountOptions },
  day('createdAt', 'Created'),
  day('updatedAt', 'Updated'),
  flag('isReady', 'Ready', 'run'),
  flag('isBlocked', 'Blocked', 'caution'),
  flag('isBlocking', 'Blocking', 'warning'),
  flag('isParent', 'With sub-issues', 'list'),
  flag('isSubIssue', 'Sub-issue', 'parent')
]
export default properties
