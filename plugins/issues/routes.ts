import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { wantOwnWorkspace } from '../../core/auth.ts'
import { confinementRules } from '../../core/confinement.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { arrayPieces, PreferHeader, sendJson, streamJson, wantsRepresentation } from '../../core/http-answers.ts'
import type { App } from '../../core/plugin.ts'
import { conversions, type RichText } from '../../core/text/conversions.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import { readScope } from '../../core/scopes.ts'
import { changeBlockers, lockBlockers } from './blockers.ts'
import { issueRules } from './confinement.ts'
import { contextSections, issueReferences, readyRules, rowSections, type IssueRef } from './contract.ts'
import { createIssues, storedRelation } from './create.ts'
import type { Ctx, Trx } from './context.ts'
import { refuseBlockingCircle } from './queries/circles.ts'
import { filterConditions, requireNamed } from './queries/filter.ts'
import { listPage, streamIssues, type Order } from './queries/list.ts'
import { lockGraph, lockIssues } from './queries/locks.ts'
import { findRelation, insertLink, insertRelation, removeLink, removeRelation } from './queries/parts.ts'
import { findIssue, makeReads } from './queries/read.ts'
import {
  Context,
  Criteria,
  issueRef,
  issueSchemas,
  Link,
  Move,
  NewLink,
  NewRelation,
  PickUp,
  Relation,
  View,
  type Draft,
  type Patch
} from './schemas.ts'
import { makeUpdates, type Ticks } from './update.ts'

const tags = ['issues']
const one = Closed({ issueId: issueRef })
const headers = Type.Object(PreferHeader)

