import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { PreferHeader, sendJson, wantsRepresentation } from '../../../core/api/http.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { unmetCriteria } from '../criteria/unmet.ts'
import { isClosed } from '../../workspace/contract.ts'
import type { Ctx } from '../context.ts'
import type { IssueRef, OtherHolder, SimilarIssue } from '../contract.ts'
import { issueRef } from '../fields/fields.ts'
import type { PageRows } from '../queries/read/json.ts'
import { descriptionOf, openBlockersOf, type IssueQueries } from '../queries/read/read.ts'
import { WriteView, type issueSchemas } from '../schemas.ts'
import type { IssueParts } from '../service.ts'

export interface RouteContext extends IssueParts {
  readonly ctx: Ctx
  readonly schemas: ReturnType<typeof issueSchemas>
  readonly pageRows: PageRows
  find(principal: Principal, ref: string): Promise<IssueRef>
}

export const tags = ['issues']
export const one = Closed({ issueId: issueRef })
export const headers = Type.Object(PreferHeader)
export const writeQuery = Closed(WriteView)

interface AnswerExtras {
  unmet?: boolean
  openBlockers?: boolean
  holder?: OtherHolder | undefined
  kept?: readonly string[]
  similar?: readonly SimilarIssue[]
}

/** The text of a JSON object with more fields, without parsing it. */
export function withFields(json: string, fields: object): string {
  const more = JSON.stringify(fields).slice(1)
  return more === '}' ? json : `${json.slice(0, -1)},${more}`
}

export async function answerIssue(
  { ctx: { db }, reads }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  { unmet = false, openBlockers = false, holder, kept = [], similar = [] }: AnswerExtras = {}
): Promise<FastifyReply> {
  const { workspaceId } = request.principal
  const { json, rev, category, hasUnmet } = await rowReader(reads, request, reply)(db, workspaceId, id)
  const extra: Record<string, unknown> = {
    holder,
    ...(isNamed(request) && { rev }),
    ...(kept.length > 0 && { kept }),
    ...(similar.length > 0 && { similar })
  }
  if (hasUnmet && (unmet || (isClosed(category) && setsState(request)))) {
    const { descriptionMarkdown } = await descriptionOf(db, workspaceId, id)
    Object.assign(extra, await unmetCriteria(descriptionMarkdown))
  }
  if (openBlockers) {
    const { blockers } = await openBlockersOf(db, workspaceId, id)
    if (blockers.length > 0) extra['openBlockers'] = blockers
  }
  return sendJson(reply.header('etag', `"${rev}"`), withFields(json, extra))
}

function rowReader(reads: IssueQueries, request: FastifyRequest, reply: FastifyReply) {
  if (isNamed(request)) return reads.named
  return wantsRepresentation(request, reply) ? reads.full : reads.withoutRaw
}

export const isNamed = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' && query !== null && 'view' in query && query.view === 'named'

const setsState = ({ body }: FastifyRequest): boolean =>
  typeof body === 'object' && body !== null && ('state' in body || 'stateId' in body)
