import { Type, type Static } from 'typebox'
import type { Principal } from '../../../core/api/contract.ts'
import type { DatabaseHandle, Id, TransactionHandle } from '../../../core/api/database/types.ts'
import { assertUnchanged, conflict, forbidden, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import { sendJson } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText, Ref } from '../../../core/api/schemas.ts'
import {
  categoryChanges,
  stateCreated,
  stateDeleted,
  stateUpdated,
  teamCreated,
  teamDeleted,
  teamFields,
  teamUpdated,
  useCounts,
  type StateCategory,
  type TeamField,
  type UseCount
} from '../contract.ts'
import type { Ctx } from '../context.ts'
import { directory } from '../queries/directory.ts'
import * as teams from '../queries/teams.ts'
import {
  Directory,
  NewTeam,
  NewWorkflowState,
  teamSchemas,
  withIsoDate,
  WorkflowState,
  WorkflowStateChanges,
  type TeamPatch
} from '../schemas.ts'

const teamRef = Ref('A team’s UUID or identifier.')
const teamToJson = ({ closingCriteria, more, ...team }: teams.TeamRow & { more?: teams.MoreOfTeam }) => ({
  ...withIsoDate(team),
  closing: { criteria: closingCriteria },
  ...more
})

export function directoryRoute(app: App, { db }: Ctx): void {
  app.get(
    '/v1/workspace',
    {
      schema: {
        tags: ['teams'],
        summary: 'Every name of the workspace: teams, states, labels, members',
        response: answers(200, Directory)
      }
    },
    async ({ principal }, reply) => sendJson(reply, await directory(db, principal.workspaceId))
  )
}

export function teamRoutes(app: App, ctx: Ctx): void {
  const { emit, db, transaction } = ctx
  const tags = ['teams']
  const params = Closed({ teamId: teamRef })
  const fields = ctx.contributions(teamFields).map(({ item }) => item)
  const { Team, TeamChanges } = teamSchemas(fields)

  app.get(
    '/v1/teams',
    { schema: { tags, summary: 'Teams', response: answers(200, Type.Array(Team)) } },
    async ({ principal }) => (await teams.readTeams(db, principal.workspaceId, fields)).map(teamToJson)
  )

  app.post(
    '/v1/teams',
    { schema: { tags, summary: 'Create a team, with its first states', body: NewTeam, response: answers(201, Team) } },
    async ({ principal, body }, reply) => {
      const team = await transaction(async trx => {
        const team = await teams.insertTeam(trx, principal.workspaceId, body)
        const { id, identifier, name } = team
        await emit(trx, teamCreated, principal, [{ subjectId: id, subjectKey: identifier, data: { identifier, name } }])
        return team
      })
      return reply.code(201).send(teamToJson(team))
    }
  )

  app.get(
    '/v1/teams/:teamId',
    { schema: { tags, summary: 'A team', params, response: answers(200, Team) } },
    async ({ principal, params }) => readTeam(db, principal, params.teamId, fields)
  )

  app.post(
    '/v1/teams/:teamId',
    {
      schema: {
        tags,
        summary: 'Change the name of a team, its rule for completing issues, or what plugins add to it',
        params,
        body: TeamChanges,
        response: answers(200, Team)
      }
    },
    // The schema follows from the fields; its type is known only in parts.
    async ({ principal, params, body }) => changeTeam(ctx, principal, params.teamId, body as TeamPatch, fields)
  )

  app.delete(
    '/v1/teams/:teamId',
    { schema: { tags, summary: 'Remove a team that has no issues', params, response: answers(200, Deleted) } },
    async ({ principal, params }) => removeTeam(ctx, principal, params.teamId)
  )
}

async function readTeam(db: DatabaseHandle, { workspaceId }: Principal, ref: string, fields: readonly TeamField[]) {
  const { id } = await teams.findTeam(db, workspaceId, ref)
  return readTeamWithId(db, workspaceId, id, fields)
}

async function readTeamWithId(db: DatabaseHandle, workspaceId: Id, id: Id, fields: readonly TeamField[]) {
  const [team] = await teams.readTeams(db, workspaceId, fields, id)
  if (!team) throw notFound('team', id)
  return teamToJson(team)
}

/** @throws 403, 404 */
async function changeTeam(ctx: Ctx, principal: Principal, ref: string, body: TeamPatch, fields: readonly TeamField[]) {
  const { name, closing, previous } = body
  if (closing !== undefined && principal.kind === 'AGENT') {
    throw forbidden('Only a person may set a team’s rule for completing issues: ask one.')
  }
  const changes = {
    ...(name !== undefined && { name }),
    ...(closing !== undefined && { closingCriteria: closing.criteria })
  }
  const none = Object.fromEntries(fields.map(({ name }) => [name, null]))
  const { id } = await teams.findTeam(ctx.db, principal.workspaceId, ref)
  return ctx.transaction(async trx => {
    const locked = await teams.lockTeam(trx, principal.workspaceId, id)
    if (!locked) throw notFound('team', ref)
    const before = await readTeamWithId(trx, principal.workspaceId, id, fields)
    assertUnchanged(previous, { ...none, ...before })
    if (Object.keys(changes).length > 0) await teams.updateTeam(trx, principal.workspaceId, id, changes)
    for (const field of fields) {
      if (field.name in body) await field.set(principal, trx, id, body[field.name])
    }
    const after = await readTeamWithId(trx, principal.workspaceId, id, fields)
    const flat = ({ closing, ...team }: typeof after): Record<string, unknown> & { id: string } => ({
      ...none,
      ...team,
      closingCriteria: closing.criteria
    })
    const emitted = ['name', 'closingCriteria', ...Object.keys(none)]
    await ctx.emit(trx, teamUpdated, principal, updatedEvents(flat(before), flat(after), emitted))
    return after
  })
}

