import { Type } from 'typebox'
import { Closed } from '../../core/schemas.ts'
import { readScope, writeScope } from '../../core/scopes.ts'
import { unmetCriteria } from '../../core/text/conversions.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'
import { directory, labelIds, memberId, STATE_CATEGORIES, stateOf, teamOf } from '../workspace/contract.ts'
import { ORDERS } from './queries/list.ts'
import {
  isClosed,
  openBlockers,
  PRIORITIES,
  projectId,
  readPriority,
  shownRow,
  Task,
  taskPath,
  wholeTask,
  type Context,
  type Row
} from './task.ts'

const argument = (description: string) => Type.Optional(Type.String({ description }))
const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))
const Priority = (description: string) => Type.Optional(Type.Enum([...PRIORITIES], { description }))
const Criteria = (description: string) =>
  Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]), { description }))

const OPEN_CATEGORIES = STATE_CATEGORIES.filter(category => !isClosed(category))

interface Issue extends Row {
  descriptionMarkdown: string
  teamId: string
}

const listTasks = tool({
  name: 'list_tasks',
  description:
    'Find work: open tasks by their fields, most urgent first. Returns small rows, total, and next while there are more.',
  input: Closed({
    team: argument('Identifier or name.'),
    assignee: argument('Name, me or none.'),
    state: argument('Name.'),
    stateCategory: Type.Optional(
      Type.Array(Type.Enum([...STATE_CATEGORIES]), { description: 'Only these; default: the open ones.' })
    ),
    labels: names('Names; all of them.'),
    priority: Priority('Exactly.'),
    project: argument('Name.'),
    ready: Type.Optional(Type.Boolean({ description: 'Can be begun now, or cannot.' })),
    orderBy: Type.Optional(Type.Enum([...ORDERS], { description: 'Default: urgency.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows.' })),
    cursor: argument('The next of the answer before.')
  }),
  scope: readScope,
  hints: { readOnly: true, destructive: false, idempotent: true },
  listField: 'tasks',
  readArguments: readPriority,
  restNames: { nextCursor: 'next' },
  async handle(
    { team, assignee, state, stateCategory, labels, priority, project, ready, orderBy = 'urgency', limit = 10, cursor },
    call
  ) {
    const all = await directory(call)
    const is = (value: unknown[]) => ({ filterType: 'IS', value })
    const teams = team === undefined ? all.teams : [teamOf(all, team)]
    const categories = stateCategory ?? (state === undefined ? OPEN_CATEGORIES : undefined)
    const filters = {
      ...(team !== undefined && { team: is(teams.map(({ id }) => id)) }),
      ...(assignee !== undefined && {
        assignee: assignee === 'none' ? { filterType: 'UNDEFINED' } : is([memberId(all, assignee, call)])
      }),
      ...(state !== undefined && {
        state: is(
          statesCalled(
            teams.flatMap(({ states }) => states),
            state
          )
        )
      }),
      ...(categories !== undefined && { stateCategory: is(categories) }),
      ...(labels !== undefined && { label: { filterType: 'INCLUDES_ALL', value: labelIds(all, labels) } }),
      ...(priority !== undefined && { priority: is([PRIORITIES.indexOf(priority)]) }),
      ...(project !== undefined && { project: is([await projectId(call, project)]) }),
      ...(ready !== undefined && { isReady: is([ready]) })
    }
    const { issues, total, nextCursor } = await call.rest<{ issues: Row[]; total: number; nextCursor: string | null }>(
      'POST',
      '/v1/issues/filter',
      { filters, orderBy, view: 'list', perPage: limit, ...(cursor !== undefined && { cursor }) }
    )
    return { tasks: issues.map(issue => shownRow(issue, all)), total, next: nextCursor }
  }
})

/** The states of that name, which each team may have. */
function statesCalled(states: Parameters<typeof stateOf>[0], ref: string): string[] {
  const category = STATE_CATEGORIES.find(known => known === ref.trim().toUpperCase())
  const called = states.filter(({ id, name }) => id === ref || name.toLowerCase() === ref.trim().toLowerCase())
  if (called.length === 0 && category) {
    throw new ToolError(`'${ref}' is a category of states: send it as stateCategory.`)
  }
  return called.length > 0 ? called.map(({ id }) => id) : [stateOf(states, ref).id]
}

const getTask = tool({
  name: 'get_task',
  description: 'Read a task before you work on it. Returns its description, notes, history, sub-tasks and relations.',
  input: Closed({ task: Task }),
  scope: readScope,
  hints: { readOnly: true, destructive: false, idempotent: true },
  handle: async ({ task }, { rest }) => wholeTask(await rest<Context>('GET', taskPath(task, '/context')))
})

