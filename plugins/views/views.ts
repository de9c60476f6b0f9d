import type { Static } from 'typebox'
import type { Caller, Principal, SignedIn } from '../../core/api/contract.ts'
import { isId, newId } from '../../core/api/database/queries.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'
import { assertUnchanged, conflict, forbidden, invalid, notFound } from '../../core/api/errors.ts'
import { updatedEvents } from '../../core/api/events.ts'
import { exactFirst, foldLine, nameOfSomething, onlyMatch, unknownName } from '../../core/api/text.ts'
import { jsonOfRow } from '../../core/api/schemas.ts'
import { mergeFilters, type Filters } from '../../lib/filter/filters.ts'
import type { Ctx, Db, Trx } from './context.ts'
import * as contract from './contract.ts'
import { removeSubjects } from './queries/favourites.ts'
import * as queries from './queries/views.ts'
import { MAX_FILTERS_LENGTH, type NewView, type ViewChanges } from './schemas.ts'

const MAX_OWN = 200
const MAX_SHARED = 500

export const DEFAULTS: Omit<queries.ViewValues, 'name'> = {
  filters: '{}',
  orderBy: 'updatedAt',
  layout: 'board',
  isShared: false,
  icon: null,
  teamId: null,
  groupBy: null,
  subGroupBy: null,
  closedWithinDays: null,
  properties: [],
  hiddenGroups: [],
  collapsedGroups: []
}

type Body = Static<typeof NewView>
type StoredView = Omit<queries.ViewRow, 'ownerName'>

export const viewJson = ({ ownerId, ownerName, filters, ...row }: queries.ViewRow) => ({
  ...jsonOfRow(row),
  filters,
  owner: { id: ownerId, fullname: ownerName }
})

/** @throws 400 for filters that `POST /v1/issues/filter` refuses */
export async function filtersText(
  ctx: Ctx,
  caller: Caller,
  db: DatabaseHandle,
  readerId: Id,
  filters: object
): Promise<string> {
  const text = JSON.stringify(filters)
  if (text.length > MAX_FILTERS_LENGTH) {
    throw invalid(`body.filters has ${text.length} characters as JSON: send at most ${MAX_FILTERS_LENGTH}.`, {
      field: 'filters'
    })
  }
  await ctx.use.issues.checkFilters(caller, db, readerId, { ...filters })
  return text
}

/** @throws 400, 404 */
async function valuesOf(ctx: Ctx, caller: Principal, { filters, teamId, name: _, ...rest }: Partial<Body>) {
  const { db, use } = ctx
  return {
    ...rest,
    ...(filters && { filters: await filtersText(ctx, caller, db, caller.accountId, filters) }),
    ...(teamId !== undefined && { teamId: teamId && (await use.workspace.findTeam(caller, db, teamId)).id })
  }
}

export async function addView(ctx: Ctx, caller: Principal, body: Body): Promise<Id> {
  const { workspaceId, accountId } = caller
  const at = ctx.now()
  const row = {
    ...DEFAULTS,
    ...(await valuesOf(ctx, caller, body)),
    name: nameOfSomething(body.name, 'name'),
    ...{ id: newId(), workspaceId, ownerId: accountId, createdAt: at, updatedAt: at }
  }
  await ctx.transaction(trx => storeView(ctx, trx, caller, row))
  return row.id
}

/** @throws 409 when its owner or the workspace has too many */
export async function storeView(ctx: Ctx, trx: Trx, caller: Caller, row: queries.NewRow): Promise<void> {
  const { id: subjectId, workspaceId, name, ownerId, isShared } = row
  const { own, shared } = await queries.countViews(trx, workspaceId, ownerId)
  if (own >= MAX_OWN) throw conflict(`A person has at most ${MAX_OWN} views: remove one first.`)
  if (isShared) assertRoom(shared)
  await queries.insertView(trx, row)
  const event = { subjectId, data: { name, ownerId } }
  if (isShared) await ctx.emit(trx, contract.viewCreated, caller, [event])
  else await ctx.emit(trx, contract.privateViewCreated, caller, [{ ...event, accountId: ownerId }])
}

