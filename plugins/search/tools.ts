import { Type } from 'typebox'
import { Closed, Ref } from '../../core/schemas.ts'
import { tool, ToolError, type Tool } from '../mcp/contract.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

interface Hit { key: string, title: string, stateCategory: string, resolutionSnippet: string | null }
const shown = (hits: readonly Hit[]) => ({ tasks: hits.map(({ key, title, stateCategory, resolutionSnippet }) => ({ key, title, stateCategory, resolution: resolutionSnippet })) })
const hints = { readOnly: true, destructive: false, idempotent: true }
const limited = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 }))

const searchTasks = tool({
  name: 'search_tasks',
  description: 'Search titles, descriptions and notes. Answers keys, titles and, of closed tasks, the resolution.',
  input: Closed({ query: Type.String({ minLength: 1 }), stateCategory: Type.Optional(Type.Array(Type.Enum([...STATE_CATEGORIES]))), limit: limited }),
  scope: 'read',
  hints,
  handle: async ({ query, stateCategory = [], limit = 10 }, { rest }) =>
    shown(await rest<Hit[]>('GET', `/v1/search?${new URLSearchParams({ query, limit: String(limit), ...stateCategory.length > 0 && { stateCategory: stateCategory.join(',') } })}`))
})

const findSimilarTasks = tool({
  name: 'find_similar_tasks',
  description: 'Before solving a problem: earlier tasks like it, with their resolutions. Give task or text.',
  input: Closed({ task: Type.Optional(Ref('Key or id.')), text: Type.Optional(Type.String()), limit: limited }),
  scope: 'read',
  hints,
  async handle ({ task, text, limit = 10 }, { rest }) {
    if ((task === undefined) === (text === undefined)) throw new ToolError('Give either task or text.')
    const path = task === undefined ? `/v1/search?${new URLSearchParams({ query: text ?? '', limit: String(limit) })}` : `/v1/search/similar_issues?${new URLSearchParams({ issueId: task })}`
    return shown((await rest<Hit[]>('GET', path)).slice(0, limit))
  }
})

export const tools: readonly Tool[] = [searchTasks, findSimilarTasks]
