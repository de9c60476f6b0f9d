import { Type, type Static } from 'typebox'
import { confinementRules } from '../../../core/api/confinement.ts'
import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { assertUnchanged, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Deleted } from '../../../core/api/schemas.ts'
import { nameOfSomething } from '../../../core/api/text.ts'
import type { Ctx } from '../context.ts'
import { milestoneCreated, milestoneDeleted, milestoneUpdated } from '../contract.ts'
import { insertMilestone, listMilestones, lockMilestone, updateMilestone } from '../queries/milestones.ts'
import { lockProject } from '../queries/projects.ts'
import { Milestone, MilestoneChanges, NewMilestone, OfProject, params } from '../schemas.ts'

const tags = ['projects']

export function milestoneRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, { 'GET /v1/milestones': { allows: 'all, because issues name them' } })

  app.get(
    '/v1/milestones',
    {
      schema: {
        tags,
        summary: 'The milestones of a project, or of all, by their dates',
        querystring: OfProject,
        response: answers(200, Type.Array(Milestone))
      }
    },
    async ({ principal, query }) => (await listMilestones(ctx.db, principal.workspaceId, query)).map(toJson)
  )

  app.post(
    '/v1/milestones',
    {
      schema: { tags, summary: 'Add a milestone to a project', body: NewMilestone, response: answers(201, Milestone) }
    },
    async ({ principal, body }, reply) => {
      const id = await addMilestone(ctx, principal, body)
      return reply.code(201).send(await readMilestone(ctx, principal, id))
    }
  )

  app.post(
    '/v1/milestones/:id',
    {
      schema: {
        tags,
        summary: 'Change a milestone',
        params,
        body: MilestoneChanges,
        response: answers(200, Milestone)
      }
    },
    async ({ principal, params: { id }, body }) => {
      await changeMilestone(ctx, principal, id, body)
      return readMilestone(ctx, principal, id)
    }
  )

  app.delete(
    '/v1/milestones/:id',
    { schema: { tags, summary: 'Remove a milestone; its issues stay', params, response: answers(200, Deleted) } },
    ({ principal, params: { id } }) =>
      ctx.transaction(async trx => {
        const { workspaceId } = principal
        if (!(await lockMilestone(trx, workspaceId, id))) throw notFound('milestone', id)
        const { name, projectId } = await updateMilestone(trx, workspaceId, id, { deletedAt: ctx.now() })
        await ctx.emit(trx, milestoneDeleted, principal, [{ subjectId: id, data: { name, projectId } }])
        return { id, deleted: true as const }
      })
  )
}

/** @returns its id. @throws 404; 409 when the project has a milestone with that name */
async function addMilestone(ctx: Ctx, principal: Principal, body: Static<typeof NewMilestone>): Promise<Id> {
  const { workspaceId } = principal
  const name = nameOfSomething(body.name, 'name')!
  return ctx.transaction(async trx => {
    const project = await lockProject(trx, workspaceId, body.projectId)
    if (!project) throw notFound('project', body.projectId)
    const values = { projectId: project.id, name, date: body.date ?? null, createdAt: ctx.now() }
    const { id } = await insertMilestone(trx, workspaceId, values)
    await ctx.emit(trx, milestoneCreated, principal, [{ subjectId: id, data: { name, projectId: project.id } }])
    return id
  })
}

/** @throws 404; 412 when another writer has changed it since it was read */
async function changeMilestone(ctx: Ctx, principal: Principal, id: Id, body: Static<typeof MilestoneChanges>) {
  const { workspaceId } = principal
  await ctx.transaction(async trx => {
    const before = await lockMilestone(trx, workspaceId, id)
    if (!before) throw notFound('milestone', id)
    assertUnchanged(body.previous, before)
    const { name = before.name, date = before.date } = { ...body, name: nameOfSomething(body.name, 'name') }
    const after = await updateMilestone(trx, workspaceId, id, { name, date })
    await ctx.emit(trx, milestoneUpdated, principal, updatedEvents(before, after, ['name', 'date']))
  })
}

async function readMilestone({ db }: Ctx, { workspaceId }: Principal, id: Id) {
  const [milestone] = await listMilestones(db, workspaceId, { id })
  if (!milestone) throw notFound('milestone', id)
  return toJson(milestone)
}

const toJson = <M extends { createdAt: Date }>(milestone: M) => ({
  ...milestone,
  createdAt: milestone.createdAt.toISOString()
})