/** @throws 409 */
function assertRoom(sharedViews: number): void {
  if (sharedViews < MAX_SHARED) return
  throw conflict(`A workspace has at most ${MAX_SHARED} shared views: remove one first, or keep this one to yourself.`)
}

/** @throws 404; 403 unless it is the caller's, or shared and the caller an administrator */
async function lockOwn(trx: Trx, caller: Principal, id: Id): Promise<StoredView> {
  const view = await queries.lockView(trx, caller, id)
  if (view === undefined) throw notFound('view', id)
  if (view.ownerId === caller.accountId || caller.role === 'ADMIN') return view
  throw forbidden('Only its owner or an administrator may change this view: save one of your own.')
}

export async function changeView(
  ctx: Ctx,
  caller: Principal,
  id: Id,
  { previous, ...body }: Static<typeof ViewChanges>
): Promise<void> {
  const name = nameOfSomething(body.name, 'name')
  const values = { ...(await valuesOf(ctx, caller, body)), ...(name !== undefined && { name }), updatedAt: ctx.now() }
  await ctx.transaction(async trx => {
    const before = await lockOwn(trx, caller, id)
    assertUnchanged(previous, before)
    if (values.isShared === false && before.ownerId !== caller.accountId) {
      throw forbidden('Only its owner may take this view back: others would no longer see it, and neither would you.')
    }
    if (values.isShared === true && !before.isShared) {
      assertRoom((await queries.countViews(trx, caller.workspaceId, before.ownerId)).shared)
    }
    const after = await queries.updateView(trx, caller.workspaceId, id, values)
    await emitUpdated(ctx, trx, caller, before, after)
  })
}

const SCALARS = ['name', 'icon', 'teamId', 'orderBy', 'groupBy', 'subGroupBy', 'layout', 'closedWithinDays'] as const
const LISTS = ['filters', 'properties', 'hiddenGroups', 'collapsedGroups'] as const

/**
 * Everybody learns that a view became shared or private; other changes of a view that is or was private go to its owner
 * only.
 */
async function emitUpdated(ctx: Ctx, trx: Trx, caller: Caller, before: StoredView, after: StoredView): Promise<void> {
  await ctx.emit(trx, contract.viewUpdated, caller, updatedEvents(before, after, ['isShared']))
  const events = updatedEvents(before, after, SCALARS, LISTS)
  if (before.isShared && after.isShared) await ctx.emit(trx, contract.viewUpdated, caller, events)
  else {
    const ofOwner = events.map(event => ({ ...event, accountId: after.ownerId }))
    await ctx.emit(trx, contract.privateViewUpdated, caller, ofOwner)
  }
}

export const deleteView = (ctx: Ctx, caller: Principal, id: Id): Promise<void> =>
  ctx.transaction(async trx => {
    const { name, ownerId, isShared } = await lockOwn(trx, caller, id)
    await removeSubjects(trx, caller.workspaceId, [id])
    await queries.removeView(trx, caller.workspaceId, id)
    const event = { subjectId: id, data: { name, ownerId } }
    if (isShared) await ctx.emit(trx, contract.viewDeleted, caller, [event])
    else await ctx.emit(trx, contract.privateViewDeleted, caller, [{ ...event, accountId: ownerId }])
  })

/** The filters of a view by its id or name, for a listing. @throws 404, 400 that lists the names */
export async function savedFiltersOf(reader: SignedIn, handle: DatabaseHandle, ref: string) {
  const db: Db = handle
  const matches = await queries.findViewsCalled(db, reader, ref)
  const named = isId(ref)
    ? matches
    : exactFirst(
        matches.filter(({ name }) => foldLine(name) === foldLine(ref)),
        ref
      )
  const view = onlyMatch('view', named, ({ id }) => id, 'viewId')
  if (view === undefined) {
    throw isId(ref) ? notFound('view', ref) : unknownName('view', ref, await queries.listNames(db, reader), 'viewId')
  }
  const { filters, orderBy, teamId, closedWithinDays } = view
  const ofTeam: Filters = teamId === null ? {} : { team: { filterType: 'IS', value: [teamId] } }
  const ofAge: Filters =
    closedWithinDays === null ? {} : { closedWithinDays: { filterType: 'IS', value: closedWithinDays } }
  return { filters: mergeFilters(ofTeam, filters, ofAge), orderBy }
}
