import { Type, type Static } from 'typebox'
import { confinementRules } from '../../core/api/confinement.ts'
import type { Caller, Principal } from '../../core/api/contract.ts'
import { assertUnchanged, invalid, notFound } from '../../core/api/errors.ts'
import { conversions, nameOfSomething } from '../../core/api/text.ts'
import { updatedEvents } from '../../core/api/events.ts'
import { arrayPieces, streamJson } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers } from '../../core/api/schemas.ts'
import { answer, answerWritten } from './answers.ts'
import type { Ctx, Trx } from './context.ts'
import { projectCreated, projectUpdated } from './contract.ts'
import * as queries from './queries/projects.ts'
import {
  headers,
  NewProject,
  params,
  Project,
  ProjectChanges,
  ProjectRow,
  tags,
  View,
  WrittenProject
} from './schemas.ts'
import { trashRoutes } from './trash.ts'

const EVENT_FIELDS = ['name', 'teamId', 'state', 'leadId', 'memberIds', 'startsOn', 'targetOn'] as const

const RULES = Object.fromEntries(
  ['projects', 'projects/:id'].map(path => [`GET /v1/${path}`, { allows: 'all, because issues and tools name them' }])
)

export function projectRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, RULES)
  const { db } = ctx

  app.get(
    '/v1/projects',
    {
      schema: {
        tags,
        summary: 'Projects',
        querystring: View,
        response: answers(200, Type.Array(Type.Union([Project, ProjectRow])))
      }
    },
    async (request, reply) => {
      const { principal, query } = request
      const items = queries.listProjects(db, principal.workspaceId, query.view ?? 'full')
      return streamJson(request, reply, arrayPieces(items))
    }
  )

  app.get(
    '/v1/projects/:id',
    { schema: { tags, summary: 'A project', params, response: answers(200, Project) } },
    async ({ principal, params }, reply) => answer(ctx, reply, principal.workspaceId, params.id, 'full')
  )
  changeRoutes(app, ctx)
  trashRoutes(app, ctx)
}

function changeRoutes(app: App, ctx: Ctx): void {
  const { emit, now, transaction } = ctx

  app.post(
    '/v1/projects',
    {
      schema: { tags, summary: 'Open a project', headers, body: NewProject, response: answers(201, WrittenProject) }
    },
    async (request, reply) => {
      const id = await openProject(ctx, request.principal, request.body)
      return answerWritten(ctx, request, reply.code(201), id)
    }
  )

  app.post(
    '/v1/projects/:id',
    {
      schema: {
        tags,
        summary: 'Change a project',
        params,
        headers,
        body: ProjectChanges,
        response: answers(200, WrittenProject)
      }
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const values = await valuesOf(ctx, principal, body)
      const { workspaceId } = principal
      const { id } = await transaction(async trx => {
        const before = await queries.lockProject(trx, workspaceId, params.id)
        if (before) {
          assertUnchanged(body.previous, before)
          assertDates({ ...before, ...values })
        }
        const project = before && (await queries.updateProject(trx, workspaceId, params.id, now(), values))
        if (!project) throw notFound('project', params.id)
        await describe(ctx, trx, principal, project.id, values)
        await emit(trx, projectUpdated, principal, updatedEvents(before, project, EVENT_FIELDS, ['description']))
        return project
      })
      return answerWritten(ctx, request, reply, id)
    }
  )
}

async function openProject(ctx: Ctx, principal: Principal, body: Static<typeof NewProject>): Promise<string> {
  const values = await valuesOf(ctx, principal, body)
  const { name } = body
  const { workspaceId, accountId } = principal
  const project = { description: null, descriptionMarkdown: '', teamId: null, ...values, name }
  assertDates(project)
  return ctx.transaction(async trx => {
    const { id } = await queries.insertProject(trx, workspaceId, accountId, ctx.now(), project)
    await describe(ctx, trx, principal, id, project)
    await ctx.emit(trx, projectCreated, principal, [{ subjectId: id, data: { name, teamId: project.teamId } }])
    return id
  })
}

async function describe(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  subjectId: string,
  { descriptionMarkdown: markdown }: { descriptionMarkdown?: string }
): Promise<void> {
  if (markdown === undefined) return
  await ctx.use.texts.written(caller, trx, [{ subjectType: 'project', subjectId, markdown }])
}

async function teamOf(
  { db, use: { workspace } }: Ctx,
  caller: Caller,
  { teamId, team }: { teamId?: string | null; team?: string }
) {
  if (teamId === null) return { teamId }
  if (teamId !== undefined) return { teamId: (await workspace.findTeam(caller, db, teamId)).id }
  return team === undefined ? {} : { teamId: (await workspace.teamNamed(caller, db, team)).id }
}

/** @throws 400, 404 */
async function valuesOf(ctx: Ctx, caller: Caller, body: Partial<Static<typeof ProjectChanges>>) {
  const name = nameOfSomething(body.name, 'name')
  const [text] = await conversions.read([
    { raw: body.description, markdown: body.descriptionMarkdown, field: 'description' }
  ])
  const { state, startsOn, targetOn } = body
  return {
    ...(name !== undefined && { name }),
    ...(text && { description: text.json, descriptionMarkdown: text.markdown }),
    ...(state && { state }),
    ...(startsOn !== undefined && { startsOn }),
    ...(targetOn !== undefined && { targetOn }),
    ...(await teamOf(ctx, caller, body)),
    ...(await peopleOf(ctx, caller, body))
  }
}

/** @throws 400, 404 */
async function peopleOf(
  { db, use: { issues } }: Ctx,
  caller: Caller,
  { leadId, memberIds }: Pick<Static<typeof ProjectChanges>, 'leadId' | 'memberIds'>
) {
  const idsOf = async (refs: string[], field: string) =>
    refs.length === 0 ? [] : (await issues.accounts(caller, db, refs, field)).map(({ id }) => id)
  const [lead] = leadId ? await idsOf([leadId], 'leadId') : []
  return {
    ...(leadId !== undefined && { leadId: lead ?? null }),
    ...(memberIds && { memberIds: (await idsOf(memberIds, 'memberIds')).toSorted() })
  }
}

/** @throws 400 */
function assertDates({ startsOn, targetOn }: { startsOn?: string | null; targetOn?: string | null }): void {
  if (startsOn && targetOn && targetOn < startsOn) {
    throw invalid('body.targetOn must not be before body.startsOn.', { field: 'targetOn' })
  }
}
