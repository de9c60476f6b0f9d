import { Type, type TSchema } from 'typebox'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { readScope, writeScope } from '../../../core/api/scopes.ts'
import { tool, ToolError, type Reading, type Tool } from '../../mcp/contract.ts'
import { STATE_CATEGORIES } from '../../workspace/contract.ts'
import type { Field, ToolArgument } from '../fields/field.ts'
import { accounts } from '../fields/fields.ts'
import { ORDERS } from '../queries/filter/list.ts'
import { filtersOf } from '../write/values.ts'
import { taskOfContext, taskPath, type Context } from './task.ts'
import { criteriaOf, readPart } from './task-parts.ts'
import { Criteria, Met, Prose, Session, Task, TaskOr, Tasks } from './task-arguments.ts'

/** Without the manual order, which says nothing about the next task. */
const TOOL_ORDERS = ORDERS.filter(order => order !== 'sortOrder' && order !== 'next')

const argument = (description: string, reading: Reading = {}) => Type.Optional(Type.String({ description, ...reading }))
const names = (description: string, reading: Reading = {}) =>
  Type.Optional(Type.Array(Type.String(), { description, ...reading }))

const OPEN_CATEGORIES = STATE_CATEGORIES.filter(category => category !== 'COMPLETED' && category !== 'CANCELED')

type Arguments = Readonly<Record<string, unknown>>

function fieldArguments(fields: readonly Field[], of: keyof ToolArgument): Record<string, TSchema> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const description = field.argument?.[of]
      return description === undefined ? [] : [[field.key, fieldArgument(field, of, description)]]
    })
  )
}

function fieldArgument(field: Field, of: keyof ToolArgument, description: string): TSchema {
  // A change replaces a list or adds to it: `label` may mean both.
  if (field.kind === 'links') return names(description, { aliases: of === 'update' ? [] : field.filters })
  const words = field.kind === 'value' ? field.words : undefined
  const clearable = of === 'update' && (field.isNullable || words?.[0] === 'none')
  const reading: Reading = clearable ? { clearable } : {}
  if (words) return Type.Optional(Type.Enum([...words], { description, numbered: true, ...reading }))
  if (field.kind === 'value') return argument(description, { reads: 'name', ...reading })
  const reads = field.source === 'issue' ? 'task' : field.source === accounts ? 'person' : 'name'
  return argument(description, { reads, ...reading })
}

/** Fields for REST from the arguments: `none` is no reference. */
function givenFields(fields: readonly Field[], args: Arguments): Record<string, unknown> {
  const sentFields = fields.filter(({ key, argument }) => argument !== undefined && args[key] !== undefined)
  return Object.fromEntries(
    sentFields.map(field => [field.key, isNone(field, args[field.key]) ? null : args[field.key]])
  )
}
const isNone = (field: Field, value: unknown) => field.kind !== 'links' && field.isNullable && value === 'none'

/** A row with names for agents: the state's name is enough, and of the other holder the name. */
const withoutCategory = ({ stateCategory: _, holder, ...row }: Arguments): object => ({
  ...row,
  ...(hasFields(holder) && { holder: holder['fullname'] })
})

const readHints = { readOnly: true, destructive: false, idempotent: true }