export function issueRoutes(app: App, ctx: Ctx): void {
  const { db, shortReads, now, transaction } = ctx
  confinementRules(app, issueRules(shortReads))
  const references = ctx.contributions(issueReferences).map(({ item }) => item)
  const rules = ctx.contributions(readyRules).map(({ item }) => item)
  const added = ctx.contributions(rowSections).map(({ item }) => item)
  const schemas = issueSchemas(references, added)
  const reads = makeReads(
    references,
    ctx.contributions(contextSections).map(({ item }) => item),
    added
  )
  const updates = makeUpdates(ctx, references)

  app.get(
    '/v1/issues/:issueId/context',
    {
      schema: {
        tags,
        summary: 'Everything about an issue, in one answer',
        description:
          'It has the newest 500 comments, 4 MiB of them at most, and of each other list 500 items and 256 KiB; `omitted` ' +
          'says how many are missing. GET /v1/issue_comments has all comments.',
        params: one,
        response: answers(200, Context)
      }
    },
    async ({ principal, params }, reply) =>
      sendJson(reply, await reads.context(shortReads, principal.workspaceId, params.issueId))
  )

  app.get(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'An issue',
        description:
          'Its revision is also the ETag; send it back as If-Match with a change that must not overwrite another.',
        params: one,
        querystring: View,
        response: answers(200, Type.Union([schemas.Issue, schemas.IssueRow]))
      }
    },
    async ({ principal, params, query }, reply) => {
      const read = query.view === 'list' ? reads.list : reads.full
      const { json, rev } = await read(shortReads, principal.workspaceId, params.issueId)
      return sendJson(reply.header('etag', `"${rev}"`), json)
    }
  )

  app.post(
    '/v1/issues',
    {
      schema: {
        tags,
        summary: 'File an issue',
        description: 'With its sub-issues, links, relation and blockers, all or none.',
        headers,
        body: schemas.NewIssue,
        response: answers(201, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      const raw = wantsRepresentation(request, reply)
      const [issue] = await createIssues(ctx, references, principal, [body as Draft], raw, () => '')
      return sendJson(reply.code(201), issue!)
    }
  )

  app.post(
    '/v1/issues/bulk',
    {
      schema: {
        tags,
        summary: 'File up to 100 issues, all or none',
        headers,
        body: schemas.NewIssues,
        response: answers(201, Closed({ issues: Type.Array(schemas.Written) }))
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      const { issues } = body as { issues: Draft[] }
      const raw = wantsRepresentation(request, reply)
      const made = await createIssues(ctx, references, principal, issues, raw)
      return sendJson(reply.code(201), `{"issues":[${made.join(',')}]}`)
    }
  )

  app.post(
    '/v1/issues/filter',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'The board: filtered, ordered, in pages',
        description:
          'With any of `page`, `perPage`, `orderBy`, `view`, `cursor`: a page. With none of them: an array of all matching issues, streamed.',
        body: schemas.Filter,
        response: answers(200, schemas.Filtered)
      }
    },
    async (request, reply) => {
      const { principal, body } = request
      const { workspaceId } = principal
      const {
        filters = {},
        page,
        perPage,
        orderBy,
        view,
        cursor,
        workspaceId: asked
      } = body as {
        filters?: Record<string, unknown>
        page?: number
        perPage?: number
        orderBy?: Order
        view?: 'list' | 'full'
        cursor?: string
        workspaceId?: string
      }
      wantOwnWorkspace(principal, asked)
      const { conditions, tallied, indexed } = filterConditions(filters, {
        principal,
        references,
        readyRules: rules
      })
      await requireNamed(shortReads, workspaceId, filters)
      if (page ?? perPage ?? orderBy ?? view ?? cursor) {
        return streamJson(
          request,
          reply,
          listPage(ctx, workspaceId, references, now(), {
            conditions,
            tallied,
            indexed,
            page: page ?? 1,
            perPage: perPage ?? 50,
            orderBy: orderBy ?? 'updatedAt',
            filters,
            view: view ?? 'list',
            rowSections: added,
            cursor
          })
        )
      }
      return streamJson(request, reply, arrayPieces(streamIssues(db, workspaceId, references, conditions)))
    }
  )

  app.post(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'Change an issue',
        description:
          'Fields that are not sent stay; null clears. `labelIds` replaces the labels, `addLabelIds` and `removeLabelIds` change them, `addBlockedByIds` and `removeBlockedByIds` its blockers; `criteria` ticks checklist items, of the new description if there is one; all or nothing. With `If-Match: "rev"` it is refused (412) when the issue has changed since.',
        params: one,
        querystring: Closed({ teamId: Type.Optional(Type.String({ description: 'The team that it must be in.' })) }),
        headers: Type.Object({ 'if-match': Type.Optional(Type.String()), ...PreferHeader }),
        body: schemas.Changes,
        response: answers(200, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, query, body, headers } = request
      const issue = await find(principal.workspaceId, params.issueId)
      if (
        query.teamId !== undefined &&
        query.teamId.toLowerCase() !== issue.teamId &&
        query.teamId.toUpperCase() !== issue.key.split('-')[0]
      ) {
        throw notFound(`issue of the team '${query.teamId}' called`, params.issueId)
      }
      const ifRev = revisionOf(headers['if-match'])
      const { criteria, description, descriptionMarkdown, ...patch } = body as Patch
      const [text] = await conversions.read([{ raw: description, markdown: descriptionMarkdown, field: 'description' }])
      const applyPatch = async (trx: Trx, content: { text?: RichText | undefined }) => {
        const blockers = await lockBlockers(trx, principal.workspaceId, issue.id, patch, references)
        await updates.patch(trx, principal, issue.id, patch, { ...content, ifRev })
        await changeBlockers(trx, principal, issue, blockers, updates, now())
      }
      if (criteria && text === undefined) {
        await updates.criteria(principal, issue.id, criteria, trx => applyPatch(trx, {}))
      } else {
        const ticked = criteria ? await tickNew(text, criteria) : text
        await transaction(trx => applyPatch(trx, { text: ticked }))
      }
      return answerIssue(request, reply, issue.id)
    }
  )

  app.delete(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'Remove an issue',
        description: 'Its sub-issues become issues of their own.',
        params: one,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      const { id } = await find(principal.workspaceId, params.issueId)
      await transaction(trx => updates.remove(trx, principal, id))
      return { id, deleted: true as const }
    }
  )

  app.post(
    '/v1/issues/:issueId/move',
    {
      schema: {
        tags,
        summary: 'Move an issue to another team',
        description: 'It gets a number there; its old key still finds it.',
        params: one,
        headers,
        body: Move,
        response: answers(200, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await find(principal.workspaceId, params.issueId)
      await updates.move(principal, id, body.teamId)
      return answerIssue(request, reply, id)
    }
  )

  app.post(
    '/v1/issues/:issueId/pick_up',
    {
      schema: {
        tags,
        summary: 'Take an issue: assign it to yourself and begin',
        description: 'Of any number of callers at once exactly one gets it; the others learn who has it.',
        params: one,
        headers,
        body: PickUp,
        response: answers(200, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await find(principal.workspaceId, params.issueId)
      await transaction(trx => updates.pickUp(trx, principal, id, body.takeover ?? false))
      return answerIssue(request, reply, id)
    }
  )

  app.post(
    '/v1/issues/:issueId/criteria',
    {
      schema: {
        tags,
        summary: 'Tick criteria',
        description: 'Checklist items of the description, by number (from 1) or text; nothing else in it changes.',
        params: one,
        headers,
        body: Criteria,
        response: answers(200, schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = await find(principal.workspaceId, params.issueId)
      await updates.criteria(principal, id, body)
      return answerIssue(request, reply, id)
    }
  )

  app.post(
    '/v1/issue_relations',
    {
      schema: {
        tags,
        summary: 'Relate two issues',
        description:
          '`type` is seen from `issueId`: it BLOCKS the related issue, or is BLOCKED by it. A circle of blockers is refused.',
        body: NewRelation,
        response: answers(201, Relation)
      }
    },
    async ({ principal, body }, reply) => {
      const { workspaceId, accountId } = principal
      const [issue, related] = [await find(workspaceId, body.issueId), await find(workspaceId, body.relatedIssueId)]
      if (issue.id === related.id) {
        throw invalid(`${issue.key} cannot be related to itself.`, { field: 'relatedIssueId' })
      }
      const stored = storedRelation(issue.id, body.type, related.id)
      const { id } = await transaction(async trx => {
        if (stored.type === 'BLOCKS') await lockGraph(trx, workspaceId)
        await lockIssues(trx, workspaceId, [issue.id, related.id])
        if (stored.type === 'BLOCKS') {
          await refuseBlockingCircle(trx, workspaceId, stored.issueId, stored.relatedIssueId)
        }
        const made = await insertRelation(trx, workspaceId, stored, accountId, now())
        if (made.isNew) {
          await updates.touch(trx, principal, [issue.id, related.id], {
            change: 'relation',
            from: null,
            to: `${issue.key} ${body.type} ${related.key}`
          })
        }
        return made
      })
      return reply.code(201).send({ id, issueId: issue.id, relatedIssueId: related.id, type: body.type })
    }
  )

  app.delete(
    '/v1/issue_relations/:id',
    { schema: { tags, summary: 'Remove a relation', params: Closed({ id: IdText }), response: answers(200, Deleted) } },
    async ({ principal, params }) => {
      const { workspaceId } = principal
      await transaction(async trx => {
        const relation = await findRelation(trx, workspaceId, params.id)
        if (!relation) throw notFound('relation', params.id)
        const ends = [relation.issueId, relation.relatedIssueId]
        await lockIssues(trx, workspaceId, ends)
        if (!(await removeRelation(trx, workspaceId, params.id, now()))) throw notFound('relation', params.id)
        await updates.touch(trx, principal, ends, { change: 'relation', from: relation.type, to: null })
      })
      return { id: params.id, deleted: true as const }
    }
  )

  app.post(
    '/v1/issues/:issueId/links',
    { schema: { tags, summary: 'Link something outside', params: one, body: NewLink, response: answers(201, Link) } },
    async ({ principal, params, body }, reply) => {
      const { id } = await find(principal.workspaceId, params.issueId)
      const link = await transaction(async trx => {
        await lockIssues(trx, principal.workspaceId, [id])
        await updates.touch(trx, principal, [id], { change: 'link', from: null, to: body.title })
        return insertLink(trx, principal.workspaceId, id, body, now())
      })
      return reply.code(201).send(link)
    }
  )

  app.delete(
    '/v1/issues/:issueId/links/:id',
    {
      schema: {
        tags,
        summary: 'Remove a link',
        params: Closed({ issueId: issueRef, id: IdText }),
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      const issue = await find(principal.workspaceId, params.issueId)
      await transaction(async trx => {
        await lockIssues(trx, principal.workspaceId, [issue.id])
        const removed = await removeLink(trx, principal.workspaceId, issue.id, params.id, now())
        if (!removed) throw notFound('link', params.id)
        await updates.touch(trx, principal, [issue.id], { change: 'link', from: removed.title, to: null })
      })
      return { id: params.id, deleted: true as const }
    }
  )

  const find = (workspaceId: string, ref: string): Promise<IssueRef> => findIssue(shortReads, workspaceId, ref)

  /** The answer to a write: the issue, with its stored description if that is asked for. */
  async function answerIssue(request: FastifyRequest, reply: FastifyReply, id: string) {
    const read = wantsRepresentation(request, reply) ? reads.full : reads.withoutRaw
    const { json, rev } = await read(shortReads, request.principal.workspaceId, id)
    return sendJson(reply.header('etag', `"${rev}"`), json)
  }
}

/** Ticks a description that is not stored yet. */
async function tickNew(text: RichText | undefined, { met = [], unmet = [] }: Ticks): Promise<RichText> {
  if (text?.json == null) throw invalid('The new description has no checklist.', { field: 'criteria' })
  return conversions.tick(text.json, met, unmet)
}

/** The revision of an `If-Match` header; `*` and no header ask for none. */
function revisionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const [, rev] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header) ?? []
  if (rev === undefined) throw invalid('The header If-Match must be a revision, such as "3".')
  return Number(rev)
}