/** @throws 404; 409 while it is used */
async function removeTeam(ctx: Ctx, principal: Principal, ref: string) {
  const { workspaceId } = principal
  const { id, identifier, name } = await teams.findTeam(ctx.db, workspaceId, ref)
  await ctx.transaction(async trx => {
    // Before the states are locked, too: a change of several issues of the team may wait for several states.
    await refuseWhileUsed(ctx, trx, workspaceId, 'team', id, `The team ${identifier}`)
    if (!(await teams.removeTeam(trx, workspaceId, id, ctx.now()))) throw notFound('team', ref)
    await refuseWhileUsed(ctx, trx, workspaceId, 'team', id, `The team ${identifier}`)
    await ctx.emit(trx, teamDeleted, principal, [{ subjectId: id, subjectKey: identifier, data: { identifier, name } }])
  })
  return { id, deleted: true as const }
}

export function workflowRoutes(app: App, ctx: Ctx): void {
  const { db } = ctx
  const tags = ['workflow states']
  const params = Closed({ teamId: teamRef })
  const withState = Closed({ teamId: teamRef, id: IdText })

  app.get(
    '/v1/:teamId/workflows',
    {
      schema: {
        tags,
        summary: 'The states of a team, by category and position',
        params,
        response: answers(200, Type.Array(WorkflowState))
      }
    },
    async ({ principal, params }) => {
      const { id } = await teams.findTeam(db, principal.workspaceId, params.teamId)
      return teams.listStates(db, principal.workspaceId, id)
    }
  )

  app.post(
    '/v1/:teamId/workflows',
    { schema: { tags, summary: 'Add a state', params, body: NewWorkflowState, response: answers(201, WorkflowState) } },
    async ({ principal, params, body }, reply) =>
      reply.code(201).send(await addState(ctx, principal, params.teamId, body))
  )

  app.post(
    '/v1/:teamId/workflows/:id',
    {
      schema: {
        tags,
        summary: 'Change a state',
        description: 'With its category the issues that are in it change: those that it completes are completed now.',
        params: withState,
        body: WorkflowStateChanges,
        response: answers(200, WorkflowState)
      }
    },
    async ({ principal, params, body }) => changeState(ctx, principal, params, body)
  )

  app.delete(
    '/v1/:teamId/workflows/:id',
    {
      schema: {
        tags,
        summary: 'Remove a state that no issue is in',
        params: withState,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => removeState(ctx, principal, params)
  )
}

interface StateRef {
  teamId: string
  id: string
}

async function addState(ctx: Ctx, principal: Principal, ref: string, body: Static<typeof NewWorkflowState>) {
  const { id } = await teams.findTeam(ctx.db, principal.workspaceId, ref)
  return ctx.transaction(async trx => {
    const state = await teams.insertState(trx, principal.workspaceId, id, body)
    await ctx.emit(trx, stateCreated, principal, [stateEvent(state)])
    return state
  })
}

async function changeState(
  ctx: Ctx,
  principal: Principal,
  params: StateRef,
  body: Static<typeof WorkflowStateChanges>
) {
  const { workspaceId } = principal
  const { previous, ...changed } = body
  const { id } = await teams.findTeam(ctx.db, workspaceId, params.teamId)
  return ctx.transaction(async trx => {
    await teams.lockStateChanges(trx, workspaceId)
    const before = await teams.findState(trx, workspaceId, id, params.id)
    if (!before) throw notFound('workflow state', params.id)
    assertUnchanged(previous, before)
    const isOther = body.category !== undefined && body.category !== before.category
    const following = isOther ? ctx.contributions(categoryChanges) : []
    for (const { item } of following) await item.lock(principal, trx, before.id)
    const state = await teams.updateState(trx, workspaceId, id, before.id, changed)
    if (!state) throw notFound('workflow state', params.id)
    const changes = updatedEvents(before, state, ['name', 'category', 'position', 'color'])
    await ctx.emit(trx, stateUpdated, principal, changes)
    const change = { stateId: state.id, from: before.category, to: state.category }
    for (const { item } of following) await item.follow(principal, trx, change)
    return state
  })
}

/** @throws 404; 409 while it is used */
async function removeState(ctx: Ctx, principal: Principal, params: StateRef) {
  const { workspaceId } = principal
  const { id: teamId } = await teams.findTeam(ctx.db, workspaceId, params.teamId)
  await ctx.transaction(async trx => {
    // First, because it waits for requests that put an issue into it.
    const removed = await teams.removeState(trx, workspaceId, teamId, params.id, ctx.now())
    if (!removed) throw notFound('workflow state', params.id)
    await refuseWhileUsed(ctx, trx, workspaceId, 'workflowState', params.id, 'This state')
    await ctx.emit(trx, stateDeleted, principal, [stateEvent(removed)])
  })
  return { id: params.id, deleted: true as const }
}

const stateEvent = (state: { id: string; teamId: string; name: string; category: StateCategory }) => {
  const { id, teamId, name, category } = state
  return { subjectId: id, data: { teamId, name, category } }
}
async function refuseWhileUsed(
  { contributions }: Ctx,
  trx: TransactionHandle,
  workspaceId: string,
  what: Parameters<UseCount>[2],
  id: string,
  name: string
): Promise<void> {
  for (const { item: count } of contributions(useCounts)) {
    const used = await count(trx, workspaceId, what, id)
    if (used > 0) {
      throw conflict(
        `${name} still has ${used} ${used === 1 ? 'issue' : 'issues'}: move ${used === 1 ? 'it' : 'them'} first.`,
        { issues: used }
      )
    }
  }
}