const listTasks = (fields: readonly Field[]) =>
  tool({
    name: 'list_tasks',
    description:
      'Find work: open tasks, most urgent first. Returns small rows, total, and next while there are ' + 'more.',
    input: Closed({
      ...fieldArguments(fields, 'list'),
      stateCategory: Type.Optional(
        Type.Array(Type.Enum([...STATE_CATEGORIES]), { description: 'Only these; default: the open ones.' })
      ),
      ready: Type.Optional(Type.Boolean({ description: 'Can be begun now.' })),
      orderBy: Type.Optional(Type.Enum(TOOL_ORDERS, { description: 'Default: urgency.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows.' })),
      cursor: argument('The next of the answer before.', { reads: 'name' })
    }),
    scope: readScope,
    hints: readHints,
    core: { omits: ['priority', 'project', 'stateCategory', 'orderBy'] },
    readsAhead: true,
    listField: 'tasks',
    async handle({ stateCategory, ready, orderBy, limit = 10, cursor, ...given }, { rest }) {
      const values: Arguments = given
      const categories = stateCategory ?? (values['state'] === undefined ? OPEN_CATEGORIES : undefined)
      const filters = {
        ...filtersOf(fields, givenFields(fields, values)),
        ...(categories !== undefined && { stateCategory: { filterType: 'IS', value: categories } }),
        ...(ready !== undefined && { isReady: ready })
      }
      const { issues, total, totalIsExact, nextCursor } = await rest<{
        issues: Arguments[]
        total: number
        totalIsExact?: false
        nextCursor: string | null
      }>('POST', '/v1/issues/filter', {
        filters,
        // Ready issues are listed in the order in which they are picked up.
        orderBy: orderBy ?? (ready === true ? 'next' : 'urgency'),
        view: 'named',
        perPage: limit,
        total: 'capped',
        ...(cursor !== undefined && { cursor })
      })
      return {
        tasks: issues.map(withoutCategory),
        total,
        ...(totalIsExact === false && { totalIsExact }),
        next: nextCursor
      }
    }
  })

const taskIn = (context: Context) => taskOfContext(context, criteriaOf)

const getTask = tool({
  name: 'get_task',
  description: 'Read a task before you work on it. Returns all of it, with rev.',
  input: Closed({
    task: Task,
    part: argument('As the cut says.'),
    from: Type.Optional(Type.Integer({ description: 'As the cut says.' }))
  }),
  scope: readScope,
  hints: readHints,
  core: { omits: [] },
  readsAhead: true,
  async handle({ task, part, from = 0 }, { rest }) {
    if (from < 0) throw new ToolError('from counts from 0.')
    if (part === undefined && from === 0) return taskIn(await rest<Context>('GET', taskPath(task, '/context')))
    return readPart({ task, part: part ?? 'description', from }, { rest })
  }
})

const createTask = (fields: readonly Field[]) =>
  tool({
    name: 'create_task',
    description:
      'File a task. Needs a real description and, unless it has a parent, acceptance criteria. Returns key and ' +
      'similar tasks.',
    input: Closed({
      title: Type.String({ description: 'One line.' }),
      description: Prose('Markdown: what is wrong or wanted, and why.', ['body']),
      acceptanceCriteria: Type.Optional(
        Type.Array(Type.String({ reads: 'criterion' }), {
          description: 'Each can be checked.',
          aliases: ['criteria']
        })
      ),
      ...fieldArguments(fields, 'create'),
      blockedBy: Tasks('Keys or ids.')
    }),
    scope: writeScope,
    hints: { readOnly: false, destructive: false, idempotent: false },
    core: { omits: ['assignee', 'state', 'project', 'dueDate', 'blockedBy'] },
    restNames: { descriptionMarkdown: 'description', blockedByIds: 'blockedBy' },
    async handle({ title, description, acceptanceCriteria, blockedBy, ...given }, { rest }) {
      const row = await rest<Arguments>('POST', '/v1/issues?view=named', {
        title,
        requireCriteria: true,
        descriptionMarkdown: description,
        ...(acceptanceCriteria !== undefined && { acceptanceCriteria }),
        ...givenFields(fields, given),
        ...(blockedBy !== undefined && { blockedByIds: blockedBy })
      })
      return withoutCategory(row)
    }
  })

/** Fields that are seldom changed while working on a task. */
const UPDATE_RARELY = [
  ...['title', 'parent', 'project', 'priority', 'dueDate', 'labels'],
  ...['addLabels', 'removeLabels', 'blockedBy', 'removeBlockedBy', 'unmet']
]

