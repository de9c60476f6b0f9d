import { Type } from 'typebox'
import { ApiError } from '../../core/api/errors.ts'
import {
  ExternalId,
  Person,
  recordKind,
  TeamName,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type Item,
  type RecordOf
} from '../transfer/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { exportedViews } from './queries/transfer.ts'
import { NewView, storedFields } from './schemas.ts'
import { DEFAULTS, filtersText, storeView } from './views.ts'

const fields = {
  externalId: ExternalId,
  name: NewView.properties.name,
  owner: Type.Optional(Person),
  team: Type.Optional(TeamName),
  ...storedFields,
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When)
}
type ViewRecord = RecordOf<typeof fields>

export const viewRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'view',
    summary: 'A saved view. Its filters name states, labels, teams, people and issues.',
    table: 'saved_view',
    fields,
    rows: exportedViews,
    async add(batch) {
      for (const item of batch.items) await add(ctx, batch, item)
    }
  })

async function add(ctx: Ctx, batch: Batch<ViewRecord>, item: Item<ViewRecord>): Promise<void> {
  const { trx, caller, workspaceId, now, people, skip } = batch
  const { externalId: _, owner = UNKNOWN_PERSON, team, filters = {}, createdAt, updatedAt, ...values } = item.record
  const db: Trx = trx
  const teamId = team === undefined ? null : (await ctx.use.workspace.teamIds(caller, trx)).get(team.toUpperCase())
  if (teamId === undefined) {
    skip(item, `there is no team '${team}'`)
    return
  }
  const ownerId = (await people([owner])).get(owner)!
  try {
    const created = new Date(createdAt ?? now)
    const times = { createdAt: created, updatedAt: new Date(updatedAt ?? created) }
    const text = await filtersText(ctx, caller, trx, ownerId, filters)
    const row = { ...DEFAULTS, ...values, ...times, workspaceId, ownerId, teamId, filters: text }
    await storeView(ctx, db, caller, { ...row, id: item.id })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    skip(item, error.message)
  }
}
