import { Type } from 'typebox'
import type { Caller } from '../../core/contract.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { App } from '../../core/plugin.ts'
import { readRichText } from '../../core/rich-text-field.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import type { Ctx } from './context.ts'
import * as queries from './queries.ts'
import { Cycle, CycleChanges, NewCycle, NewProject, Project, ProjectChanges } from './schemas.ts'

const params = Closed({ id: IdText })

export function projectRoutes(app: App, { db, now, use: { workspace } }: Ctx): void {
  const tags = ['projects']

  /** The columns of the fields that were sent. */
  async function valuesOf(
    caller: Caller,
    body: { name?: string; description?: unknown; descriptionMarkdown?: string | null; teamId?: string | null }
  ) {
    const text = readRichText(body.description, body.descriptionMarkdown, 'description')
    return {
      ...(body.name !== undefined && { name: body.name }),
      ...(text && { description: text.json, descriptionMarkdown: text.markdown }),
      ...(body.teamId !== undefined && {
        teamId: body.teamId === null ? null : (await workspace.findTeam(caller, db, body.teamId)).id
      })
    }
  }

  app.get(
    '/v1/projects',
    { schema: { tags, summary: 'Projects', response: answers(200, Type.Array(Project)) } },
    async ({ principal }) => (await queries.listProjects(db, principal.workspaceId)).map(shown)
  )

  app.post(
    '/v1/projects',
    { schema: { tags, summary: 'Open a project', body: NewProject, response: answers(201, Project) } },
    async ({ principal, body }, reply) => {
      const values = await valuesOf(principal, body)
      const project = await queries.insertProject(db, principal.workspaceId, principal.accountId, now(), {
        description: null,
        descriptionMarkdown: '',
        teamId: null,
        ...values,
        name: body.name
      })
      return reply.code(201).send(shown(project))
    }
  )

  app.get(
    '/v1/projects/:id',
    { schema: { tags, summary: 'A project', params, response: answers(200, Project) } },
    async ({ principal, params }) =>
      shown((await queries.findProject(db, principal.workspaceId, params.id)) ?? missing('project', params.id))
  )

  app.post(
    '/v1/projects/:id',
    { schema: { tags, summary: 'Change a project', params, body: ProjectChanges, response: answers(200, Project) } },
    async ({ principal, params, body }) =>
      shown(
        (await queries.updateProject(db, principal.workspaceId, params.id, now(), await valuesOf(principal, body))) ??
          missing('project', params.id)
      )
  )

  app.delete(
    '/v1/projects/:id',
    { schema: { tags, summary: 'Remove a project; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params }) => {
      const { id } =
        (await queries.removeProject(db, principal.workspaceId, params.id, now())) ?? missing('project', params.id)
      return { id, deleted: true as const }
    }
  )
}

export function cycleRoutes(app: App, { db, now, use: { workspace } }: Ctx): void {
  const tags = ['cycles']

  app.get(
    '/v1/cycles',
    { schema: { tags, summary: 'Cycles, by their start', response: answers(200, Type.Array(Cycle)) } },
    async ({ principal }) => (await queries.listCycles(db, principal.workspaceId)).map(shownCycle)
  )

  app.post(
    '/v1/cycles',
    { schema: { tags, summary: 'Plan a cycle', body: NewCycle, response: answers(201, Cycle) } },
    async ({ principal, body }, reply) => {
      const team = await workspace.findTeam(principal, db, body.teamId)
      const cycle = await queries.insertCycle(db, principal.workspaceId, now(), {
        name: body.name,
        teamId: team.id,
        ...span(body.startsAt, body.endsAt)
      })
      return reply.code(201).send(shownCycle(cycle))
    }
  )

  app.get(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'A cycle', params, response: answers(200, Cycle) } },
    async ({ principal, params }) =>
      shownCycle((await queries.findCycle(db, principal.workspaceId, params.id)) ?? missing('cycle', params.id))
  )

  app.post(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'Change a cycle', params, body: CycleChanges, response: answers(200, Cycle) } },
    async ({ principal, params, body }) => {
      const before = (await queries.findCycle(db, principal.workspaceId, params.id)) ?? missing('cycle', params.id)
      const after = {
        name: body.name ?? before.name,
        ...span(body.startsAt ?? before.startsAt, body.endsAt ?? before.endsAt)
      }
      return shownCycle(
        (await queries.updateCycle(db, principal.workspaceId, params.id, after)) ?? missing('cycle', params.id)
      )
    }
  )

  app.delete(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'Remove a cycle; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params }) => {
      const { id } =
        (await queries.removeCycle(db, principal.workspaceId, params.id, now())) ?? missing('cycle', params.id)
      return { id, deleted: true as const }
    }
  )
}

function missing(what: string, id: string): never {
  throw notFound(what, id)
}
function span(from: string | Date, to: string | Date): { startsAt: Date; endsAt: Date } {
  const [startsAt, endsAt] = [new Date(from), new Date(to)]
  if (endsAt <= startsAt) throw invalid('body.endsAt must be after body.startsAt.', { field: 'endsAt' })
  return { startsAt, endsAt }
}
const shown = <P extends { createdAt: Date; updatedAt: Date }>(project: P) => ({
  ...project,
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString()
})
const shownCycle = <C extends { startsAt: Date; endsAt: Date; createdAt: Date }>(cycle: C) => ({
  ...cycle,
  startsAt: cycle.startsAt.toISOString(),
  endsAt: cycle.endsAt.toISOString(),
  createdAt: cycle.createdAt.toISOString()
})
