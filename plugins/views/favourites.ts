import type { Principal, SignedIn } from '../../core/api/contract.ts'
import type { DatabaseHandle } from '../../core/api/database/types.ts'
import { invalid, notFound } from '../../core/api/errors.ts'
import type { Ctx } from './context.ts'
import { favouriteKinds, favouritesUpdated, type FavouriteKind, type FavouriteSubject } from './contract.ts'
import { listFavourites, lockFavourites, nameIssues, replaceFavourites, type Favourite } from './queries/favourites.ts'
import { nameViews } from './queries/views.ts'
import { MAX_FAVOURITES } from './schemas.ts'

export const ownKinds: readonly FavouriteKind[] = [
  { type: 'view', find: (reader, db, ids) => nameViews(db, reader, ids) },
  { type: 'issue', find: (reader, db, ids) => nameIssues(db, reader, ids) }
]
export const kindsOf = (ctx: Ctx): FavouriteKind[] => ctx.contributions(favouriteKinds).map(({ item }) => item)

type ShownFavourite = Favourite & FavouriteSubject

/** Leaves out favourites whose subjects are missing or not readable. */
async function named(
  ctx: Ctx,
  reader: SignedIn,
  db: DatabaseHandle,
  favourites: readonly Favourite[]
): Promise<ShownFavourite[]> {
  const subjects = new Map<string, FavouriteSubject>()
  for (const { type, find } of kindsOf(ctx)) {
    const ids = favourites.filter(favourite => favourite.type === type).map(({ id }) => id)
    if (ids.length === 0) continue
    for (const subject of await find(reader, db, ids)) subjects.set(`${type} ${subject.id}`, subject)
  }
  return favourites.flatMap(({ type, id }) => {
    const subject = subjects.get(`${type} ${id}`)
    return subject === undefined ? [] : [{ type, ...subject }]
  })
}

export const readFavourites = async (ctx: Ctx, reader: SignedIn): Promise<ShownFavourite[]> =>
  named(ctx, reader, ctx.db, await listFavourites(ctx.db, reader))

/**
 * Replaces the favourites that the caller can read: the others keep their places for when they can be read again.
 * @throws 400 for a duplicate, 404 for a missing subject
 */
export async function setFavourites(
  ctx: Ctx,
  caller: Principal,
  favourites: readonly Favourite[]
): Promise<ShownFavourite[]> {
  const requested = favourites.map(({ type, id }) => ({ type, id: id.toLowerCase() }))
  const keys = requested.map(({ type, id }) => `${type} ${id}`)
  const twice = requested.find((_, n) => keys.indexOf(keys[n]!) !== n)
  if (twice) throw invalid(`body.favourites has the ${twice.type} ${twice.id} twice.`, { field: 'favourites' })
  const shown = await named(ctx, caller, ctx.db, requested)
  const missing = requested.find(({ type, id }) => !shown.some(other => other.type === type && other.id === id))
  if (missing) throw notFound(missing.type, missing.id)
  const { accountId } = caller
  await ctx.transaction(async trx => {
    await lockFavourites(trx, caller)
    const before = await listFavourites(trx, caller)
    const readable = await named(ctx, caller, trx, before)
    const isHidden = ({ type, id }: Favourite) => !readable.some(other => other.type === type && other.id === id)
    await replaceFavourites(trx, caller, withHidden(requested, before, isHidden))
    await ctx.emit(trx, favouritesUpdated, caller, [{ subjectId: accountId, accountId, data: {} }])
  })
  return shown
}

/** Each hidden favourite stays after the one that it followed, as far as there is room. */
function withHidden(
  requested: readonly Favourite[],
  before: readonly Favourite[],
  isHidden: (favourite: Favourite) => boolean
): Favourite[] {
  const all = [...requested]
  before.forEach((favourite, at) => {
    if (!isHidden(favourite) || all.length >= MAX_FAVOURITES) return
    const placeOf = ({ type, id }: Favourite) => all.findIndex(other => other.type === type && other.id === id)
    const previous = before.slice(0, at).findLast(other => placeOf(other) !== -1)
    all.splice(previous ? placeOf(previous) + 1 : 0, 0, favourite)
  })
  return all
}
