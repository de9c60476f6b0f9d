import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../core/api/errors.ts'
import { sendJson, wantsRepresentation } from '../../core/api/http.ts'
import type { Ctx } from './context.ts'
import { findProject, type ProjectView } from './queries/projects.ts'

/** @throws 404 */
export const answerWritten = (ctx: Ctx, request: FastifyRequest, reply: FastifyReply, id: string) =>
  answer(ctx, reply, request.principal.workspaceId, id, wantsRepresentation(request, reply) ? 'full' : 'markdown')

/** @throws 404 */
export async function answer({ db }: Ctx, reply: FastifyReply, workspaceId: string, id: string, shown: ProjectView) {
  const project = await findProject(db, workspaceId, id, shown)
  if (project === undefined) throw notFound('project', id)
  return sendJson(reply, project)
}
