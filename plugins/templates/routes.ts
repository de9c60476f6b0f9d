import { Type } from 'typebox'
import { arrayPieces, streamJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { listTemplates } from './queries/templates.ts'
import { NewTemplate, OfTeam, params, Template, TemplateChanges } from './schemas.ts'
import { addTemplate, changeTemplate, readTemplate } from './templates.ts'
import { trashRoutes } from './trash.ts'

const tags = ['issue templates']

export function templateRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/issue_templates',
    {
      schema: {
        tags,
        summary: 'The templates for issues of a team, or of all, by name',
        querystring: OfTeam,
        response: answers(200, Type.Array(Template))
      }
    },
    async (request, reply) => {
      const { principal, query } = request
      const team = query.teamId ? await ctx.use.workspace.findTeam(principal, ctx.db, query.teamId) : undefined
      const items = listTemplates(ctx.db, principal.workspaceId, team?.id)
      return streamJson(request, reply, arrayPieces(items))
    }
  )

  app.post(
    '/v1/issue_templates',
    {
      schema: {
        tags,
        summary: 'Add a template for the issues of a team',
        description: 'POST /v1/issues makes issues from it: `{"template": "Bug report", "title": "…"}`.',
        body: NewTemplate,
        response: answers(201, Template)
      }
    },
    async ({ principal, body }, reply) =>
      reply.code(201).send(await readTemplate(ctx, principal, await addTemplate(ctx, principal, body)))
  )

  app.get(
    '/v1/issue_templates/:id',
    { schema: { tags, summary: 'A template for issues', params, response: answers(200, Template) } },
    ({ principal, params: { id } }) => readTemplate(ctx, principal, id)
  )

  app.post(
    '/v1/issue_templates/:id',
    {
      schema: { tags, summary: 'Change a template', params, body: TemplateChanges, response: answers(200, Template) }
    },
    async ({ principal, params: { id }, body }) => {
      await changeTemplate(ctx, principal, id, body)
      return readTemplate(ctx, principal, id)
    }
  )
  trashRoutes(app, ctx)
}
