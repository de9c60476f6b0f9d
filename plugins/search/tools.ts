import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope } from '../../core/api/scopes.ts'
import { Task } from '../issues/contract.ts'
import { tool, ToolError, totalOfBest, type Tool } from '../mcp/contract.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

interface Hit {
  key: string
  title: string
  stateCategory: string
  resolutionSnippet: string | null
}
const hitsToJson = (hits: readonly Hit[], limit: number) => ({
  tasks: hits.map(({ key, title, stateCategory, resolutionSnippet }) => ({
    key,
    title,
    stateCategory,
    resolution: resolutionSnippet
  })),
  ...totalOfBest(hits.length, limit)
})
const hints = { readOnly: true, destructive: false, idempotent: true }
const LimitArgument = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Tasks.' }))

const searchTasks = tool({
  name: 'search_tasks',
  description:
    'Find tasks by words of their titles, descriptions and notes. ' +
    'Returns keys, titles and resolutions, best first.',
  input: Closed({
    query: Type.String({ minLength: 1, description: 'Words, or a key.', aliases: ['q', 'text'] }),
    stateCategory: Type.Optional(Type.Array(Type.Enum([...STATE_CATEGORIES]), { description: 'Only these.' })),
    limit: LimitArgument
  }),
  scope: readScope,
  hints,
  core: { omits: ['stateCategory', 'limit'] },
  listField: 'tasks',
  handle: async ({ query, stateCategory = [], limit = 10 }, { rest }) => {
    const parameters = new URLSearchParams({ query, limit: String(limit) })
    if (stateCategory.length > 0) parameters.set('stateCategory', stateCategory.join(','))
    return hitsToJson(await rest<Hit[]>('GET', `/v1/search?${parameters}`), limit)
  }
})

const findSimilarTasks = tool({
  name: 'find_similar_tasks',
  description:
    'Before you solve a problem: find earlier tasks like it. Returns keys, titles and resolutions, best first.',
  input: Closed({
    task: Type.Optional(Task),
    text: Type.Optional(Type.String({ description: 'Or the problem in words.', aliases: ['query', 'q'] })),
    limit: LimitArgument
  }),
  scope: readScope,
  hints,
  listField: 'tasks',
  restNames: { issueId: 'task' },
  async handle({ task, text, limit = 10 }, { rest }) {
    if ((task === undefined) === (text === undefined)) {
      throw new ToolError('Send task or text, one of them: what is the problem?')
    }
    const path =
      task === undefined
        ? `/v1/search?${new URLSearchParams({ query: text ?? '', limit: String(limit) })}`
        : `/v1/search/similar_issues?${new URLSearchParams({ issueId: task, limit: String(limit) })}`
    return hitsToJson(await rest<Hit[]>('GET', path), limit)
  }
})

export const tools: readonly Tool[] = [searchTasks, findSimilarTasks]
