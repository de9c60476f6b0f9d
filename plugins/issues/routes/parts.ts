import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { invalid, notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../../core/api/schemas.ts'
import { touchIssues, type Trx } from '../write/changes.ts'
import type { StoredRelationType } from '../contract.ts'
import { Link } from '../context-schemas.ts'
import { issueRef } from '../fields/fields.ts'
import { NewRelation, Relation } from '../fields/relation.ts'
import { refuseBlockingCircle } from '../queries/read/circles.ts'
import { lockGraph, lockIssues } from '../queries/write/locks.ts'
import { findRelation, insertLink, insertRelation, removeLink, removeRelation } from '../queries/read/parts.ts'
import type { Change } from '../queries/write/write.ts'
import { beforePart } from '../write/participants.ts'
import { storedRelation } from '../write/relations.ts'
import { NewLink } from '../schemas.ts'
import { one, tags, type RouteContext } from './answers.ts'

/*
 * Parts of issues beside their fields: relations and links. They are added and removed in one way: the issues are
 * locked, the part is written, and it is recorded in the history of each issue.
 */

interface WrittenPart<T> {
  part: T
  /** For the history; undefined: there was nothing to do. */
  change: Change | undefined
}

async function writePart<T>(
  routes: RouteContext,
  trx: Trx,
  principal: Principal,
  issueIds: readonly Id[],
  write: () => Promise<WrittenPart<T>>
): Promise<T> {
  await lockIssues(trx, principal.workspaceId, issueIds)
  // A relation has two issues: a precondition is one of the issue that the request names first.
  await beforePart(routes.ctx, principal, trx, issueIds[0]!, { isChange: true })
  const { part, change } = await write()
  if (change) await touchIssues(routes, trx, principal, issueIds, change)
  return part
}

const added = (change: string, to: string): Change => ({ change, from: null, to })
const removed = (change: string, from: string): Change => ({ change, from, to: null })

/** A relation as the history names it. */
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
      const { workspaceId, accountId } = principal
      const [issue, related] = [await routes.find(principal, issueId), await routes.find(principal, relatedIssueId)]
      if (issue.id === related.id) {
        throw invalid(`${issue.key} cannot be related to itself.`, { field: 'relatedIssueId' })
      }
      const relation = storedRelation(issue.id, type, related.id)
      const isBlocking = relation.type === 'BLOCKS'
      const id = await transaction(async trx => {
        if (isBlocking) await lockGraph(trx, workspaceId)
        return writePart(routes, trx, principal, [issue.id, related.id], async () => {
          if (isBlocking) await refuseBlockingCircle(trx, workspaceId, relation.issueId, [relation.relatedIssueId])
          const { id, isNew } = await insertRelation(trx, workspaceId, relation, accountId, now())
          return { part: id, change: isNew ? added('relation', `${issue.key} ${type} ${related.key}`) : undefined }
        })
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
        await writePart(routes, trx, principal, [relation.issueId, relation.relatedIssueId], async () => {
          if (!(await removeRelation(trx, workspaceId, id, now()))) throw notFound('relation', id)
          return { part: id, change: removed('relation', nameOf(relation)) }
        })
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
      const link = await transaction(trx =>
        writePart(routes, trx, principal, [issue.id], async () => ({
          part: await insertLink(trx, principal.workspaceId, issue.id, body, now()),
          change: added('link', body.title)
        }))
      )
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
      await transaction(trx =>
        writePart(routes, trx, principal, [issue.id], async () => {
          const link = await removeLink(trx, principal.workspaceId, issue.id, id, now())
          if (!link) throw notFound('link', id)
          return { part: link, change: removed('link', link.title) }
        })
      )
      return { id, deleted: true as const }
    }
  )
}
