import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid, notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../../core/api/schemas.ts'
import type { Trx } from '../context.ts'
import { touchIssues } from '../write/changes.ts'
import type { StoredRelationType } from '../contract.ts'
import { Link } from '../context-schemas.ts'
import { issueRef } from '../fields/fields.ts'
import { NewRelation, Relation } from '../fields/relation.ts'
import { lockGraph, lockIssues } from '../queries/write/locks.ts'
import { findRelation, insertLink, removeLink, removeRelation } from '../queries/read/parts.ts'
import { beforePart } from '../write/participants.ts'
import { addRelation, isOfBlockers } from '../write/relations.ts'
import { NewLink } from '../schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'

/** A relation belongs to two issues: a precondition of the request is about the first. */
async function lockForPart({ ctx }: RouteContext, trx: Trx, principal: Principal, issueIds: readonly Id[]) {
  await lockIssues(trx, principal.workspaceId, issueIds)
  await beforePart(ctx, principal, trx, issueIds[0]!, { isChange: true })
}

const nameOf = ({ key, type, relatedKey }: { key: string; type: StoredRelationType; relatedKey: string }) =>
  `${key} ${type} ${relatedKey}`

export function relationRoutes(app: App, routes: RouteContext): void {
  const { transaction, now } = routes.ctx
  app.post(
    '/v1/issue_relations',
    {
      schema: {
        tags,
        summary: 'Relate two issues',
        description:
          '`type` is seen from `issueId`: it BLOCKS the related issue, or is BLOCKED by it. A circle of blockers is ' +
          'refused.',
        body: NewRelation,
        response: answers(201, Relation)
      }
    },
    async ({ principal, body: { issueId, relatedIssueId, type } }, reply) => {
      const [issue, related] = [await routes.find(principal, issueId), await routes.find(principal, relatedIssueId)]
      if (issue.id === related.id) {
        throw invalid(`${issue.key} cannot be related to itself.`, { field: 'relatedIssueId' })
      }
      const id = await transaction(async trx => {
        if (isOfBlockers(type)) await lockGraph(trx, principal.workspaceId)
        await lockForPart(routes, trx, principal, [issue.id, related.id])
        return addRelation(routes, trx, principal, issue, type, related)
      })
      return reply.code(201).send({ id, issueId: issue.id, relatedIssueId: related.id, type })
    }
  )

  app.delete(
    '/v1/issue_relations/:id',
    { schema: { tags, summary: 'Remove a relation', params: Closed({ id: IdText }), response: answers(200, Deleted) } },
    async ({ principal, params: { id } }) => {
      const { workspaceId } = principal
      await transaction(async trx => {
        const relation = await findRelation(trx, workspaceId, id)
        if (!relation) throw notFound('relation', id)
        const issueIds = [relation.issueId, relation.relatedIssueId]
        await lockForPart(routes, trx, principal, issueIds)
        if (!(await removeRelation(trx, workspaceId, id, now()))) throw notFound('relation', id)
        await touchIssues(routes, trx, principal, issueIds, { change: 'relation', from: nameOf(relation), to: null })
      })
      return { id, deleted: true as const }
    }
  )
}

export function linkRoutes(app: App, routes: RouteContext): void {
  const { transaction, now } = routes.ctx
  app.post(
    '/v1/issues/:issueId/links',
    { schema: { tags, summary: 'Link something outside', params: one, body: NewLink, response: answers(201, Link) } },
    async ({ principal, params, body }, reply) => {
      const issue = await routes.find(principal, params.issueId)
      const link = await transaction(async trx => {
        await lockForPart(routes, trx, principal, [issue.id])
        const link = await insertLink(trx, principal.workspaceId, issue.id, body, now())
        await touchIssues(routes, trx, principal, [issue.id], { change: 'link', from: null, to: body.title })
        return link
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
    async ({ principal, params: { issueId, id } }) => {
      const issue = await routes.find(principal, issueId)
      await transaction(async trx => {
        await lockForPart(routes, trx, principal, [issue.id])
        const link = await removeLink(trx, principal.workspaceId, issue.id, id, now())
        if (!link) throw notFound('link', id)
        await touchIssues(routes, trx, principal, [issue.id], { change: 'link', from: link.title, to: null })
      })
      return { id, deleted: true as const }
    }
  )
}
