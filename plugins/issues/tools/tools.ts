import { Type } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import { readScope, writeScope } from '../../../core/api/scopes.ts'
import { tool, ToolError, type Tool } from '../../mcp/contract.ts'
import { argument, fieldArguments, fieldRestNames, givenFields, names } from './field-arguments.ts'
import { listTasks, readHints, type ListParts } from './list-tasks.ts'
import {
  changesOfTask,
  isWhole,
  taskOfContext,
  taskPath,
  rowOfTask,
  answerOfChange,
  type Context,
  type ContextChanges
} from './task.ts'
import type { DraftSource } from '../fields/draft-source.ts'
import { criteriaOf, readPart } from './task-parts.ts'
import { relationChanges, Relations, relationsOf } from './relations.ts'
import { Criteria, Met, Prose, Session, Task, TaskOr, Tasks } from './task-arguments.ts'

type Arguments = Readonly<Record<string, unknown>>

interface ToolParts extends ListParts {
  source: DraftSource | undefined
  takesEvidence: boolean
}

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
    return isWhole(answer) ? taskOfContext(answer, criteriaOf) : changesOfTask(task, answer, criteriaOf)
  }
})

const CREATE_RARELY = ['assignee', 'state', 'project', 'due', 'estimate', 'cycle', 'blockedBy', 'relations']

const createTask = ({ fields, source, now }: ToolParts) => {
  const text = Prose('Markdown: what is wrong or wanted, and why.', ['body'])
  return tool({
    name: 'create_task',
    description:
      'File a task. Needs a real description and, unless it has a parent, acceptance criteria. Returns key and ' +
      'similar tasks.',
    input: Closed({
      title: Type.String({ description: 'One line.' }),
      description: source ? Type.Optional(text) : text,
      acceptanceCriteria: Type.Optional(
        Type.Array(Type.String({ reads: 'criterion' }), {
          description: 'Each can be checked.',
          aliases: ['criteria']
        })
      ),
      ...fieldArguments(fields, 'create'),
      ...(source && { [source.name]: argument(source.argument, { reads: 'name' }) }),
      blockedBy: Tasks('Keys or ids.'),
      relations: Relations('As BLOCKED ENG-2.')
    }),
    scope: writeScope,
    hints: { readOnly: false, destructive: false, idempotent: false },
    unlisted: ['blockedBy'],
    core: {
      omits: [...CREATE_RARELY, ...(source ? [source.name] : [])],
      requires: source ? ['description'] : []
    },
    restNames: { ...fieldRestNames(fields), descriptionMarkdown: 'description', blockedByIds: 'blockedBy' },
    async handle({ title, description, acceptanceCriteria, blockedBy, relations, ...more }, { rest }) {
      const fieldValues: Arguments = more
      const row = await rest<Arguments>('POST', '/v1/issues?view=named', {
        title,
        requireCriteria: true,
        descriptionMarkdown: description,
        acceptanceCriteria,
        ...givenFields(fields, fieldValues, now),
        ...(source && { [source.name]: fieldValues[source.name] }),
        blockedByIds: blockedBy,
        relations: relations && relationsOf(relations)
      })
      return rowOfTask(row)
    }
  })
}

const UPDATE_RARELY = [
  ...['title', 'parent', 'project', 'cycle', 'priority', 'due', 'estimate', 'labels', 'relations'],
  ...['addLabels', 'removeLabels', 'blockedBy', 'removeBlockedBy', 'unmet']
]

const changedBy = (patch: object): string[] =>
  Object.keys(patch).map(key =>
    /^(add|remove)Labels$/.test(key) ? 'labels' : /^(add|remove)/.test(key) ? 'relations' : key
  )

const updateTask = ({ fields, takesEvidence, now }: ToolParts) =>
  tool({
    name: 'update_task',
    description:
      'Change a task or tick its criteria: what is not sent stays. Returns what changed and the criteria still unmet.',
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
      const fieldsSent = {
        title,
        descriptionMarkdown: description,
        ...givenFields(fields, changes, now),
        ...{ addLabels, removeLabels, addBlockedByIds: blockedBy, removeBlockedByIds: removeBlockedBy },
        ...(relations && relationChanges(relations)),
        criteria: (met ?? unmet) && { met, unmet }
      }
      const patch = Object.fromEntries(Object.entries(fieldsSent).filter(([, value]) => value !== undefined))
      if (Object.keys(patch).length === 0) {
        throw new ToolError('There is nothing to change: send what shall be different, beside task.')
      }
      // Without a basis, the change must not overwrite others' recent changes.
      const basis = rev === undefined ? { protect: true } : { rev }
      const row = await rest<Arguments>('POST', taskPath(task, '?view=named'), { ...patch, ...basis })
      return answerOfChange(row, fields, changedBy(patch))
    }
  })

const pickUpTask = ({ fields }: ToolParts) => {
  const chosenBy = fieldArguments(fields, 'next')
  return tool({
    name: 'pick_up_task',
    description:
      'Before the first edit: makes the task yours and in progress; refused while somebody else has it. Returns its ' +
      'state; of the next one all, or why there is none.',
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
        return 'key' in next ? taskOfContext(next, criteriaOf) : { task: 'none', notReady: next.reasons }
      }
      const row = await rest<Arguments>('POST', taskPath(task, '/pick_up?view=named'), { takeover })
      return answerOfChange(row, fields, ['state'])
    }
  })
}

export const tools = (parts: ToolParts): readonly Tool[] => [
  listTasks(parts),
  getTask,
  createTask(parts),
  updateTask(parts),
  pickUpTask(parts)
]
