import { Type } from 'typebox'
import { Closed } from '../../core/schemas.ts'
import { writeScope } from '../../core/scopes.ts'
import { unmetCriteria } from '../../core/text/conversions.ts'
import { Task, taskPath } from '../issues/contract.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'
import { stateOf } from '../workspace/contract.ts'

interface Issue {
  key: string
  teamId: string
  descriptionMarkdown: string
}

const hints = { readOnly: false, destructive: false, idempotent: false }
const notes = (task: string) => `/v1/issue_comments?${new URLSearchParams({ issueId: task })}`

const addNote = tool({
  name: 'add_note',
  description:
    'Record on a task what you found or where it stands. Returns createdAt; searches find it within seconds.',
  input: Closed({ task: Task, note: Type.String({ description: 'Markdown.' }) }),
  scope: writeScope,
  hints,
  restNames: { issueId: 'task', bodyMarkdown: 'note' },
  async handle({ task, note }, { rest }) {
    const { createdAt } = await rest<{ createdAt: string }>('POST', notes(task), { bodyMarkdown: note })
    return { createdAt }
  }
})

const closeTask = tool({
  name: 'close_task',
  description:
    'When the work is done: record the resolution as a note and close the task, both or neither. Returns the criteria still unmet.',
  input: Closed({
    task: Task,
    resolution: Type.String({ description: 'Markdown: what was wrong and what was done.' }),
    state: Type.Optional(Type.String({ description: 'Name; default: the first that completes.' }))
  }),
  scope: writeScope,
  hints,
  restNames: { bodyMarkdown: 'resolution' },
  async handle({ task, resolution, state }, { rest }) {
    if (resolution.trim() === '') {
      throw new ToolError('Closing needs a resolution: say what was wrong and what was done.')
    }
    const { key, teamId } = await rest<Issue>('GET', taskPath(task))
    const states = await rest<Parameters<typeof stateOf>[0]>('GET', `/v1/${teamId}/workflows`)
    const completing = states.filter(({ category }) => category === 'COMPLETED')
    const target = state === undefined ? completing[0] : stateOf(states, state)
    if (!target) throw new ToolError('This team has no state of category COMPLETED: an administrator can add one.')
    if (!completing.includes(target)) {
      throw new ToolError(
        `${target.name} does not complete a task, its category is ${target.category}: update_task sets it. Close with one of: ${completing.map(({ name }) => name).join(', ')}.`
      )
    }
    await rest('POST', notes(key), { bodyMarkdown: resolution, stateId: target.id })
    const { descriptionMarkdown } = await rest<Issue>('GET', taskPath(key))
    return { key, state: target.name, unmet: await unmetCriteria(descriptionMarkdown) }
  }
})

export const tools: readonly Tool[] = [addNote, closeTask]
