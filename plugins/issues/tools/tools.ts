import { Type } from 'typebox'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { readScope, writeScope } from '../../../core/api/scopes.ts'
import { tool, ToolError, type Tool } from '../../mcp/contract.ts'
import { STATE_CATEGORIES } from '../../workspace/contract.ts'
import type { Field } from '../fields/field.ts'
import { ORDERS } from '../queries/filter/list.ts'
import { filtersOf } from '../write/values.ts'
import { argument, fieldArguments, fieldRestNames, givenFields, names } from './field-arguments.ts'
import { changesOfTask, isWhole, taskOfContext, taskPath, type Context, type ContextChanges } from './task.ts'
import { criteriaOf, readPart } from './task-parts.ts'
import { relationChanges, Relations, relationsOf, relationsToFind } from './relations.ts'
import { Criteria, Met, Prose, Session, Task, TaskOr, Tasks } from './task-arguments.ts'

/** Without the manual order, which says nothing about the next task. */
const TOOL_ORDERS = ORDERS.filter(order => order !== 'sortOrder' && order !== 'next')

const OPEN_CATEGORIES = STATE_CATEGORIES.filter(category => category !== 'COMPLETED' && category !== 'CANCELED')

type Arguments = Readonly<Record<string, unknown>>

interface ToolParts {
  fields: readonly Field[]
  /** True if criteria are ticked with evidence. */
  takesEvidence: boolean
  now(): Date
}

/** A row with names for agents: the state's name is enough, and of the other holder the name. */
const withoutCategory = ({ stateCategory: _, holder, ...row }: Arguments): object => ({
  ...row,
  ...(hasFields(holder) && { holder: holder['fullname'] })
})

const readHints = { readOnly: true, destructive: false, idempotent: true }

const listTasks = ({ fields, now }: ToolParts) =>
  tool({
    name: 'list_tasks',
    description: 'Find work: open tasks, most urgent first. Returns rows, total, and next while there are more.',
    input: Closed({
      ...fieldArguments(fields, 'list'),
      relations: Relations('As BLOCKED or BLOCKED ENG-2.'),
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
    unlisted: ['estimate', 'stateCategory'],
    core: {
      omits: ['labels', 'priority', 'due', 'estimate', 'project', 'cycle', 'relations', 'stateCategory', 'orderBy']
    },
    readsAhead: true,
    listField: 'tasks',
    async handle({ stateCategory, relations, ready, orderBy, limit = 10, cursor, ...given }, { rest }) {
      const values: Arguments = given
      const categories = stateCategory ?? (values['state'] === undefined ? OPEN_CATEGORIES : undefined)
      const filters = {
        ...filtersOf(fields, givenFields(fields, values, now)),
        ...(categories !== undefined && { stateCategory: { filterType: 'IS', value: categories } }),
        ...(relations !== undefined && { relation: { filterType: 'IS', value: relationsToFind(relations) } }),
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
const changesIn = (task: string, changes: ContextChanges) => changesOfTask(task, changes, criteriaOf)

const getTask = tool({
  name: 'get_task',
  description: 'Read a task before you work on it. Returns all of it.',
  input: Closed({
    task: Task,
    since: argument('Your version: what changed.'),
    part: argument('As the cut says.'),
    from: Type.Optional(Type.Integer({ description: 'Likewise.' }))
  }),
  scope: readScope,
  hints: readHints,
  core: { omits: [] },
  readsAhead: true,
  async handle({ task, since, part, from = 0 }, { rest }) {
    if (from < 0) throw new ToolError('from counts from 0.')
    if (part !== undefined || from > 0) {
      if (since !== undefined) throw new ToolError('since is for the whole task: leave it out to read a part.')
      return readPart({ task, part: part ?? 'description', from }, { rest })
    }
    const query = since === undefined ? '' : `?${new URLSearchParams({ since })}`
    const answer = await rest<Context | ContextChanges>('GET', taskPath(task, `/context${query}`))
    return isWhole(answer) ? taskIn(answer) : changesIn(task, answer)
  }
})

const createTask = ({ fields, now }: ToolParts) =>
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
      blockedBy: Tasks('Keys or ids.'),
      relations: Relations('As BLOCKED ENG-2.')
    }),
    scope: writeScope,
    hints: { readOnly: false, destructive: false, idempotent: false },
    unlisted: ['blockedBy'],
    core: { omits: ['assignee', 'state', 'project', 'due', 'estimate', 'cycle', 'blockedBy', 'relations'] },
    restNames: { ...fieldRestNames(fields), descriptionMarkdown: 'description', blockedByIds: 'blockedBy' },
    async handle({ title, description, acceptanceCriteria, blockedBy, relations, ...given }, { rest }) {
      const row = await rest<Arguments>('POST', '/v1/issues?view=named', {
        title,
        requireCriteria: true,
        descriptionMarkdown: description,
        ...(acceptanceCriteria !== undefined && { acceptanceCriteria }),
        ...givenFields(fields, given, now),
        ...(blockedBy !== undefined && { blockedByIds: blockedBy }),
        ...(relations !== undefined && { relations: relationsOf(relations) })
      })
      return withoutCategory(row)
    }
  })

/** Fields that are seldom changed while working on a task. */
const UPDATE_RARELY = [
  ...['title', 'parent', 'project', 'cycle', 'priority', 'due', 'estimate', 'labels', 'relations'],
  ...['addLabels', 'removeLabels', 'blockedBy', 'removeBlockedBy', 'unmet']
]

const updateTask = ({ fields, takesEvidence, now }: ToolParts) =>
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
      relations: Relations('As BLOCKED ENG-2; none ENG-2 removes.'),
      met: Met(takesEvidence),
      unmet: Criteria('To untick.'),
      session: Session
    }),
    scope: writeScope,
    // The former description or title is lost.
    hints: { readOnly: false, destructive: true, idempotent: true },
    unlisted: ['blockedBy', 'removeBlockedBy'],
    core: { omits: UPDATE_RARELY },
    restNames: {
      'criteria.met': 'met',
      'criteria.unmet': 'unmet',
      ...fieldRestNames(fields),
      descriptionMarkdown: 'description',
      addBlockedByIds: 'blockedBy',
      removeBlockedByIds: 'removeBlockedBy',
      addRelations: 'relations',
      removeRelations: 'relations'
    },
    async handle({ task, session: _, rev, ...changes }, { rest }) {
      const { title, description, addLabels, removeLabels, blockedBy, removeBlockedBy, relations, met, unmet } = changes
      const patch = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { descriptionMarkdown: description }),
        ...givenFields(fields, changes, now),
        ...(addLabels !== undefined && { addLabels }),
        ...(removeLabels !== undefined && { removeLabels }),
        ...(blockedBy !== undefined && { addBlockedByIds: blockedBy }),
        ...(removeBlockedBy !== undefined && { removeBlockedByIds: removeBlockedBy }),
        ...(relations !== undefined && relationChanges(relations)),
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

const pickUpTask = ({ fields }: ToolParts) => {
  const chosenBy = fieldArguments(fields, 'next')
  return tool({
    name: 'pick_up_task',
    description:
      'Before the first edit: makes the task yours and in progress; refused while somebody else has it. Returns its ' +
      'row; of the next one all, or why there is none.',
    input: Closed({
      task: TaskOr('Key or id, or next: the best ready one.'),
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
export const tools = (parts: ToolParts): readonly Tool[] => [
  listTasks(parts),
  getTask,
  createTask(parts),
  updateTask(parts),
  pickUpTask(parts)
]
