import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import { PreferHeader, sendJson, wantsRepresentation } from '../../../core/api/http.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { unmetCriteria } from '../criteria/unmet.ts'
import { isClosed } from '../../workspace/contract.ts'
import type { Writer } from '../queries/write/writer.ts'
import type { IssueRef, OtherHolder, SimilarIssue } from '../contract.ts'
import { issueRef } from '../fields/fields.ts'
import type { ReadFilters } from '../queries/filter/filter.ts'
import type { PageRows } from '../queries/read/json.ts'
import { descriptionOf, openBlockersOf, type IssueQueries } from '../queries/read/read.ts'
import { WriteView, type issueSchemas } from '../schemas.ts'
import type { Contexts } from '../versions/contexts.ts'

export interface RouteContext extends Writer {
  readonly schemas: ReturnType<typeof issueSchemas>
  readonly pageRows: PageRows
  readonly reads: IssueQueries
  readonly readFilters: ReadFilters
  readonly contexts: Contexts
  /** @throws 404 */
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

export const withSimilar = (json: string, similar: readonly SimilarIssue[]): string =>
  similar.length === 0 ? json : `${json.slice(0, -1)},"similar":${JSON.stringify(similar)}}`

/** The answer to a write: the issue as it is now, with names or with its stored description on request. */
export async function answerIssue(
  { ctx: { db }, reads }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  { unmet = false, openBlockers = false, holder, kept = [], similar = [] }: AnswerExtras = {}
): Promise<FastifyReply> {
  const { workspaceId } = request.principal
  const { json, rev, category, hasUnmet } = await rowReader(reads, request, reply)(db, workspaceId, id)
  const extra: string[] = holder === undefined ? [] : [`"holder":${JSON.stringify(holder)}`]
  if (isNamed(request)) extra.push(`"rev":${rev}`)
  if (kept.length > 0) extra.push(`"kept":${JSON.stringify(kept)}`)
  if (hasUnmet && (unmet || (isClosed(category) && setsState(request)))) {
    const { descriptionMarkdown } = await descriptionOf(db, workspaceId, id)
    extra.push(JSON.stringify(await unmetCriteria(descriptionMarkdown)).slice(1, -1))
  }
  if (openBlockers) {
    const blockers = await openBlockersOf(db, workspaceId, id)
    if (blockers.json !== '[]') extra.push(`"openBlockers":${blockers.json}`)
  }
  const answer = extra.length === 0 ? json : `${json.slice(0, -1)},${extra.join(',')}}`
  return sendJson(reply.header('etag', `"${rev}"`), withSimilar(answer, similar))
}

function rowReader(reads: IssueQueries, request: FastifyRequest, reply: FastifyReply) {
  if (isNamed(request)) return reads.named
  return wantsRepresentation(request, reply) ? reads.full : reads.withoutRaw
}

export const isNamed = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' && query !== null && 'view' in query && query.view === 'named'

const setsState = ({ body }: FastifyRequest): boolean =>
  typeof body === 'object' && body !== null && ('state' in body || 'stateId' in body)
