import { Type } from 'typebox'
import { updatedEvents } from '../../core/api/events.ts'
import type { Id } from '../../core/api/database/types.ts'
import { Color, Line } from '../../core/api/schemas.ts'
import { recordKind, type Batch, type RecordOf } from '../transfer/contract.ts'
import {
  CLOSING_CRITERIA,
  labelCreated,
  STATE_CATEGORIES,
  stateCreated,
  stateDeleted,
  teamCreated,
  teamUpdated,
  useCounts
} from './contract.ts'
import type { Ctx, Trx } from './context.ts'
import { DEFAULT_COLOR, updateTeam, type TeamRow } from './queries/teams.ts'
import * as queries from './queries/transfer.ts'
import { labelEvent, NewLabel } from './schemas.ts'

const teamFields = {
  identifier: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,9}$',
    maxLength: 10,
    description: 'A letter, then letters and digits: with it the keys of its issues begin.'
  }),
  name: Line(200),
  closingCriteria: Type.Optional(
    Type.Enum([...CLOSING_CRITERIA], { description: 'Asked before an issue is completed; default: ANY.' })
  ),
  states: Type.Array(
    Type.Object(
      {
        name: Line(100),
        category: Type.Enum([...STATE_CATEGORIES]),
        position: Type.Optional(Type.Number()),
        color: Type.Optional(Color)
      },
      { additionalProperties: false }
    ),
    { minItems: 1, maxItems: 200 }
  )
}
type ImportedTeam = RecordOf<typeof teamFields>

export const teamRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'team',
    summary:
      'An existing team keeps its states and gets the missing ones; a team without issues gets the file’s name and\n' +
      'states instead of its own.',
    table: 'team',
    fields: teamFields,
    rows: queries.exportedTeams,
    add: batch => addTeams(ctx, batch)
  })

async function addTeams(ctx: Ctx, batch: Batch<ImportedTeam>): Promise<void> {
  const { trx, caller, workspaceId, items, now, skip, isThere } = batch
  const db: Trx = trx
  for (const item of items) {
    const { name, states, closingCriteria = 'ANY' } = item.record
    const identifier = item.record.identifier.toUpperCase()
    const team = await queries.findAnyTeam(db, workspaceId, identifier)
    if (team?.deletedAt) {
      skip(item, `a team ${identifier} was deleted, and its issues' keys must not mean others`)
      continue
    }
    if (team) {
      isThere(item, team.id)
      if (!(await isUsed(ctx, db, workspaceId, team.id))) await replaceTeam(ctx, batch, team, { name, closingCriteria })
    } else {
      await queries.addTeam(db, workspaceId, { id: item.id, identifier, name, closingCriteria, createdAt: now })
      const created = { subjectId: item.id, subjectKey: identifier, data: { identifier, name } }
      await ctx.emit(trx, teamCreated, caller, [created])
    }
    await addMissingStates(ctx, batch, team?.id ?? item.id, states)
  }
}

type TeamFields = Pick<TeamRow, 'name' | 'closingCriteria'>

async function replaceTeam(
  ctx: Ctx,
  { trx, caller, workspaceId, now }: Batch<ImportedTeam>,
  team: TeamFields & { id: Id },
  fields: TeamFields
): Promise<void> {
  const db: Trx = trx
  await updateTeam(db, workspaceId, team.id, fields)
  const removed = await queries.removeStates(db, workspaceId, team.id, now)
  const updated = updatedEvents(team, { ...team, ...fields }, ['name', 'closingCriteria'])
  await ctx.emit(trx, teamUpdated, caller, updated)
  await ctx.emit(
    trx,
    stateDeleted,
    caller,
    removed.map(({ id, ...data }) => ({ subjectId: id, data }))
  )
}

async function addMissingStates(
  ctx: Ctx,
  { trx, caller, workspaceId, now }: Batch<ImportedTeam>,
  teamId: Id,
  states: ImportedTeam['states']
): Promise<void> {
  const db: Trx = trx
  const present = await queries.listStateNames(db, workspaceId, teamId)
  const names = new Set(present.map(({ name }) => name.toLowerCase()))
  const missing = states
    .map((state, n) => ({ position: n, color: DEFAULT_COLOR, ...state }))
    .filter(({ name }) => !names.has(name.toLowerCase()) && names.add(name.toLowerCase()))
  if (missing.length === 0) return
  const added = await queries.addStates(db, workspaceId, teamId, missing, now)
  await ctx.emit(
    trx,
    stateCreated,
    caller,
    added.map(({ id, ...data }) => ({ subjectId: id, data }))
  )
}

async function isUsed({ contributions }: Ctx, db: Trx, workspaceId: Id, teamId: Id): Promise<boolean> {
  for (const { item: count } of contributions(useCounts)) {
    if ((await count(db, workspaceId, 'team', teamId)) > 0) return true
  }
  return false
}

export const labelRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'label',
    summary: 'Labels are matched by name. Labels that only issues name are created, too.',
    table: 'label',
    fields: NewLabel.properties,
    rows: queries.exportedLabels,
    async add({ trx, caller, workspaceId, items, now, isThere }) {
      const db: Trx = trx
      for (const item of items) {
        const { name, color = DEFAULT_COLOR } = item.record
        const isNew = await queries.addLabel(db, workspaceId, { id: item.id, name, color, createdAt: now })
        if (!isNew) isThere(item)
        else await ctx.emit(trx, labelCreated, caller, [labelEvent({ id: item.id, name, color })])
      }
    }
  })
