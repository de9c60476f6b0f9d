import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import { sendJson, wantsRepresentation } from '../../../core/api/http.ts'
import { sectionsOf, type Ctx } from '../context.ts'
import { findComment } from '../queries/comments.ts'

/** A comment as JSON text; its stored body only if `raw`. @throws 404 */
export async function readComment(ctx: Ctx, { workspaceId }: Principal, id: Id, raw: boolean): Promise<string> {
  const json = await findComment(ctx.db, workspaceId, id, sectionsOf(ctx), raw)
  if (json === undefined) throw notFound('comment', id)
  return json
}

/** @throws 404 */
export async function sendWritten(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, id: Id) {
  return sendJson(reply, await readComment(ctx, request.principal, id, wantsRepresentation(request, reply)))
}
