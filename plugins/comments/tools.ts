import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { writeScope } from '../../core/api/scopes.ts'
import { Met, Prose, Session, Task } from '../issues/contract.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'

interface ClosedIssue {
  issue: { key: string; state: { name: string } }
  unmet?: string[]
  holder?: { fullname: string }
}

const hints = { readOnly: false, destructive: false, idempotent: false }
const notes = (task: string) => `/v1/issue_comments?${new URLSearchParams({ issueId: task })}`

const addNote = tool({
  name: 'add_note',
  description: 'Note what you found or where a task stands, or ask people. Returns noted.',
  input: Closed({
    task: Task,
    note: Prose('Markdown.', ['comment', 'text', 'body', 'message']),
    question: Type.Optional(Type.Boolean({ description: 'Await an answer.' })),
    options: Type.Optional(Type.Array(Type.String(), { description: 'Answers to choose from.' })),
    session: Session
  }),
  scope: writeScope,
  hints,
  core: { omits: ['options'] },
  restNames: { issueId: 'task', bodyMarkdown: 'note', 'question.options': 'options' },
  async handle({ task, note, question = false, options = [] }, { rest }) {
    if (!question && options.length > 0) throw new ToolError('Only a question has options: send question: true, too.')
    await rest('POST', notes(task), {
      bodyMarkdown: note,
      ...(question && { question: options.length > 0 ? { options } : {} })
    })
    return { noted: true }
  }
})

const closeTask = (takesEvidence: boolean) =>
  tool({
    name: 'close_task',
    description:
      'When the work is done or not needed: note the resolution and close the task. ' +
      'Returns the criteria still unmet.',
    input: Closed({
      task: Task,
      resolution: Prose('Markdown: what was wrong and what was done.'),
      state: Type.Optional(Type.String({ description: 'Name; default: one that completes.', reads: 'name' })),
      duplicateOf: Type.Optional(Type.String({ description: 'Cancels it: key or id.', reads: 'task' })),
      met: Met(takesEvidence),
      session: Session
    }),
    scope: writeScope,
    hints,
    core: { omits: ['met'] },
    restNames: { bodyMarkdown: 'resolution' },
    async handle({ task, resolution, state, duplicateOf, met }, { rest }) {
      if (resolution.trim() === '') {
        throw new ToolError('Closing needs a resolution: say what was wrong and what was done.')
      }
      const { issue, unmet, holder } = await rest<ClosedIssue>('POST', notes(task), {
        bodyMarkdown: resolution,
        ...(duplicateOf === undefined
          ? { stateCategory: state === undefined ? 'COMPLETED' : ['COMPLETED', 'CANCELED'] }
          : { duplicateOf }),
        ...(state !== undefined && { state }),
        ...(met !== undefined && { met })
      })
      return { key: issue.key, state: issue.state.name, unmet, holder: holder?.fullname }
    }
  })

export const tools = (takesEvidence: boolean): readonly Tool[] => [addNote, closeTask(takesEvidence)]
