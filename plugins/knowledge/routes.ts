import { Type, type Static } from 'typebox'
import type { Caller, Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { confinementRules } from '../../core/api/confinement.ts'
import { assertUnchanged, conflict, notFound } from '../../core/api/errors.ts'
import { newId } from '../../core/api/database/queries.ts'
import { updatedEvents } from '../../core/api/events.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed } from '../../core/api/schemas.ts'
import { knowledgeRules } from './confinement.ts'
import { contextRoutes } from './serving/context-routes.ts'
import { compareWithKnown, indexEntry, POOL } from './likeness/entry-index.ts'
import type { Ctx, Trx } from './context.ts'
import { knowledgeCreated, knowledgeUpdated } from './contract.ts'
import { find, lock, mustBeOwn } from './entries.ts'
import * as queries from './queries/entries.ts'
import { listServings, listServingsOfIssue } from './queries/servings.ts'
import {
  Entry,
  EntryChanges,
  issueParams,
  NewEntry,
  params,
  record,
  rich,
  Serving,
  ServingOfIssue,
  ServingsQuery,
  StoredEntry,
  tags
} from './schemas.ts'
import { withBodies } from './rich.ts'
import { servedBy, servings as servingsOf } from './serving/servings.ts'
import { markRoutes } from './outcomes/marks.ts'
import { trashRoutes } from './trash.ts'

const SHOWN_FIELDS = ['status', 'kind', 'tags', 'teamId', 'projectId', 'issueId', 'expiresAt'] as const

export function knowledgeRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, knowledgeRules(ctx))
  contextRoutes(app, ctx)
  entryRoutes(app, ctx)
  markRoutes(app, ctx)
  trashRoutes(app, ctx)
  servingRoutes(app, ctx)
}

