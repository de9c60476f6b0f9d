import { Type } from 'typebox'
import type { Id } from '../../core/db/tables.ts'
import { invalid } from '../../core/errors.ts'
import type { App } from '../../core/plugin.ts'
import { answers } from '../../core/schemas.ts'
import { askSelf } from '../../core/self-request.ts'
import { tokenize } from '../search/contract.ts'
import type { Solved } from './context.ts'
import { poolOf } from './entry-index.ts'
import type { Ctx } from './index.ts'
import { contextCandidates, issueText, searchEntries, type Candidate } from './queries.ts'
import { Context, ContextQuery, EntrySearch, Hit } from './schemas.ts'
import type { Servings } from './servings.ts'

const tags = ['knowledge']
/** Similar solved issues that a context looks at. */
const MAX_SOLVED = 5
/** Entries that a query may find; where most may be filtered out, more. */
const MAX_FOUND = 200
const MAX_FOUND_FILTERED = 5_000
/** Words that an entry must share with a task that nothing else ties it to: one alone is chance. */
const MIN_SHARED_WORDS = 2
/** A question of so few words is taken at each of them. */
const MAX_SHORT_QUESTION_WORDS = 3
/** The cosine distance up to which an entry belongs to a task by its meaning, whatever its words. */
const MAX_DISTANCE = 0.35

/** Search, and what is worth knowing before a task. */
export function contextRoutes(app: App, ctx: Ctx, servings: Servings): void {
  const { db, now, use } = ctx
  const { workspace, issues } = use
  const { textIndex } = use.search

  app.get(
    '/v1/knowledge',
    {
      schema: {
        tags,
        summary: 'Search what is known',
        description: 'Each entry in the answer counts as served.',
        querystring: EntrySearch,
        response: answers(200, Type.Array(Hit))
      }
    },
    async request => {
      const { workspaceId } = request.principal
      const { query, limit, tags, teamId, projectId } = request.query
      const team = teamId === undefined ? undefined : await workspace.findTeam(db, workspaceId, teamId)
      const required = (tags?.split(',') ?? []).map(tag => tag.trim()).filter(Boolean)
      const isFiltered = required.length > 0 || team !== undefined || projectId !== undefined
      const maxFound = isFiltered ? MAX_FOUND_FILTERED : MAX_FOUND
      const found = query?.trim()
        ? await textIndex.search(db, poolOf(workspaceId), { title: query }, maxFound)
        : undefined
      const entries = await searchEntries(db, workspaceId, {
        found,
        limit,
        tags: required,
        teamId: team?.id,
        projectId,
        now: now()
      })
      await servings.record(
        request,
        entries.map(entry => entry.id)
      )
      return entries
    }
  )

  app.get(
    '/v1/knowledge/context',
    {
      schema: {
        tags,
        summary: 'What is worth knowing before a task',
        description:
          'Best first, the whole answer within `budget` tokens; each entry in it counts as served. An entry that ' +
          'nothing ties to the task shares at least two words with it (one, when the question is short), or its ' +
          'meaning.',
        querystring: ContextQuery,
        response: answers(200, Context)
      }
    },
    async request => {
      const { workspaceId } = request.principal
      const { issueId, query, budget } = request.query
      if (issueId === undefined && !query?.trim()) {
        throw invalid('Send query.issueId, query.query, or both: what is the task?', { field: 'issueId' })
      }
      const issue = issueId === undefined ? undefined : await issues.find(db, workspaceId, issueId)
      const [candidates, solved] = await Promise.all([
        known(workspaceId, issue?.id, query),
        solvedLike(issue?.id, query, request.headers.authorization)
      ])
      // With the tokenizer, whose vocabulary is large: only a server that needs it loads it.
      const { packContext } = await import('./context.ts')
      const context = packContext(candidates, solved, budget)
      await servings.record(
        request,
        context.entries.map(entry => entry.id)
      )
      return context
    }
  )

  /** What may be worth knowing for an issue, a question or both, best first. */
  async function known(workspaceId: Id, issueId: Id | undefined, query: string | undefined): Promise<Candidate[]> {
    const task = issueId === undefined ? undefined : await issueText(db, workspaceId, issueId)
    const text = { title: [query, task?.title].filter(Boolean).join('\n'), description: task?.description ?? '' }
    const found = await textIndex.search(db, poolOf(workspaceId), text, MAX_FOUND)
    const candidates = await contextCandidates(db, workspaceId, { issueId: issueId ?? null, found, now: now() })
    const near = new Set(found.flatMap(({ id, distance }) => (distance !== null && distance <= MAX_DISTANCE ? id : [])))
    const isAbout = sharesWordsWith(`${text.title}\n${text.description}`)
    return candidates.filter(entry => isTied(entry) || near.has(entry.id) || isAbout(entry))
  }

  /** How similar issues were solved, as the search plugin's routes find them. */
  async function solvedLike(
    issueId: Id | undefined,
    query: string | undefined,
    authorization: string | undefined
  ): Promise<Solved[]> {
    const path = issueId === undefined ? '/v1/search' : '/v1/search/similar_issues'
    const search = new URLSearchParams({
      limit: String(MAX_SOLVED),
      stateCategory: 'COMPLETED',
      ...(issueId === undefined ? { query: query ?? '' } : { issueId })
    })
    const answer = await askSelf(app, { method: 'GET', path: `${path}?${search}`, headers: { authorization } })
    if (answer.statusCode !== 200) {
      ctx.log.warn({ answer: answer.json() }, 'similar issues could not be looked for')
      return []
    }
    return answer
      .json<Array<{ key: string; title: string; resolutionSnippet: string | null }>>()
      .flatMap(({ key, title, resolutionSnippet: resolution }) => (resolution ? [{ key, title, resolution }] : []))
      .slice(0, MAX_SOLVED)
  }
}

const isTied = ({ issue, parent, project, team, label }: Candidate): boolean =>
  issue || parent || project || team || label

/** Whether an entry shares enough words with a task's text to be about it. */
function sharesWordsWith(text: string): (entry: Candidate) => boolean {
  const words = wordsOf(text)
  const wanted = words.size <= MAX_SHORT_QUESTION_WORDS ? 1 : MIN_SHARED_WORDS
  return ({ content, tags }) => wordsOf([content, ...tags].join('\n')).intersection(words).size >= wanted
}

const wordsOf = (text: string): Set<string> => new Set(tokenize(text).map(token => token.text))
