import { Type } from 'typebox'
import { Closed, IdText, Ref } from '../../core/schemas.ts'
import { RestError, tool, ToolError, type Tool } from '../mcp/contract.ts'
import type { KnownContext } from './context.ts'
import type { Entry } from './queries.ts'
import { DEFAULT_BUDGET, Kind, Tags } from './schemas.ts'

const session = Type.Optional(Type.String({ description: 'Names your session in the record of what was served.' }))
const hints = { readOnly: true, destructive: false, idempotent: true }

const recallKnowledge = tool({
  name: 'recall_knowledge',
  description: 'Search what was learnt before: facts, decisions, conventions, pitfalls, how-tos.',
  input: Closed({
    query: Type.String({ minLength: 1, maxLength: 10_000 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    tags: Type.Optional(Tags),
    session
  }),
  scope: 'read',
  hints,
  async handle ({ query, limit = 10, tags = [] }, { rest }) {
    const search = new URLSearchParams({ query, limit: String(limit), ...tags.length > 0 && { tags: tags.join(',') } })
    const entries = await rest<Entry[]>('GET', `/v1/knowledge?${search}`)
    return { entries: entries.map(({ id, kind, content, tags, status }) => ({ id, kind, content, tags, ...status !== 'ACTIVE' && { status } })) }
  }
})

const loadContext = tool({
  name: 'load_context',
  description: 'Before a task: what is worth knowing for it, best first, within a token budget.',
  input: Closed({
    task: Type.Optional(Ref('Key or id; or give query.')),
    query: Type.Optional(Type.String({ maxLength: 10_000 })),
    budget: Type.Optional(Type.Integer({ minimum: 100, maximum: 100_000, default: DEFAULT_BUDGET })),
    session
  }),
  scope: 'read',
  hints,
  async handle ({ task, query, budget = DEFAULT_BUDGET }, { rest }) {
    if (task === undefined && !query?.trim()) throw new ToolError('Give task, query, or both: what is it that you are about to do?')
    return rest<KnownContext>('GET', `/v1/knowledge/context?${new URLSearchParams({ budget: String(budget), ...task !== undefined && { issueId: task }, ...query !== undefined && { query } })}`)
  }
})

const remember = tool({
  name: 'remember',
  description: 'Store one fact that will help later. Refused when nearly the same is known: supersede that entry, or force.',
  input: Closed({
    content: Type.String({ minLength: 1, maxLength: 2_000, description: 'One fact, markdown.' }),
    kind: Type.Optional(Kind),
    tags: Type.Optional(Tags),
    task: Type.Optional(Ref('What it is about: key or id.')),
    supersedes: Type.Optional(Type.String({ ...IdText, description: 'The entry that it replaces.' })),
    force: Type.Optional(Type.Boolean()),
    session
  }),
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  async handle ({ content, kind, tags, task, supersedes, force }, { rest }) {
    const { id, status } = await rest<Entry>('POST', '/v1/knowledge', {
      content, ...kind && { kind }, ...tags && { tags }, ...task !== undefined && { issueId: task }, ...supersedes !== undefined && { supersedesId: supersedes }, ...force !== undefined && { force }
    }).catch((error: unknown) => {
      throw error instanceof RestError ? new ToolError(error.message.replace('supersedesId', 'supersedes')) : error
    })
    return { id, status }
  }
})

export const tools: readonly Tool[] = [recallKnowledge, loadContext, remember]
