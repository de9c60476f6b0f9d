import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { Task } from '../issues/contract.ts'
import { tool, type Tool } from '../mcp/contract.ts'
import { RUN_STATUSES, type RunStatus } from './contract.ts'

interface RunAnswer {
  id: string
  issueKey: string
  status: RunStatus
  attempt: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  requestedBy: { fullname: string }
  error: object | null
  summary: string | null
  result: { branch: string | null; url: string | null; review: string | null } | null
}
/** The requests that no tool makes. */
const reviewRequests = (id: string) => `POST /v1/agent_runs/${id}/accept {}, or …/send_back {"text": "what is missing"}`

const runToJson = ({
  id,
  issueKey,
  status,
  attempt,
  createdAt,
  startedAt,
  finishedAt,
  requestedBy,
  error,
  summary,
  result
}: RunAnswer) => ({
  id,
  task: issueKey,
  status,
  attempt,
  requestedBy: requestedBy.fullname,
  createdAt,
  startedAt,
  finishedAt,
  error,
  summary,
  ...(result && { result: { branch: result.branch, url: result.url, review: result.review } }),
  ...(result && result.review === null && finishedAt !== null && { next: reviewRequests(id) })
})

const delegateTask = tool({
  name: 'delegate_task',
  description: "Hand a ready task to the service's own agent. Returns the run; refused while it is not ready.",
  input: Closed({
    task: Task,
    instructions: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'Beside what the task says.', reads: 'markdown' })
    )
  }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: false },
  restNames: { issueId: 'task' },
  handle: async ({ task, instructions }, { rest }) =>
    runToJson(
      await rest<RunAnswer>('POST', '/v1/agent_runs', {
        issueId: task,
        ...(instructions !== undefined && { instructions })
      })
    )
})

const listAgentRuns = tool({
  name: 'list_agent_runs',
  description: 'See how delegated tasks go. Returns runs, newest first: status, error, summary.',
  input: Closed({
    task: Type.Optional(Task),
    status: Type.Optional(Type.Enum([...RUN_STATUSES], { description: 'Only these.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Runs.' }))
  }),
  scope: readScope,
  hints: { readOnly: true, destructive: false, idempotent: true },
  listField: 'runs',
  restNames: { issueId: 'task' },
  async handle({ task, status, limit = 10 }, { rest }) {
    const query = new URLSearchParams({
      limit: String(limit + 1),
      ...(task !== undefined && { issueId: task }),
      ...(status !== undefined && { status })
    })
    const runs = await rest<RunAnswer[]>('GET', `/v1/agent_runs?${query}`)
    return { runs: runs.slice(0, limit).map(runToJson), more: runs.length > limit }
  }
})

export const tools: readonly Tool[] = [delegateTask, listAgentRuns]
