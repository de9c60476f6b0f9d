import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { confinementRules } from '../../core/confinement.ts'
import type { Caller } from '../../core/contract.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { arrayPieces, PreferHeader, sendJson, streamJson, wantsRepresentation } from '../../core/http-answers.ts'
import type { App } from '../../core/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import { conversions } from '../../core/text/conversions.ts'
import type { Ctx } from './context.ts'
import * as queries from './queries.ts'
import {
  Cycle,
  CycleChanges,
  NewCycle,
  NewProject,
  Project,
  ProjectChanges,
  ProjectRow,
  View,
  WrittenProject
} from './schemas.ts'

const params = Closed({ id: IdText })
const headers = Type.Object(PreferHeader)

/** What a run's token may do: read projects and cycles. */
const RULES = Object.fromEntries(
  ['projects', 'projects/:id', 'cycles', 'cycles/:id'].map(path => [
    `GET /v1/${path}`,
    { allows: 'all, because issues and tools name them' }
  ])
)

export function projectRoutes(app: App, { db, now, transaction, use: { workspace } }: Ctx): void {
  const tags = ['projects']
  confinementRules(app, RULES)

  async function teamOf(caller: Caller, { teamId, team }: { teamId?: string | null; team?: string }) {
    if (teamId === null) return { teamId }
    if (teamId !== undefined) return { teamId: (await workspace.findTeam(caller, db, teamId)).id }
    return team === undefined ? {} : { teamId: (await workspace.teamNamed(caller, db, team)).id }
  }

  /** The columns of the fields that were sent. */
  async function valuesOf(
    caller: Caller,
    body: {
      name?: string
      description?: unknown
      descriptionMarkdown?: string | null
      teamId?: string | null
      team?: string
    }
  ) {
    const [text] = await conversions.read([
      { raw: body.description, markdown: body.descriptionMarkdown, field: 'description' }
    ])
    return {
      ...(body.name !== undefined && { name: body.name }),
      ...(text && { description: text.json, descriptionMarkdown: text.markdown }),
      ...(await teamOf(caller, body))
    }
  }

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

  app.post(
    '/v1/projects',
    {
      schema: { tags, summary: 'Open a project', headers, body: NewProject, response: answers(201, WrittenProject) }
    },
    async (request, reply) => {
      const { principal, body } = request
      const values = await valuesOf(principal, body)
      const { id } = await transaction(trx =>
        queries.insertProject(trx, principal.workspaceId, principal.accountId, now(), {
          description: null,
          descriptionMarkdown: '',
          teamId: null,
          ...values,
          name: body.name
        })
      )
      return answerWritten(request, reply.code(201), id)
    }
  )

  app.get(
    '/v1/projects/:id',
    { schema: { tags, summary: 'A project', params, response: answers(200, Project) } },
    async ({ principal, params }, reply) => answer(reply, principal.workspaceId, params.id, 'full')
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
      const values = await valuesOf(principal, body)
      const { id } =
        (await transaction(trx => queries.updateProject(trx, principal.workspaceId, params.id, now(), values))) ??
        missing('project', params.id)
      return answerWritten(request, reply, id)
    }
  )

  app.delete(
    '/v1/projects/:id',
    { schema: { tags, summary: 'Remove a project; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params }) => {
      const { id } =
        (await transaction(trx => queries.removeProject(trx, principal.workspaceId, params.id, now()))) ??
        missing('project', params.id)
      return { id, deleted: true as const }
    }
  )

  const answerWritten = (request: FastifyRequest, reply: FastifyReply, id: string) =>
    answer(reply, request.principal.workspaceId, id, wantsRepresentation(request, reply) ? 'full' : 'markdown')

  async function answer(reply: FastifyReply, workspaceId: string, id: string, shown: queries.Shown) {
    return sendJson(reply, (await queries.findProject(db, workspaceId, id, shown)) ?? missing('project', id))
  }
}

export function cycleRoutes(app: App, { db, now, transaction, use: { workspace } }: Ctx): void {
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
      const planned = { name: body.name, teamId: team.id, ...span(body.startsAt, body.endsAt) }
      const cycle = await transaction(trx => queries.insertCycle(trx, principal.workspaceId, now(), planned))
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
        (await transaction(trx => queries.updateCycle(trx, principal.workspaceId, params.id, after))) ??
          missing('cycle', params.id)
      )
    }
  )

  app.delete(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'Remove a cycle; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params }) => {
      const { id } =
        (await transaction(trx => queries.removeCycle(trx, principal.workspaceId, params.id, now()))) ??
        missing('cycle', params.id)
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
const shownCycle = <C extends { startsAt: Date; endsAt: Date; createdAt: Date }>(cycle: C) => ({
  ...cycle,
  startsAt: cycle.startsAt.toISOString(),
  endsAt: cycle.endsAt.toISOString(),
  createdAt: cycle.createdAt.toISOString()
})
