import { api, Avatar, Icon } from '../../../ui/browser/contract.ts'
import { CATEGORY_NAMES, STATE_CATEGORIES, teamOfState, type Team } from '../../../workspace/ui/contract.ts'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'
import { isOf } from '../list/row-name.ts'
import { labelsQuery, sortStates, type Label, type Page } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'
import { LabelDot, PriorityIcon } from '../symbols.tsx'
import {
  groupsOfReference,
  isOneOf,
  isWithout,
  NONE,
  type Grouping,
  type GroupNames,
  type ListingGroup
} from './grouping.ts'

/** States with the same name and category are one group. */
function stateGroups(teams: readonly Team[]): ListingGroup[] {
  const states = sortStates(teams.flatMap(({ states }) => states))
  const groups = Map.groupBy(states, ({ category, name }) => `${category} ${name}`)
  return [...groups.values()].map(same => {
    const { id, name, category } = same[0]!
    const ids = same.map(({ id }) => id)
    return {
      id,
      name,
      icon: <StateIcon category={category} />,
      category,
      filters: isOneOf('state', ...ids),
      has: ({ stateId }) => ids.includes(stateId),
      change({ stateId }) {
        const own = teamOfState(teams, stateId)?.states.find(({ id }) => ids.includes(id))
        return own && { stateId: own.id }
      }
    }
  })
}

const categoryGroups = ({ directory: { teams } }: GroupNames): ListingGroup[] =>
  STATE_CATEGORIES.filter(category =>
    teams.some(({ states }) => states.some(state => state.category === category))
  ).map(category => ({
    id: category,
    name: CATEGORY_NAMES[category],
    icon: <StateIcon category={category} />,
    category,
    filters: isOneOf('stateCategory', category),
    has: ({ stateCategory }) => stateCategory === category,
    change({ stateId }) {
      const states = sortStates(teamOfState(teams, stateId)?.states ?? [])
      const first = states.find(state => state.category === category)
      return first && { stateId: first.id }
    }
  }))

const priorityGroups = (): ListingGroup[] =>
  [1, 2, 3, 4, 0].map(priority => ({
    id: String(priority),
    name: PRIORITY_NAMES[priority]!,
    icon: <PriorityIcon priority={priority} />,
    filters: isOneOf('priority', priority),
    has: row => row.priority === priority,
    change: () => ({ priority })
  }))

const assigneeGroups = ({ directory: { members } }: GroupNames): ListingGroup[] =>
  groupsOfReference(
    'assignee',
    members.map(({ id, fullname: name, kind }) => ({
      id,
      name,
      icon: <Avatar name={name} id={id} isAgent={kind === 'AGENT'} />
    })),
    { name: 'Nobody', icon: <Icon name="person" /> },
    assigneeId => ({ assigneeId })
  )

/** An issue may be in several of them, so none is moved between them. */
const labelGroups = (labels: readonly Label[]): ListingGroup[] => [
  ...labels.map(label => ({
    id: label.id,
    name: label.name,
    icon: <LabelDot label={label} />,
    filters: isOneOf('label', label.id),
    created: { addLabelIds: [label.id] },
    has: (row: { labelIds: string[] }) => isOf(row)(label)
  })),
  { id: NONE, name: 'No labels', filters: isWithout('label'), has: ({ labelIds }) => labelIds.length === 0 }
]

const MAX_PARENTS = 50
/** The issues with sub-issues that changed last. */
const parentsQuery = {
  queryKey: ['issues-at-all', 'parents'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api<Pick<Page, 'issues'>>('/v1/issues/filter', {
      body: { filters: { isParent: true }, view: 'list', perPage: MAX_PARENTS, total: 'none' },
      signal
    })
}
const parentGroups = ({ issues }: Pick<Page, 'issues'>): ListingGroup[] =>
  groupsOfReference(
    'parent',
    issues.map(({ id, key, title }) => ({ id, name: `${key} ${title}` })),
    { name: 'No parent' },
    parentId => ({ parentId })
  )

const teamGroups = ({ directory: { teams } }: GroupNames): ListingGroup[] =>
  teams.map(({ id, name, states }) => ({
    ...{ id, name, filters: isOneOf('team', id) },
    has: ({ stateId }) => states.some(state => state.id === stateId),
    change: () => ({ teamId: id })
  }))

export const ownGroupings: readonly Grouping[] = [
  {
    id: 'state',
    title: 'Status',
    order: 10,
    groups: ({ directory, team }) => stateGroups(team ? [team] : directory.teams)
  },
  { id: 'stateCategory', title: 'Status category', order: 15, groups: categoryGroups },
  { id: 'assignee', title: 'Assignee', order: 20, groups: assigneeGroups },
  { id: 'priority', title: 'Priority', order: 30, groups: priorityGroups },
  {
    id: 'label',
    title: 'Label',
    order: 40,
    query: labelsQuery,
    groups: ({ data }) => labelGroups((data ?? []) as Label[])
  },
  {
    id: 'parent',
    title: 'Parent',
    order: 70,
    query: parentsQuery,
    groups: ({ data }) => parentGroups((data ?? { issues: [] }) as Pick<Page, 'issues'>)
  },
  { id: 'team', title: 'Team', order: 80, groups: teamGroups }
]
