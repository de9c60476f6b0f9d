import { Gauge } from 'prom-client'
import { Type, type Static } from 'typebox'
import type { Principal } from '../../core/auth.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { App } from '../../core/plugin.ts'
import { healthChecks, metrics } from '../../core/points.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import { askSelf } from '../../core/self-request.ts'
import type { Solved } from './context.ts'
import { forgetEntry, indexEntry, nearDuplicate, poolOf } from './entry-index.ts'
import type { Ctx } from './index.ts'
import * as queries from './queries.ts'
import { Context, ContextQuery, Entry, EntryChanges, EntrySearch, Hit, NewEntry, Serving } from './schemas.ts'
import { makeServings } from './servings.ts'

const tags = ['knowledge']
const params = Closed({ id: IdText })
/** Similar solved issues that a context looks at. */
const SOLVED = 5
/** Entries that a query may find; where most may be filtered out, more. */
const FOUND = 200
const FOUND_FILTERED = 5_000

export function knowledgeRoutes(app: App, ctx: Ctx): void {
  const {
    db,
    now,
    transaction,
    use: {
      workspace,
      issues,
      search: { textIndex }
    }
  } = ctx
  const servings = makeServings(db, ctx.log, now)
  ctx.onClose(() => servings.close())
  ctx.contribute(healthChecks, {
    name: 'knowledge',
    async check() {
      const { waiting } = servings.count()
      return { ready: true, state: waiting === 0 ? 'up' : 'behind', servingsWaiting: waiting }
    }
  })
  ctx.contribute(metrics, registry => {
    registry.registerMetric(
      new Gauge({
        name: 'tracker_knowledge_servings',
        help: 'Servings of this process, recorded or waiting to be',
        labelNames: ['state'],
        registers: [],
        collect() {
          const { waiting, recorded } = servings.count()
          this.set({ state: 'waiting' }, waiting)
          this.set({ state: 'recorded' }, recorded)
        }
      })
    )
  })

  app.post(
    '/v1/knowledge',
    {
      schema: {
        tags,
        summary: 'Remember one fact',
        description:
          'Where something very much like it is there: 409 with that `entry`. Send `supersedesId` to replace it, or `force` to keep both.',
        body: NewEntry,
        response: answers(201, Entry)
      }
    },
    async ({ principal, body }, reply) => {
      const { workspaceId, accountId } = principal
      const { content, kind = 'FACT', tags = [], supersedesId, force = false } = body
      const scope = await scopeOf(workspaceId, body)
      const id = newId()
      await transaction(async trx => {
        // Of two that say the same at once, the second finds the first.
        await textIndex.lock(trx, poolOf(workspaceId))
        if (supersedesId !== undefined) await supersede(trx, workspaceId, supersedesId)
        await indexEntry(textIndex, trx, workspaceId, id, { content, tags })
        if (supersedesId === undefined && !force) {
          const near = await nearDuplicate(textIndex, trx, workspaceId, id, { content, tags }, now())
          const entry = near && (await queries.findEntry(trx, workspaceId, near, now()))
          if (entry) {
            throw conflict(
              `Nearly the same is known already: “${entry.content}” (${entry.id}). To replace that entry send its id as supersedesId; if both are true send force: true.`,
              { id: entry.id, entry }
            )
          }
        }
        await queries.insertEntry(trx, {
          workspaceId,
          id,
          content,
          kind,
          tags,
          teamId: null,
          projectId: null,
          issueId: null,
          ...scope,
          createdById: accountId,
          createdAt: now(),
          supersedesId: supersedesId ?? null,
          expiresAt: timeOf(body.expiresAt) ?? null
        })
      })
      return reply.code(201).send(await find(principal, id))
    }
  )

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
      const {
        principal: { workspaceId },
        query: { query, limit, tags, teamId, projectId }
      } = request
      const team = teamId === undefined ? undefined : await workspace.findTeam(db, workspaceId, teamId)
      const wanted =
        tags
          ?.split(',')
          .map(tag => tag.trim())
          .filter(Boolean) ?? []
      const isFiltered = wanted.length > 0 || team !== undefined || projectId !== undefined
      const found = query?.trim()
        ? await textIndex.search(db, poolOf(workspaceId), { title: query }, isFiltered ? FOUND_FILTERED : FOUND)
        : undefined
      const entries = await queries.searchEntries(db, workspaceId, {
        found,
        limit,
        tags: wanted,
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
        description: 'Best first, the whole answer within `budget` tokens; each entry in it counts as served.',
        querystring: ContextQuery,
        response: answers(200, Context)
      }
    },
    async request => {
      const {
        principal: { workspaceId },
        query: { issueId, query, budget },
        headers: { authorization }
      } = request
      if (issueId === undefined && !query?.trim()) {
        throw invalid('Send query.issueId, query.query, or both: what is the task?', { field: 'issueId' })
      }
      const issue = issueId === undefined ? undefined : await issues.find(db, workspaceId, issueId)
      const [candidates, solved] = await Promise.all([
        known(workspaceId, issue?.id, query),
        solvedLike(issue?.id, query, authorization)
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

  app.get(
    '/v1/knowledge/:id',
    { schema: { tags, summary: 'An entry', params, response: answers(200, Entry) } },
    async request => {
      const entry = await find(request.principal, request.params.id)
      await servings.record(request, [entry.id])
      return entry
    }
  )

  app.post(
    '/v1/knowledge/:id',
    {
      schema: {
        tags,
        summary: 'Change or dispute an entry',
        description:
          'Only its author or an administrator changes what it says; anyone who may write disputes it with `status: "DISPUTED"`, or settles that with `"ACTIVE"`. A superseded entry stays as it is.',
        params,
        body: EntryChanges,
        response: answers(200, Entry)
      }
    },
    async ({ principal, params, body }) => {
      const { workspaceId } = principal
      const { status, expiresAt, content, kind, tags } = body
      const scope = await scopeOf(workspaceId, body)
      await transaction(async trx => {
        if (content !== undefined || tags) await textIndex.lock(trx, poolOf(workspaceId))
        const entry = await lock(trx, workspaceId, params.id)
        if (Object.keys(body).some(field => field !== 'status')) mustBeOwn(principal, entry)
        if (entry.status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, entry.id)
        await queries.updateEntry(trx, workspaceId, entry.id, {
          ...(status && { status }),
          ...(content !== undefined && { content }),
          ...(kind && { kind }),
          ...(tags && { tags }),
          ...scope,
          ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt) ?? null })
        })
        if (content !== undefined || tags) {
          await indexEntry(textIndex, trx, workspaceId, entry.id, {
            content: content ?? entry.content,
            tags: tags ?? entry.tags
          })
        }
      })
      return find(principal, params.id)
    }
  )

  app.delete(
    '/v1/knowledge/:id',
    {
      schema: {
        tags,
        summary: 'Remove an entry',
        description: 'Only its author or an administrator may.',
        params,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params: { id } }) => {
      await transaction(async trx => {
        await forgetEntry(textIndex, trx, principal.workspaceId, id)
        mustBeOwn(principal, await lock(trx, principal.workspaceId, id))
        await queries.updateEntry(trx, principal.workspaceId, id, { deletedAt: now() })
      })
      return { id, deleted: true as const }
    }
  )

  app.get(
    '/v1/knowledge/:id/servings',
    {
      schema: {
        tags,
        summary: 'To whom an entry was served, newest first',
        params,
        querystring: Closed({ limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }) }),
        response: answers(200, Type.Array(Serving))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await find(principal, params.id)
      return queries.listServings(db, principal.workspaceId, id, query.limit)
    }
  )

  async function find({ workspaceId }: Principal, id: Id) {
    const entry = await queries.findEntry(db, workspaceId, id, now())
    if (!entry) throw notFound('knowledge entry', id)
    return entry
  }
  type Trx = Parameters<Parameters<typeof transaction>[0]>[0]
  async function lock(trx: Trx, workspaceId: Id, id: Id) {
    const entry = await queries.lockEntry(trx, workspaceId, id)
    if (!entry) throw notFound('knowledge entry', id)
    return entry
  }
  async function supersede(trx: Trx, workspaceId: Id, id: Id): Promise<void> {
    const { status } = await lock(trx, workspaceId, id)
    if (status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, id)
    await queries.updateEntry(trx, workspaceId, id, { status: 'SUPERSEDED' })
    await forgetEntry(textIndex, trx, workspaceId, id)
  }
  async function supersededBy(trx: Trx, workspaceId: Id, id: Id) {
    const successor = await queries.successorOf(trx, workspaceId, id)
    return conflict(
      `The entry has been superseded${successor ? ` by ${successor.id}: change or supersede that one` : ''}.`,
      { ...(successor && { supersededById: successor.id }) }
    )
  }

  /** The ids of what an entry is about. @throws 404 */
  async function scopeOf(
    workspaceId: Id,
    { teamId, projectId, issueId }: Pick<Static<typeof NewEntry>, 'teamId' | 'projectId' | 'issueId'>
  ) {
    if (projectId != null && !(await queries.hasProject(db, workspaceId, projectId))) {
      throw notFound('project', projectId)
    }
    return {
      ...(teamId !== undefined && { teamId: teamId && (await workspace.findTeam(db, workspaceId, teamId)).id }),
      ...(projectId !== undefined && { projectId }),
      ...(issueId !== undefined && { issueId: issueId && (await issues.find(db, workspaceId, issueId)).id })
    }
  }

  /** What may be worth knowing for an issue, a question or both, best first. */
  async function known(workspaceId: Id, issueId: Id | undefined, query: string | undefined) {
    const task = issueId === undefined ? undefined : await queries.issueText(db, workspaceId, issueId)
    const found = await textIndex.search(
      db,
      poolOf(workspaceId),
      { title: [query, task?.title].filter(Boolean).join('\n'), description: task?.description ?? '' },
      FOUND
    )
    return queries.contextCandidates(db, workspaceId, { issueId: issueId ?? null, found, now: now() })
  }

  /** How similar issues were solved, as the search plugin's routes find them. */
  async function solvedLike(
    issueId: Id | undefined,
    query: string | undefined,
    authorization: string | undefined
  ): Promise<Solved[]> {
    const path = issueId === undefined ? '/v1/search' : '/v1/search/similar_issues'
    const search = new URLSearchParams({
      limit: String(SOLVED),
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
      .slice(0, SOLVED)
  }
}

function mustBeOwn({ accountId, role }: Principal, { createdById }: { createdById: Id }): void {
  if (createdById !== accountId && role !== 'ADMIN') {
    throw forbidden(
      'Only its author or an administrator may change what an entry says: dispute it with {"status": "DISPUTED"}, or supersede it.'
    )
  }
}
const timeOf = (text: string | null | undefined) => (text == null ? text : new Date(text))
