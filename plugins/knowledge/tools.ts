import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { Task } from '../issues/contract.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'
import type { KnownContext } from './contract.ts'
import type { Entry } from './queries/entries.ts'
import { KINDS } from './contract.ts'
import { DEFAULT_BUDGET } from './schemas.ts'

const session = Type.Optional(Type.String({ description: 'Your session.' }))
const tags = Type.Optional(Type.Array(Type.String(), { description: 'Words.' }))
const hints = { readOnly: true, destructive: false, idempotent: true }

const recallKnowledge = tool({
  name: 'recall_knowledge',
  description: 'Ask what was learnt before. Returns facts, decisions, conventions, pitfalls and how-tos, best first.',
  input: Closed({
    query: Type.String({ minLength: 1, description: 'Words.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Entries.' })),
    tags,
    session
  }),
  scope: readScope,
  hints,
  listField: 'entries',
  async handle({ query, limit = 10, tags = [] }, { rest }) {
    const search = new URLSearchParams({
      query,
      limit: String(limit),
      ...(tags.length > 0 && { tags: tags.join(',') })
    })
    const entries = await rest<Entry[]>('GET', `/v1/knowledge?${search}`)
    return {
      entries: entries.map(({ id, kind, content, tags, status }) => ({
        id,
        kind,
        content,
        tags,
        ...(status !== 'ACTIVE' && { status })
      })),
      total: entries.length
    }
  }
})

const loadContext = tool({
  name: 'load_context',
  description:
    'Before a task: load what is worth knowing for it. ' +
    'Returns entries and resolutions, best first, within a token budget.',
  input: Closed({
    task: Type.Optional(Task),
    query: Type.Optional(Type.String({ description: 'Beside task or instead: what it is about.' })),
    budget: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 100_000, default: DEFAULT_BUDGET, description: 'Tokens.' })
    ),
    session
  }),
  scope: readScope,
  hints,
  restNames: { issueId: 'task' },
  async handle({ task, query, budget = DEFAULT_BUDGET }, { rest }) {
    if (task === undefined && !query?.trim()) {
      throw new ToolError('Give task, query, or both: what is it that you are about to do?')
    }
    const params = new URLSearchParams({
      budget: String(budget),
      ...(task !== undefined && { issueId: task }),
      ...(query !== undefined && { query })
    })
    return rest<KnownContext>('GET', `/v1/knowledge/context?${params}`)
  }
})

const remember = tool({
  name: 'remember',
  description:
    'Store one fact that will help later. Returns its id and similar entries; ' +
    'refused when it is known: supersede that, or force.',
  input: Closed({
    content: Type.String({ maxLength: 2_000, description: 'Markdown, at most 2,000 characters.', reads: 'markdown' }),
    kind: Type.Optional(Type.Enum([...KINDS], { description: 'Default: FACT.' })),
    tags,
    task: Type.Optional(Task),
    supersedes: Type.Optional(Type.String({ description: 'Id of what it replaces.' })),
    force: Type.Optional(Type.Boolean({ description: 'Keep both.' })),
    session
  }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: false },
  restNames: { issueId: 'task', supersedesId: 'supersedes' },
  async handle({ content, kind, tags, task, supersedes, force }, { rest }) {
    const { id, status, similar } = await rest<Entry & { similar?: object[] }>('POST', '/v1/knowledge', {
      content,
      ...(kind && { kind }),
      ...(tags && { tags }),
      ...(task !== undefined && { issueId: task }),
      ...(supersedes !== undefined && { supersedesId: supersedes }),
      ...(force !== undefined && { force })
    })
    return { id, status, similar }
  }
})

export const tools: readonly Tool[] = [recallKnowledge, loadContext, remember]