const updateTask = (fields: readonly Field[], takesEvidence: boolean) =>
  tool({
    name: 'update_task',
    description:
      'Change a task or tick its criteria: what is not sent stays. Returns its row and the criteria still unmet.',
    input: Closed({
      task: Task,
      title: argument('One line.'),
      description: Type.Optional(Prose('Markdown; replaces all of it.', ['body'])),
      rev: Type.Optional(Type.Integer({ description: 'That you read.' })),
      ...fieldArguments(fields, 'update'),
      addLabels: names('Names.'),
      removeLabels: names('Names.'),
      blockedBy: Tasks('To add: keys or ids.'),
      removeBlockedBy: Tasks('Keys or ids.'),
      met: Met(takesEvidence),
      unmet: Criteria('To untick.'),
      session: Session
    }),
    scope: writeScope,
    // The former description or title is lost.
    hints: { readOnly: false, destructive: true, idempotent: true },
    core: { omits: UPDATE_RARELY },
    restNames: {
      'criteria.met': 'met',
      'criteria.unmet': 'unmet',
      descriptionMarkdown: 'description',
      addBlockedByIds: 'blockedBy',
      removeBlockedByIds: 'removeBlockedBy'
    },
    async handle({ task, session: _, rev, ...changes }, { rest }) {
      const { title, description, addLabels, removeLabels, blockedBy, removeBlockedBy, met, unmet } = changes
      const patch = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { descriptionMarkdown: description }),
        ...givenFields(fields, changes),
        ...(addLabels !== undefined && { addLabels }),
        ...(removeLabels !== undefined && { removeLabels }),
        ...(blockedBy !== undefined && { addBlockedByIds: blockedBy }),
        ...(removeBlockedBy !== undefined && { removeBlockedByIds: removeBlockedBy }),
        ...((met ?? unmet) && { criteria: { ...(met && { met }), ...(unmet && { unmet }) } })
      }
      if (Object.keys(patch).length === 0) {
        throw new ToolError('There is nothing to change: send what shall be different, beside task.')
      }
      // Without a basis, the change must not overwrite others' recent changes.
      const basis = rev === undefined ? { protect: true } : { rev }
      return withoutCategory(await rest<Arguments>('POST', taskPath(task, '?view=named'), { ...patch, ...basis }))
    }
  })

const pickUpTask = (fields: readonly Field[]) => {
  const chosenBy = fieldArguments(fields, 'next')
  return tool({
    name: 'pick_up_task',
    description:
      'Before the first edit: makes the task yours and in progress; refused while somebody else has it. `next` takes ' +
      'the best ready one. Returns its row; of the next one all, or why there is none.',
    input: Closed({
      task: TaskOr('Key or id, or next.'),
      ...chosenBy,
      takeover: Type.Optional(Type.Boolean({ description: 'Take it from them.' })),
      session: Session
    }),
    scope: writeScope,
    hints: { readOnly: false, destructive: false, idempotent: true },
    core: { omits: Object.keys(chosenBy) },
    async handle({ task, takeover = false, session: _, ...chosen }, { rest }) {
      if (task.trim().toLowerCase() === 'next') {
        if (takeover) throw new ToolError('takeover goes with a task that you name: nobody has the next one.')
        const next = await rest<Context | { issue: null; reasons: object }>('POST', '/v1/issues/pick_up_next', chosen)
        return 'key' in next ? taskIn(next) : { task: 'none', notReady: next.reasons }
      }
      return withoutCategory(await rest<Arguments>('POST', taskPath(task, '/pick_up?view=named'), { takeover }))
    }
  })
}

/** Each maps its arguments to one REST request; those for fields are derived from the fields. */
export const tools = (fields: readonly Field[], takesEvidence: boolean): readonly Tool[] => [
  listTasks(fields),
  getTask,
  createTask(fields),
  updateTask(fields, takesEvidence),
  pickUpTask(fields)
]
