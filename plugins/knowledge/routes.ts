import { sql } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Principal } from '../../core/auth.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { App } from '../../core/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import { packContext, type Solved } from './context.ts'
import type { Ctx } from './index.ts'
import * as queries from './queries.ts'
import { indexEntry, nearDuplicate } from './retrieval.ts'
import { Context, ContextQuery, Entry, EntryChanges, EntrySearch, Hit, NewEntry, Serving } from './schemas.ts'
import { makeServings } from './servings.ts'

const tags = ['knowledge']
const params = Closed({ id: IdText })
/** Similar solved issues that a context looks at. */
const SOLVED = 5

export function knowledgeRoutes (app: App, ctx: Ctx): void {
  const { db, now, transaction, use: { workspace, issues } } = ctx
  const servings = makeServings(db, ctx.log, now)
  ctx.onClose(() => servings.close())

  app.post('/v1/knowledge', { schema: { tags, summary: 'Remember one fact', description: 'Where something very much like it is there: 409 with that `entry`. Send `supersedesId` to replace it, or `force` to keep both.', body: NewEntry, response: answers(201, Entry) } }, async ({ principal, body }, reply) => {
    const { workspaceId, accountId } = principal
    const { content, kind = 'FACT', tags = [], supersedesId, force = false } = body
    const scope = await scopeOf(workspaceId, body)
    const id = newId()
    await transaction(async trx => {
      // Of two that say the same at once, the second finds the first.
      await sql`select pg_advisory_xact_lock(hashtextextended('knowledge:' || ${workspaceId}::text, 0))`.execute(trx)
      if (supersedesId !== undefined) await supersede(trx, workspaceId, supersedesId)
      else if (!force) {
        const near = await nearDuplicate(trx, workspaceId, indexed(content, tags), now())
        const entry = near && await queries.findEntry(trx, workspaceId, near, now())
        if (entry) throw conflict(`Nearly the same is known already (${entry.id}): send supersedesId to replace that entry, or force: true if both are true.`, { id: entry.id, entry })
      }
      await queries.insertEntry(trx, { workspaceId, id, content, kind, tags, teamId: null, projectId: null, issueId: null, ...scope, createdById: accountId, createdAt: now(), supersedesId: supersedesId ?? null, expiresAt: timeOf(body.expiresAt) ?? null })
      await indexEntry(trx, workspaceId, id, indexed(content, tags))
    })
    return reply.code(201).send(await find(principal, id))
  })

  app.get('/v1/knowledge', { schema: { tags, summary: 'Search what is known', description: 'Each entry in the answer counts as served.', querystring: EntrySearch, response: answers(200, Type.Array(Hit)) } }, async (request) => {
    const { principal: { workspaceId }, query: { query, limit, tags, teamId, projectId } } = request
    const team = teamId === undefined ? undefined : await workspace.findTeam(db, workspaceId, teamId)
    const found = await queries.searchEntries(db, workspaceId, { query: query?.trim() || undefined, limit, tags: tags?.split(',').map(tag => tag.trim()).filter(Boolean) ?? [], teamId: team?.id, projectId, now: now() })
    await servings.record(request, found.map(entry => entry.id))
    return found
  })

  app.get('/v1/knowledge/context', { schema: { tags, summary: 'What is worth knowing before a task', description: 'Best first, the whole answer within `budget` tokens; each entry in it counts as served.', querystring: ContextQuery, response: answers(200, Context) } }, async (request) => {
    const { principal: { workspaceId }, query: { issueId, query, budget }, headers: { authorization } } = request
    if (issueId === undefined && !query?.trim()) throw invalid('Send query.issueId, query.query, or both: what is the task?', { field: 'issueId' })
    const issue = issueId === undefined ? undefined : await issues.find(db, workspaceId, issueId)
    const text = [query, issue && await queries.issueText(db, workspaceId, issue.id)].filter(Boolean).join('\n')
    const [candidates, solved] = [
      await queries.contextCandidates(db, workspaceId, { issueId: issue?.id ?? null, text, now: now() }),
      await solvedLike(issue?.id, query, authorization)
    ]
    const context = packContext(candidates, solved, budget)
    await servings.record(request, context.entries.map(entry => entry.id))
    return context
  })

  app.get('/v1/knowledge/:id', { schema: { tags, summary: 'An entry', params, response: answers(200, Entry) } }, async (request) => {
    const entry = await find(request.principal, request.params.id)
    await servings.record(request, [entry.id])
    return entry
  })

  app.post('/v1/knowledge/:id', { schema: { tags, summary: 'Change or dispute an entry', description: 'Only its author or an administrator changes what it says; anyone who may write disputes it with `status: "DISPUTED"`, or settles that with `"ACTIVE"`. A superseded entry stays as it is.', params, body: EntryChanges, response: answers(200, Entry) } }, async ({ principal, params, body }) => {
    const { workspaceId } = principal
    const { status, expiresAt, content, kind, tags } = body
    const scope = await scopeOf(workspaceId, body)
    await transaction(async trx => {
      const entry = await lock(trx, workspaceId, params.id)
      if (Object.keys(body).some(field => field !== 'status')) mustBeOwn(principal, entry)
      if (entry.status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, entry.id)
      await queries.updateEntry(trx, workspaceId, entry.id, {
        ...status && { status }, ...content !== undefined && { content }, ...kind && { kind }, ...tags && { tags }, ...scope,
        ...expiresAt !== undefined && { expiresAt: timeOf(expiresAt) ?? null }
      })
      if (content !== undefined || tags) await indexEntry(trx, workspaceId, entry.id, indexed(content ?? entry.content, tags ?? entry.tags))
    })
    return find(principal, params.id)
  })

  app.delete('/v1/knowledge/:id', { schema: { tags, summary: 'Remove an entry', description: 'Only its author or an administrator may.', params, response: answers(200, Deleted) } }, async ({ principal, params: { id } }) => {
    await transaction(async trx => {
      mustBeOwn(principal, await lock(trx, principal.workspaceId, id))
      await queries.updateEntry(trx, principal.workspaceId, id, { deletedAt: now() })
      await trx.deleteFrom('knowledgeTerm').where('workspaceId', '=', principal.workspaceId).where('entryId', '=', id).execute()
    })
    return { id, deleted: true as const }
  })

  app.get('/v1/knowledge/:id/servings', { schema: { tags, summary: 'To whom an entry was served, newest first', params, querystring: Closed({ limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }) }), response: answers(200, Type.Array(Serving)) } }, async ({ principal, params, query }) => {
    const { id } = await find(principal, params.id)
    return queries.listServings(db, principal.workspaceId, id, query.limit)
  })

  async function find ({ workspaceId }: Principal, id: Id) {
    const entry = await queries.findEntry(db, workspaceId, id, now())
    if (!entry) throw notFound('knowledge entry', id)
    return entry
  }
  type Trx = Parameters<Parameters<typeof transaction>[0]>[0]
  async function lock (trx: Trx, workspaceId: Id, id: Id) {
    const entry = await queries.lockEntry(trx, workspaceId, id)
    if (!entry) throw notFound('knowledge entry', id)
    return entry
  }
  async function supersede (trx: Trx, workspaceId: Id, id: Id): Promise<void> {
    const { status } = await lock(trx, workspaceId, id)
    if (status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, id)
    await queries.updateEntry(trx, workspaceId, id, { status: 'SUPERSEDED' })
    await trx.deleteFrom('knowledgeTerm').where('workspaceId', '=', workspaceId).where('entryId', '=', id).execute()
  }
  async function supersededBy (trx: Trx, workspaceId: Id, id: Id) {
    const successor = await queries.successorOf(trx, workspaceId, id)
    return conflict(`The entry has been superseded${successor ? ` by ${successor.id}: change or supersede that one` : ''}.`, { ...successor && { supersededById: successor.id } })
  }

  /** The ids of what an entry is about. @throws 404 */
  async function scopeOf (workspaceId: Id, { teamId, projectId, issueId }: Pick<Static<typeof NewEntry>, 'teamId' | 'projectId' | 'issueId'>) {
    if (projectId != null && !await queries.hasProject(db, workspaceId, projectId)) throw notFound('project', projectId)
    return {
      ...teamId !== undefined && { teamId: teamId && (await workspace.findTeam(db, workspaceId, teamId)).id },
      ...projectId !== undefined && { projectId },
      ...issueId !== undefined && { issueId: issueId && (await issues.find(db, workspaceId, issueId)).id }
    }
  }

  /** How similar issues were solved, as the search plugin finds them, where it is on. */
  async function solvedLike (issueId: Id | undefined, query: string | undefined, authorization: string | undefined): Promise<Solved[]> {
    const path = issueId === undefined ? '/v1/search' : '/v1/search/similar_issues'
    if (!app.hasRoute({ method: 'GET', url: path })) return []
    const search = new URLSearchParams({ limit: String(SOLVED), stateCategory: 'COMPLETED', ...issueId === undefined ? { query: query ?? '' } : { issueId } })
    const answer = await app.inject({ url: `${path}?${search}`, headers: { authorization } })
    if (answer.statusCode !== 200) return []
    return answer.json<Array<{ key: string, title: string, resolutionSnippet: string | null }>>()
      .flatMap(({ key, title, resolutionSnippet: resolution }) => resolution ? [{ key, title, resolution }] : []).slice(0, SOLVED)
  }
}

function mustBeOwn ({ accountId, role }: Principal, { createdById }: { createdById: Id }): void {
  if (createdById !== accountId && role !== 'ADMIN') throw forbidden('Only its author or an administrator may change what an entry says: dispute it with {"status": "DISPUTED"}, or supersede it.')
}
/** What of an entry its words are. */
const indexed = (content: string, tags: readonly string[]) => `${content}\n${tags.join(' ')}`
const timeOf = (text: string | null | undefined) => text == null ? text : new Date(text)
