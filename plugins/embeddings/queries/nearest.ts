import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { Near } from '../contract.ts'
import { vectorOf } from './models.ts'
import type { Pool } from './texts.ts'

/** Vectors read per requested text, because a text may have several. */
const VECTORS_PER_TEXT = 2

interface Compared {
  model: string
  dimensions: number
  /** In pgvector's text form. */
  vector: string
  /** True if texts are compared by their first parts: the beginning of a text shows its subject. */
  byFirstParts: boolean
}
interface NearestQuery extends Compared {
  /** The compared text, which is no hit itself. */
  exceptId: Id | undefined
  limit: number
  maxDistance: number
}

/** Nearest first, by the index of the model. */
export async function findNearest(
  trx: Trx,
  { workspaceId, name }: Pool,
  { model, dimensions, vector, byFirstParts, exceptId, limit, maxDistance }: NearestQuery
): Promise<Near[]> {
  // The index is not per pool: it must go on until enough texts of this one are found. Raw: settings, not a query.
  await sql`
    set local hnsw.iterative_scan = strict_order;
    set local hnsw.ef_search = ${sql.lit(Math.min(limit, 1000))}`.execute(trx)
  const distance = distanceOf(dimensions, vector)
  const nearest = trx
    .selectFrom('embedding as vector')
    .select(['vector.id', distance.as('distance')])
    .where('vector.workspaceId', '=', workspaceId)
    .where('vector.pool', '=', name)
    .where('vector.model', '=', sql.lit(model))
    .where('vector.id', 'is distinct from', exceptId ?? null)
    .$if(byFirstParts, query => query.where('vector.part', '=', 0))
    .orderBy(distance)
    .limit(byFirstParts ? limit : limit * VECTORS_PER_TEXT)
  return await trx
    .selectFrom(nearest.as('near'))
    .select(['near.id', eb => eb.fn.min<number>('near.distance').as('distance')])
    .where('near.distance', '<=', maxDistance)
    .groupBy('near.id')
    .orderBy('distance')
    .orderBy('near.id')
    .limit(limit)
    .execute()
}

/** The distances of texts of a pool: of each, that of its nearest part, or of its first. */
export const findDistances = (
  db: Db,
  { workspaceId, name }: Pool,
  { model, dimensions, vector, byFirstParts }: Compared,
  ids: readonly Id[]
): Promise<Near[]> =>
  db
    .selectFrom('embedding as vector')
    .select(['vector.id', eb => eb.fn.min(distanceOf(dimensions, vector)).as('distance')])
    .where('vector.workspaceId', '=', workspaceId)
    .where('vector.pool', '=', name)
    .where('vector.model', '=', sql.lit(model))
    .where(sql<boolean>`vector.id = any(${ids}::uuid[])`)
    .$if(byFirstParts, query => query.where('vector.part', '=', 0))
    .groupBy('vector.id')
    .execute()

/** The distance of the row `vector`. */
const distanceOf = (dimensions: number, vector: string) =>
  sql<number>`(${vectorOf('vector', dimensions)} <=> ${vector}::halfvec)`