function entryRoutes(app: App, ctx: Ctx): void {
  const servings = ctx.get(servingsOf)

  app.post(
    '/v1/knowledge',
    {
      schema: {
        tags,
        summary: 'Remember one fact',
        description:
          'Where the same fact is known already, whatever its tags, case and punctuation: 409 with that `entry`. ' +
          'Send `supersedesId` to replace it, or `force` to keep both. What differs in a number, a name or a ' +
          'negation is another fact; entries that say something like it are listed as `similar`.',
        body: NewEntry,
        response: answers(201, StoredEntry)
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await addEntry(ctx, principal, body))
  )

  app.get(
    '/v1/knowledge/:id',
    {
      schema: {
        tags,
        summary: 'An entry',
        params,
        querystring: Closed({ record, rich }),
        response: answers(200, Entry)
      }
    },
    async request => {
      const served = servedBy(request, request.query.record)
      const entry = await find(ctx, request.principal, request.params.id)
      await servings.record(request.principal, served, [entry.id])
      return (await withBodies([entry], request.query.rich))[0]!
    }
  )

  app.post(
    '/v1/knowledge/:id',
    {
      schema: {
        tags,
        summary: 'Change or dispute an entry',
        description:
          'Only its author or an administrator changes its content; anyone who may write disputes it with ' +
          '`status: "DISPUTED"`, or settles that with `"ACTIVE"`. A superseded entry stays as it is.',
        params,
        body: EntryChanges,
        response: answers(200, Entry)
      }
    },
    async ({ principal, params, body }) => changeEntry(ctx, principal, params.id, body)
  )
}

function servingRoutes(app: App, ctx: Ctx): void {
  const { db } = ctx

  app.get(
    '/v1/knowledge/:id/servings',
    {
      schema: {
        tags,
        summary: 'To whom an entry was served, newest first',
        params,
        querystring: ServingsQuery,
        response: answers(200, Type.Array(Serving))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await find(ctx, principal, params.id)
      return listServings(db, principal.workspaceId, id, query.limit)
    }
  )

  app.get(
    '/v1/issues/:issueId/servings',
    {
      schema: {
        tags,
        summary: 'Which entries were served for an issue, and to whom, newest first',
        params: issueParams,
        querystring: ServingsQuery,
        response: answers(200, Type.Array(ServingOfIssue))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await ctx.use.issues.find(principal, ctx.db, params.issueId)
      return listServingsOfIssue(db, principal.workspaceId, id, query.limit)
    }
  )
}

/** @throws 404; 409 with the entry that states the same */
async function addEntry(ctx: Ctx, principal: Principal, body: Static<typeof NewEntry>) {
  const { emit, now, transaction } = ctx
  const { textIndex } = ctx.use.search
  const { workspaceId, accountId } = principal
  const { content, kind = 'FACT', tags = [], supersedesId, force = false } = body
  const scope = await scopeOf(ctx, principal, body)
  const id = newId()
  const similar = await transaction(async trx => {
    await textIndex.lock(principal, trx, POOL)
    if (supersedesId !== undefined) await supersede(ctx, trx, principal, supersedesId)
    const isCompared = supersedesId === undefined && !force
    const similar = isCompared ? await similarTo(ctx, trx, principal, content) : []
    await indexEntry(textIndex, principal, trx, id, { content, tags })
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
    await ctx.use.texts.written(principal, trx, [{ subjectType: 'knowledge', subjectId: id, markdown: content }])
    const data = { kind, supersedesId: supersedesId ?? null }
    await emit(trx, knowledgeCreated, principal, [{ subjectId: id, data }])
    return similar
  })
  const entry = await find(ctx, principal, id)
  return { ...entry, ...(similar.length > 0 && { similar }) }
}

/** @throws 403, 404; 409 when it is superseded */
async function changeEntry(ctx: Ctx, principal: Principal, id: Id, body: Static<typeof EntryChanges>) {
  const { emit, transaction } = ctx
  const { textIndex } = ctx.use.search
  const { workspaceId } = principal
  const { previous, ...changes } = body
  const { status, expiresAt, content, kind, tags } = changes
  const scope = await scopeOf(ctx, principal, body)
  await transaction(async trx => {
    if (content !== undefined || tags) await textIndex.lock(principal, trx, POOL)
    const entry = await lock(trx, workspaceId, id)
    if (Object.keys(changes).some(field => field !== 'status')) mustBeOwn(principal, entry)
    if (entry.status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, entry.id)
    assertUnchanged(previous, { ...entry, expiresAt: entry.expiresAt?.toISOString() ?? null })
    const after = await queries.updateEntry(trx, workspaceId, entry.id, {
      ...(status && { status, doubt: null }),
      ...(content !== undefined && { content }),
      ...(kind && { kind }),
      ...(tags && { tags }),
      ...scope,
      ...(expiresAt !== undefined && { expiresAt: timeOf(expiresAt) ?? null })
    })
    if (content !== undefined) {
      await ctx.use.texts.written(principal, trx, [
        { subjectType: 'knowledge', subjectId: entry.id, markdown: content }
      ])
    }
    await emit(trx, knowledgeUpdated, principal, updatedEvents(entry, after, SHOWN_FIELDS, ['content']))
    if (content !== undefined || tags) {
      await indexEntry(textIndex, principal, trx, entry.id, {
        content: content ?? entry.content,
        tags: tags ?? entry.tags
      })
    }
  })
  return find(ctx, principal, id)
}

async function similarTo({ now, use }: Ctx, trx: Trx, caller: Caller, content: string) {
  const { duplicate, similar } = await compareWithKnown(use.search.textIndex, caller, trx, content, now())
  if (duplicate) {
    throw conflict(
      `Nearly the same is known already: “${duplicate.content}” (${duplicate.id}). If it holds no longer, ` +
        'supersede it: send its id; if both are true, send force: true.',
      { id: duplicate.id, entry: duplicate }
    )
  }
  return similar.map(({ id, kind, content }) => ({ id, kind, content }))
}
async function supersede({ emit }: Ctx, trx: Trx, caller: Caller, id: Id): Promise<void> {
  const { workspaceId } = caller
  const before = await lock(trx, workspaceId, id)
  if (before.status === 'SUPERSEDED') throw await supersededBy(trx, workspaceId, id)
  const after = await queries.updateEntry(trx, workspaceId, id, { status: 'SUPERSEDED' })
  await emit(trx, knowledgeUpdated, caller, updatedEvents(before, after, SHOWN_FIELDS))
}
async function supersededBy(trx: Trx, workspaceId: Id, id: Id) {
  const successor = await queries.successorOf(trx, workspaceId, id)
  return conflict(
    `The entry has been superseded${successor ? ` by ${successor.id}: change or supersede that one` : ''}.`,
    { ...(successor && { supersededById: successor.id }) }
  )
}

/** @throws 404 */
async function scopeOf(
  { db, use: { workspace, issues } }: Ctx,
  caller: Caller,
  { teamId, projectId, issueId }: Pick<Static<typeof NewEntry>, 'teamId' | 'projectId' | 'issueId'>
) {
  if (projectId != null && !(await queries.hasProject(db, caller.workspaceId, projectId))) {
    throw notFound('project', projectId)
  }
  return {
    ...(teamId !== undefined && { teamId: teamId && (await workspace.findTeam(caller, db, teamId)).id }),
    ...(projectId !== undefined && { projectId }),
    ...(issueId !== undefined && { issueId: issueId && (await issues.find(caller, db, issueId)).id })
  }
}

const timeOf = (text: string | null | undefined) => (text == null ? text : new Date(text))
