import { Type } from 'typebox'
import { Closed, Ref } from '../../core/schemas.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'
import { stateOf } from '../workspace/contract.ts'

const Task = Ref('Key or id.')
const hints = { readOnly: false, destructive: false, idempotent: false }
const notes = (task: string) => `/v1/issue_comments?issueId=${encodeURIComponent(task)}`

const addNote = tool({
  name: 'add_note',
  description: 'Record on a task what you found or where it stands, in markdown. Searchable later.',
  input: Closed({ task: Task, note: Type.String() }),
  scope: 'write',
  hints,
  async handle ({ task, note }, { rest }) {
    const { id, createdAt } = await rest<{ id: string, createdAt: string }>('POST', notes(task), { bodyMarkdown: note })
    return { id, createdAt }
  }
})

const closeTask = tool({
  name: 'close_task',
  description: 'When it is done: record the resolution as a note and close the task, both or neither. Answers the criteria still unticked.',
  input: Closed({ task: Task, resolution: Type.String({ description: 'What was wrong and what was done, markdown.' }), state: Type.Optional(Type.String()) }),
  scope: 'write',
  hints,
  async handle ({ task, resolution, state }, { rest }) {
    if (resolution.trim() === '') throw new ToolError('Closing needs a resolution: say what was wrong and what was done.')
    const { key, teamId, descriptionMarkdown } = await rest<{ key: string, teamId: string, descriptionMarkdown: string }>('GET', `/v1/issues/${encodeURIComponent(task)}`)
    const states = await rest<Parameters<typeof stateOf>[0]>('GET', `/v1/${teamId}/workflows`)
    const closed = states.filter(({ category }) => category === 'COMPLETED')
    const target = state === undefined ? closed[0] : stateOf(closed, state)
    if (!target) throw new ToolError('This team has no state of category COMPLETED: an administrator can add one.')
    await rest('POST', notes(key), { bodyMarkdown: resolution, stateId: target.id })
    return { key, state: target.name, unmet: [...descriptionMarkdown.matchAll(/^\s*(?:[-*+]|\d+[.)]) \[ \] (.*)$/gm)].map(([, text]) => text) }
  }
})

export const tools: readonly Tool[] = [addNote, closeTask]
