import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { Task } from '../issues/contract.ts'
import { tool, ToolError, totalOfBest, type Tool, type ToolArguments } from '../mcp/contract.ts'
import type { Doubt, KnownContext } from './contract.ts'
import type { Entry } from './queries/entries.ts'
import { KINDS } from './contract.ts'
import { DEFAULT_BUDGET } from './schemas.ts'

const session = Type.Optional(Type.String({ description: 'Your session.' }))
const tags = Type.Optional(Type.Array(Type.String(), { description: 'Words.' }))
const hints = { readOnly: true, destructive: false, idempotent: true }

/** Asks an agent to check entries that may no longer hold. */
const askAbout = (entries: ReadonlyArray<{ doubt?: Doubt | null }>) =>
  entries.some(({ doubt }) => doubt) && {
    ask: 'Issues of entries with a doubt have changed. Check them, and name them in helped or wrong of close_task.'
  }

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
      entries: entries.map(({ id, kind, content, tags, status, doubt, standing: { helped, wrong } }) => ({
        id,
        kind,
        content,
        tags,
        ...(status !== 'ACTIVE' && { status }),
        doubt,
        ...(helped > 0 && { helped }),
        ...(wrong > 0 && { wrong })
      })),
      ...totalOfBest(entries.length, limit),
      ...askAbout(entries)
    }
  }
})

const loadContext = tool({
  name: 'load_context',
  description: 'Before a task: load what is worth knowing for it. Returns entries and resolutions, best first.',
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
    const known = await rest<KnownContext>('GET', `/v1/knowledge/context?${params}`)
    return { ...known, ...askAbout(known.entries) }
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

const Marked = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))
/** Marks before the task is closed: if an entry is unknown, it stays open, and the call can be repeated. */
export const marksOfClosing: ToolArguments = {
  tool: 'close_task',
  properties: { helped: Marked('Ids of knowledge.'), wrong: Marked('Likewise.') },
  async before({ task, helped, wrong }, { rest }) {
    if (helped === undefined && wrong === undefined) return
    await rest('POST', '/v1/knowledge/marks', { issueId: task, helped, wrong })
  }
}

export const tools: readonly Tool[] = [recallKnowledge, loadContext, remember]
