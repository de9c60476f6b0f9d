import { Type } from 'typebox'
import { Closed, Ref } from '../../core/schemas.ts'
import { tool, ToolError, type Tool, type ToolCall } from '../mcp/contract.ts'
import { directory, labelIds, memberId, STATE_CATEGORIES, stateOf, teamOf, type Directory } from '../workspace/contract.ts'

const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low'] as const
const Task = Ref('Key or id.')
const Text = Type.Optional(Type.String())
const Names = Type.Optional(Type.Array(Type.String()))
const Priority = Type.Optional(Type.Enum([...PRIORITIES]))
const path = (task: string, rest = '') => `/v1/issues/${encodeURIComponent(task)}${rest}`

interface Row { key: string, title: string, stateId: string, assigneeId: string | null, priority: number, labelIds: string[], updatedAt: string }
interface Issue extends Row { descriptionMarkdown: string, stateCategory: string, teamId: string }

/** An issue as an agent reads it: names for ids. */
function shown (issue: Row, { teams, labels, members }: Directory) {
  const { key, title, stateId, assigneeId, priority, updatedAt } = issue
  return {
    key,
    title,
    state: teams.flatMap(team => team.states).find(({ id }) => id === stateId)?.name,
    assignee: members.find(({ id }) => id === assigneeId)?.fullname,
    priority: PRIORITIES[priority],
    labels: issue.labelIds.map(id => labels.find(label => label.id === id)?.name),
    updatedAt
  }
}

async function projectId ({ rest }: ToolCall, ref: string): Promise<string> {
  const projects = await rest<Array<{ id: string, name: string }>>('GET', '/v1/projects')
  const found = projects.find(({ id, name }) => id === ref || name.toLowerCase() === ref.toLowerCase())
  if (found) return found.id
  throw new ToolError(`There is no project '${ref.slice(0, 80)}'; there are: ${projects.map(({ name }) => name).join(', ') || 'none'}.`)
}