const createTask = tool({
  name: 'create_task',
  description:
    'File a task. Refused without a real description or, unless it has a parent, acceptance criteria. Returns its key.',
  input: Closed({
    title: Type.String({ description: 'One line.' }),
    description: Type.String({ description: 'Markdown: what is wrong or wanted, and why.' }),
    acceptanceCriteria: names('Each can be checked. Or a checklist in the description.'),
    team: argument('Identifier or name; needed if there are several.'),
    parent: Type.Optional(Type.String({ description: 'Key or id of the task that it is a part of.' })),
    project: argument('Name.'),
    labels: names('Names.'),
    priority: Priority('Default: none.'),
    assignee: argument('Name or me.'),
    state: argument('Name; default: the first to do.'),
    blockedBy: names('Keys or ids.')
  }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: false },
  readArguments: readPriority,
  restNames: { descriptionMarkdown: 'description', parentId: 'parent', blockedByIds: 'blockedBy' },
  async handle(
    { title, description, acceptanceCriteria, team, parent, project, labels, priority, assignee, state, blockedBy },
    call
  ) {
    const all = await directory(call)
    const { id: teamId, states } = teamOf(all, team ?? parent?.match(/^[A-Za-z]\w*(?=-\d+$)/)?.[0])
    const issue = await call.rest<Issue>('POST', '/v1/issues', {
      title,
      teamId,
      requireCriteria: true,
      descriptionMarkdown: description,
      ...(acceptanceCriteria !== undefined && { acceptanceCriteria }),
      ...(parent !== undefined && { parentId: parent }),
      ...(project !== undefined && { projectId: await projectId(call, project) }),
      ...(labels !== undefined && { labelIds: labelIds(all, labels) }),
      ...(priority !== undefined && { priority: PRIORITIES.indexOf(priority) }),
      ...(assignee !== undefined && { assigneeId: memberId(all, assignee, call) }),
      ...(state !== undefined && { stateId: stateOf(states, state).id }),
      ...(blockedBy !== undefined && { blockedByIds: blockedBy })
    })
    return shownRow(issue, all)
  }
})

const updateTask = tool({
  name: 'update_task',
  description:
    'Change a task or tick its criteria: what is not sent stays. ' +
    'Returns its row and, after ticking or closing, the criteria still unmet.',
  input: Closed({
    task: Task,
    title: argument('One line.'),
    description: argument('Markdown; replaces all of it.'),
    state: argument('Name.'),
    labels: names('Names; replaces all.'),
    addLabels: names('Names.'),
    removeLabels: names('Names.'),
    priority: Priority('none clears.'),
    assignee: argument('Name, me or none.'),
    project: argument('Name or none.'),
    parent: argument('Key, id or none.'),
    blockedBy: names('To add: keys or ids.'),
    removeBlockedBy: names('Keys or ids.'),
    met: Criteria('To tick: numbers or texts.'),
    unmet: Criteria('To untick.')
  }),
  scope: writeScope,
  // What a description or a title said before is gone.
  hints: { readOnly: false, destructive: true, idempotent: true },
  readArguments: readPriority,
  restNames: {
    'criteria.met': 'met',
    'criteria.unmet': 'unmet',
    descriptionMarkdown: 'description',
    parentId: 'parent',
    addBlockedByIds: 'blockedBy',
    removeBlockedByIds: 'removeBlockedBy'
  },
  async handle({ task, ...changes }, call) {
    const { title, description, state, labels, addLabels, removeLabels, priority, assignee, project } = changes
    const { parent, blockedBy, removeBlockedBy, met, unmet } = changes
    const [all, { key }] = await Promise.all([directory(call), call.rest<Issue>('GET', taskPath(task, '?view=list'))])
    const patch = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { descriptionMarkdown: description }),
      ...(state !== undefined && {
        stateId: stateOf(teamOf(all, key.split('-')[0]).states, state).id
      }),
      ...(labels !== undefined && { labelIds: labelIds(all, labels) }),
      ...(addLabels !== undefined && { addLabelIds: labelIds(all, addLabels) }),
      ...(removeLabels !== undefined && { removeLabelIds: labelIds(all, removeLabels) }),
      ...(priority !== undefined && { priority: PRIORITIES.indexOf(priority) }),
      ...(assignee !== undefined && { assigneeId: assignee === 'none' ? null : memberId(all, assignee, call) }),
      ...(project !== undefined && { projectId: project === 'none' ? null : await projectId(call, project) }),
      ...(parent !== undefined && { parentId: parent === 'none' ? null : parent }),
      ...(blockedBy !== undefined && { addBlockedByIds: blockedBy }),
      ...(removeBlockedBy !== undefined && { removeBlockedByIds: removeBlockedBy }),
      ...((met ?? unmet) && { criteria: { ...(met && { met }), ...(unmet && { unmet }) } })
    }
    if (Object.keys(patch).length === 0) {
      throw new ToolError('There is nothing to change: send what shall be different, beside task.')
    }
    const issue = await call.rest<Issue>('POST', taskPath(key), patch)
    const tellsUnmet = (met ?? unmet) !== undefined || (state !== undefined && isClosed(issue.stateCategory))
    return {
      ...shownRow(issue, all),
      ...(tellsUnmet && { unmet: await unmetCriteria(issue.descriptionMarkdown) })
    }
  }
})

const pickUpTask = tool({
  name: 'pick_up_task',
  description:
    'Before the first edit: assign the task to yourself and move it to in progress. ' +
    'Returns its row and openBlockers; refused while somebody else has it.',
  input: Closed({ task: Task, takeover: Type.Optional(Type.Boolean({ description: 'Take it from them.' })) }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: true },
  async handle({ task, takeover = false }, call) {
    const issue = await call.rest<Issue>('POST', taskPath(task, '/pick_up'), { takeover })
    const [all, context] = await Promise.all([
      directory(call),
      call.rest<Context>('GET', taskPath(issue.key, '/context'))
    ])
    return { ...shownRow(issue, all), openBlockers: openBlockers(context) }
  }
})

export const tools: readonly Tool[] = [listTasks, getTask, createTask, updateTask, pickUpTask]