const listTasks = tool({
  name: 'list_tasks',
  description: 'Find tasks by their fields, last changed first: small rows, `total`, and `next` to send as cursor.',
  input: Closed({
    team: Text,
    assignee: Type.Optional(Type.String({ description: 'Name, id, me or none.' })),
    state: Text,
    stateCategory: Type.Optional(Type.Enum([...STATE_CATEGORIES])),
    labels: Names,
    priority: Priority,
    project: Text,
    ready: Type.Optional(Type.Boolean({ description: 'Can be begun now.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Text
  }),
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  async handle ({ team, assignee, state, stateCategory, labels, priority, project, ready, limit = 20, cursor }, call) {
    const names = await directory(call)
    const is = (value: unknown[]) => ({ filterType: 'IS', value })
    const teams = team === undefined ? names.teams : [teamOf(names, team)]
    const stateName = state === undefined ? undefined : stateOf(teams.flatMap(({ states }) => states), state).name
    const filters = {
      ...team !== undefined && { team: is(teams.map(({ id }) => id)) },
      ...assignee !== undefined && { assignee: assignee === 'none' ? { filterType: 'UNDEFINED' } : is([memberId(names, assignee, call)]) },
      ...stateName !== undefined && { state: is(teams.flatMap(({ states }) => states).filter(({ name }) => name === stateName).map(({ id }) => id)) },
      ...stateCategory !== undefined && { stateCategory: is([stateCategory]) },
      ...labels !== undefined && { label: { filterType: 'INCLUDES_ALL', value: labelIds(names, labels) } },
      ...priority !== undefined && { priority: is([PRIORITIES.indexOf(priority)]) },
      ...project !== undefined && { project: is([await projectId(call, project)]) },
      ...ready !== undefined && { isReady: is([ready]) }
    }
    const { issues, total, nextCursor } = await call.rest<{ issues: Row[], total: number, nextCursor: string | null }>('POST', '/v1/issues/filter', { filters, view: 'list', perPage: limit, ...cursor !== undefined && { cursor } })
    return { tasks: issues.map(issue => shown(issue, names)), total, next: nextCursor }
  }
})

const getTask = tool({
  name: 'get_task',
  description: 'Everything about a task, before you work on it: description, notes, history, sub-tasks, relations.',
  input: Closed({ task: Task }),
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  handle: async ({ task }, { rest }) => rest<object>('GET', path(task, '/context'))
})

const createTask = tool({
  name: 'create_task',
  description: 'File a task, with a real description and (unless it has a parent) acceptance criteria. Answers its key.',
  input: Closed({
    title: Type.String(),
    description: Type.String({ description: 'Markdown: what is wrong or wanted, and why.' }),
    acceptanceCriteria: Names,
    team: Text,
    parent: Type.Optional(Task),
    project: Text,
    labels: Names,
    priority: Priority,
    assignee: Text,
    state: Text,
    blockedBy: Type.Optional(Type.Array(Task))
  }),
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  async handle ({ title, description, acceptanceCriteria = [], team, parent, project, labels, priority, assignee, state, blockedBy = [] }, call) {
    if (description.trim() === '') throw new ToolError('A task needs a description: say what is wrong or wanted, and why.')
    const hasChecklist = /^\s*[-*+] \[[ xX]\] /m.test(description)
    if (parent === undefined && acceptanceCriteria.length === 0 && !hasChecklist) throw new ToolError('A top-level task needs acceptance criteria: send acceptanceCriteria, or a checklist (- [ ] …) in the description.')
    const names = await directory(call)
    const { id: teamId, states } = teamOf(names, team ?? parent?.match(/^[A-Za-z]\w*(?=-\d+$)/)?.[0])
    const criteria = acceptanceCriteria.map(criterion => `- [ ] ${criterion.replace(/\s+/g, ' ').trim()}`)
    const body = {
      title,
      teamId,
      descriptionMarkdown: criteria.length > 0 ? `${description.trimEnd()}\n\n## Acceptance criteria\n\n${criteria.join('\n')}` : description,
      ...parent !== undefined && { parentId: parent },
      ...project !== undefined && { projectId: await projectId(call, project) },
      ...labels !== undefined && { labelIds: labelIds(names, labels) },
      ...priority !== undefined && { priority: PRIORITIES.indexOf(priority) },
      ...assignee !== undefined && { assigneeId: memberId(names, assignee, call) },
      ...state !== undefined && { stateId: stateOf(states, state).id }
    }
    const blockers = await Promise.all(blockedBy.map(ref => call.rest<Issue>('GET', path(ref))))
    const issue = await call.rest<Issue>('POST', '/v1/issues', body)
    for (const { key } of blockers) await call.rest('POST', '/v1/issue_relations', { issueId: issue.key, relatedIssueId: key, type: 'BLOCKED' })
    return shown(issue, names)
  }
})

const updateTask = tool({
  name: 'update_task',
  description: 'Change fields of a task, or tick criteria by number or text. What is not sent stays.',
  input: Closed({
    task: Task,
    title: Text,
    description: Text,
    state: Text,
    labels: Names,
    addLabels: Names,
    removeLabels: Names,
    priority: Priority,
    assignee: Type.Optional(Type.String({ description: 'Name, id, me or none.' })),
    project: Type.Optional(Type.String({ description: 'Name, id or none.' })),
    met: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]))),
    unmet: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()])))
  }),
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true },
  async handle ({ task, title, description, state, labels, addLabels, removeLabels, priority, assignee, project, met, unmet }, call) {
    const [names, before] = await Promise.all([directory(call), call.rest<Issue>('GET', path(task))])
    const patch = {
      ...title !== undefined && { title },
      ...description !== undefined && { descriptionMarkdown: description },
      ...state !== undefined && { stateId: stateOf(names.teams.find(({ id }) => id === before.teamId)?.states ?? [], state).id },
      ...labels !== undefined && { labelIds: labelIds(names, labels) },
      ...addLabels !== undefined && { addLabelIds: labelIds(names, addLabels) },
      ...removeLabels !== undefined && { removeLabelIds: labelIds(names, removeLabels) },
      ...priority !== undefined && { priority: PRIORITIES.indexOf(priority) },
      ...assignee !== undefined && { assigneeId: assignee === 'none' ? null : memberId(names, assignee, call) },
      ...project !== undefined && { projectId: project === 'none' ? null : await projectId(call, project) }
    }
    let issue = before
    if (Object.keys(patch).length > 0) issue = await call.rest<Issue>('POST', path(before.key), patch)
    if (met ?? unmet) issue = await call.rest<Issue>('POST', path(before.key, '/criteria'), { met: met ?? [], unmet: unmet ?? [] })
    return shown(issue, names)
  }
})

const pickUpTask = tool({
  name: 'pick_up_task',
  description: 'Before the first edit: assign the task to yourself and move it to in progress. Refused while somebody else has it.',
  input: Closed({ task: Task, takeover: Type.Optional(Type.Boolean()) }),
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true },
  async handle ({ task, takeover = false }, call) {
    const issue = await call.rest<Issue>('POST', path(task, '/pick_up'), { takeover })
    return shown(issue, await directory(call))
  }
})

export const tools: readonly Tool[] = [listTasks, getTask, createTask, updateTask, pickUpTask]
