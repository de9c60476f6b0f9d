import { hash } from 'node:crypto'
import { expressionBuilder, sql, type Expression, type RawBuilder } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Db, Trx } from './context.ts'
import type { EmbeddingsTables, Near } from './contract.ts'
import type { Model } from './model.ts'

/** The texts of one kind in one workspace. */
export interface Pool {
  workspaceId: Id
  name: string
}

/** A part of a text, as it is stored. */
export interface Part {
  id: Id
  part: number
  content: string
  hash: string
}

/** Which models answer in a pool, and which one's vectors are being made. */
export interface PoolModels {
  model: string
  dimensions: number
  nextModel: string
}

/** Rows that one statement deletes. */
const MAX_DELETED_ROWS = 500

// ---- Texts

/** Keeps the parts of texts, replacing what their ids held. @returns whether one of them needs a new vector */
export async function putParts(
  db: Db,
  { workspaceId, name }: Pool,
  ids: readonly Id[],
  parts: readonly Part[]
): Promise<boolean> {
  const column = <K extends keyof Part>(key: K) => parts.map(part => part[key])
  const given = sql<Part>`unnest(
    ${column('id')}::uuid[], ${column('part')}::integer[], ${column('content')}::text[], ${column('hash')}::text[])`
  const changed = await db
    .with('given', cte => cte.selectFrom(given.as<'row'>(sql`row (id, part, content, hash)`)).selectAll())
    .with('removed', cte =>
      cte
        .deleteFrom('embeddingText as text')
        .where('text.workspaceId', '=', workspaceId)
        .where('text.pool', '=', name)
        .where(sql<boolean>`text.id = any(${ids}::uuid[])`)
        .where(({ not, exists, selectFrom, lit }) =>
          not(
            exists(
              selectFrom('given')
                .select(lit(1).as('one'))
                .whereRef('given.id', '=', 'text.id')
                .whereRef('given.part', '=', 'text.part')
            )
          )
        )
    )
    .insertInto('embeddingText')
    .columns(['workspaceId', 'pool', 'id', 'part', 'content', 'hash'])
    .expression(eb =>
      eb
        .selectFrom('given')
        .select(({ val }) => [
          val(workspaceId).as('workspaceId'),
          val(name).as('pool'),
          'given.id',
          'given.part',
          'given.content',
          'given.hash'
        ])
    )
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'pool', 'id', 'part'])
        .doUpdateSet({
          content: ({ ref }) => ref('excluded.content'),
          hash: ({ ref }) => ref('excluded.hash'),
          waiting: true
        })
        .whereRef('embeddingText.hash', '<>', 'excluded.hash')
    )
    .returning('embeddingText.id')
    .execute()
  return changed.length > 0
}

export async function removeTexts(db: Db, { workspaceId, name }: Pool, ids: readonly Id[]): Promise<void> {
  await db
    .deleteFrom('embeddingText')
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** SQL: whether the pool has the text of that id. */
export function hasText({ workspaceId, name }: Pool, id: Expression<Id>): RawBuilder<boolean> {
  const text = expressionBuilder<EmbeddingsTables>()
    .selectFrom('embeddingText as text')
    .select(sql.lit(1).as('one'))
    .where('text.workspaceId', '=', workspaceId)
    .where('text.pool', '=', name)
    .where('text.id', '=', id)
  return sql<boolean>`exists ${text}`
}

// ---- What waits for its vectors

/** The pools in which texts wait for their vectors. */
export const findWaitingPools = (db: Db): Promise<Pool[]> =>
  db
    .selectFrom('embeddingText')
    .select(['workspaceId', 'pool as name'])
    .distinct()
    .where('waiting', '=', true)
    .execute()

/** How many parts of texts wait for their vectors. */
export async function countWaiting(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('embeddingText')
    .select(eb => eb.fn.countAll<number>().as('waiting'))
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow()
  return waiting
}

/** The next parts that wait for this model: the beginnings of texts first, and of these the newest. */
export const findWaiting = (db: Db, { workspaceId, name }: Pool, model: Model, limit: number): Promise<Part[]> =>
  db
    .selectFrom('embeddingText as text')
    .innerJoin('embeddingPool as pool', join =>
      join.on('pool.workspaceId', '=', workspaceId).on('pool.pool', '=', name).on('pool.nextModel', '=', model.id)
    )
    .select(['text.id', 'text.part', 'text.content', 'text.hash'])
    .where('text.workspaceId', '=', workspaceId)
    .where('text.pool', '=', name)
    .where('text.waiting', '=', true)
    .orderBy('text.part')
    .orderBy('text.id', 'desc')
    .limit(limit)
    .execute()

/** Stores vectors. A text that has changed since goes on waiting, and so do all once another model was adopted. */
export async function storeVectors(
  db: Db,
  { workspaceId, name }: Pool,
  model: Model,
  parts: readonly Part[],
  vectors: readonly number[][]
): Promise<void> {
  const column = <K extends keyof Part>(key: K) => parts.map(part => part[key])
  const given = sql<{ id: Id; part: number; hash: string; vector: string }>`unnest(
    ${column('id')}::uuid[], ${column('part')}::integer[], ${column('hash')}::text[],
    ${vectors.map(vector => JSON.stringify(vector))}::text[])`
  await db
    .with('adopted', cte =>
      cte
        .selectFrom('embeddingPool as pool')
        .select('pool.nextModel')
        .where('pool.workspaceId', '=', workspaceId)
        .where('pool.pool', '=', name)
        .where('pool.nextModel', '=', model.id)
        .forShare()
    )
    .with('current', cte =>
      cte
        .updateTable('embeddingText as text')
        .from(given.as<'given'>(sql`given (id, part, hash, vector)`))
        .innerJoin('adopted', join => join.onTrue())
        .set({ waiting: false })
        .where('text.workspaceId', '=', workspaceId)
        .where('text.pool', '=', name)
        .whereRef('text.id', '=', 'given.id')
        .whereRef('text.part', '=', 'given.part')
        .whereRef('text.hash', '=', 'given.hash')
        .returning(['text.id', 'text.part', 'given.vector'])
    )
    .insertInto('embedding')
    .columns(['workspaceId', 'pool', 'id', 'part', 'model', 'vector'])
    .expression(eb =>
      eb
        .selectFrom('current')
        .select(({ val, ref }) => [
          val(workspaceId).as('workspaceId'),
          val(name).as('pool'),
          'current.id',
          'current.part',
          val(model.id).as('model'),
          sql<string>`${ref('current.vector')}::halfvec`.as('vector')
        ])
    )
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'pool', 'id', 'part', 'model'])
        .doUpdateSet({ vector: ({ ref }) => ref('excluded.vector') })
    )
    .execute()
}

// ---- Models

/** The models whose vectors answer in some pool. */
export const findAnsweringModels = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('embeddingPool').select('model').distinct().execute()).map(({ model }) => model)

/** Makes this the next model of every pool; all texts of a pool that had another one wait for their vectors. */
export async function adoptModel(trx: Trx, { id, dimensions }: Model): Promise<void> {
  // Raw: a function call, and no query.
  await sql`select pg_advisory_xact_lock(hashtextextended('embeddings index', 0))`.execute(trx)
  await dropUnusedIndexes(trx)
  // Raw, because Kysely cannot put an expression with an operator class into an index.
  await sql`
    create index if not exists ${sql.id(indexName(id))} on embedding
    using hnsw (${vectorOf('embedding', dimensions)} halfvec_cosine_ops)
    where model = ${sql.lit(id)}`.execute(trx)
  await trx
    .with('changed', cte =>
      cte
        .updateTable('embeddingPool')
        .set({ nextModel: id })
        .where('nextModel', 'is distinct from', id)
        .returning(['workspaceId', 'pool'])
    )
    .updateTable('embeddingText as text')
    .from('changed')
    .set({ waiting: true })
    .whereRef('text.workspaceId', '=', 'changed.workspaceId')
    .whereRef('text.pool', '=', 'changed.pool')
    .execute()
}

/** A pool that is new gets the model; one that has another keeps it. */
export async function addPool(db: Db, { workspaceId, name }: Pool, { id, dimensions }: Model): Promise<void> {
  await db
    .insertInto('embeddingPool')
    .values({ workspaceId, pool: name, model: id, dimensions, nextModel: id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** From now on the next model answers, unless some text still waits for it. @returns whether it was another before */
export async function completeModel(db: Db, { workspaceId, name }: Pool, { id, dimensions }: Model): Promise<boolean> {
  const changed = await db
    .updateTable('embeddingPool')
    .set({ model: id, dimensions })
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where('nextModel', '=', id)
    .where('model', '<>', id)
    .where(({ not, exists, selectFrom, lit }) =>
      not(
        exists(
          selectFrom('embeddingText as text')
            .select(lit(1).as('one'))
            .where('text.workspaceId', '=', workspaceId)
            .where('text.pool', '=', name)
            .where('text.waiting', '=', true)
        )
      )
    )
    .returning('pool')
    .execute()
  return changed.length > 0
}

/** Deletes the vectors of models that neither answer in the pool nor are being made, a bounded number at a time. */
export async function deleteUnusedVectors(db: Db, { workspaceId, name }: Pool): Promise<void> {
  for (let deleted = MAX_DELETED_ROWS; deleted === MAX_DELETED_ROWS;) {
    const rows = await db
      .deleteFrom('embedding as vector')
      .where('vector.workspaceId', '=', workspaceId)
      .where('vector.pool', '=', name)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('vector.id', 'vector.part', 'vector.model'),
          'in',
          selectFrom('embedding as unused')
            .innerJoin('embeddingPool as pool', join =>
              join.on('pool.workspaceId', '=', workspaceId).on('pool.pool', '=', name)
            )
            .select(['unused.id', 'unused.part', 'unused.model'])
            .where('unused.workspaceId', '=', workspaceId)
            .where('unused.pool', '=', name)
            .whereRef('unused.model', '<>', 'pool.model')
            .whereRef('unused.model', '<>', 'pool.nextModel')
            .limit(MAX_DELETED_ROWS)
            .$asTuple('id', 'part', 'model')
        )
      )
      .returning('vector.id')
      .execute()
    deleted = rows.length
  }
}

async function dropUnusedIndexes(trx: Trx): Promise<void> {
  const pools = await trx.selectFrom('embeddingPool').select(['model', 'nextModel']).distinct().execute()
  const used = new Set(pools.flatMap(({ model, nextModel }) => [indexName(model), indexName(nextModel)]))
  // Raw, because the catalogue is none of the plugin's tables.
  const { rows: indexes } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = current_schema() and tablename = 'embedding' and indexname like 'embedding_near_%'`.execute(trx)
  for (const { name } of indexes.filter(index => !used.has(index.name))) {
    await sql`drop index ${sql.id(name)}`.execute(trx)
  }
}

const indexName = (model: string) => `embedding_near_${hash('sha1', model).slice(0, 12)}`

/** The vector with its dimensions, which are the model's: as the index of the model says it. */
const vectorOf = (alias: string, dimensions: number): RawBuilder<string> =>
  sql`(${sql.ref(`${alias}.vector`)}::halfvec(${sql.lit(dimensions)}))`

// ---- Searching

/** The models of a pool, and the vector that the answering one made of a text, if it has. */
export const findPoolModels = (
  db: Db,
  { workspaceId, name }: Pool,
  id: Id | undefined
): Promise<(PoolModels & { stored: string | null }) | undefined> =>
  db
    .selectFrom('embeddingPool as pool')
    .leftJoin('embedding as vector', join =>
      join
        .on('vector.workspaceId', '=', workspaceId)
        .on('vector.pool', '=', name)
        .on('vector.id', '=', id ?? null)
        .on('vector.part', '=', 0)
        .onRef('vector.model', '=', 'pool.model')
    )
    .select(['pool.model', 'pool.dimensions', 'pool.nextModel', sql<string | null>`vector.vector::text`.as('stored')])
    .where('pool.workspaceId', '=', workspaceId)
    .where('pool.pool', '=', name)
    .executeTakeFirst()

/** Vectors that are looked at for each text that is wanted: a text may have several. */
const VECTORS_PER_TEXT = 2

export interface NearestQuery {
  model: string
  dimensions: number
  /** In pgvector's text form. */
  vector: string
  /** The text that is compared, which is no hit itself. */
  exceptId: Id | undefined
  limit: number
  maxDistance: number
}

/** The nearest texts of a pool, nearest first, by the index of the model. */
export async function findNearest(
  trx: Trx,
  { workspaceId, name }: Pool,
  { model, dimensions, vector, exceptId, limit, maxDistance }: NearestQuery
): Promise<Near[]> {
  // The index knows nothing of pools: it must go on until enough texts of this one are found.
  // Raw: settings, and no query.
  await sql`select set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.ef_search', ${String(Math.min(limit, 1000))}, true)`.execute(trx)
  const distance = sql<number>`(${vectorOf('vector', dimensions)} <=> ${vector}::halfvec)`
  const nearest = trx
    .selectFrom('embedding as vector')
    .select(['vector.id', distance.as('distance')])
    .where('vector.workspaceId', '=', workspaceId)
    .where('vector.pool', '=', name)
    .where('vector.model', '=', sql.lit(model))
    .where('vector.id', 'is distinct from', exceptId ?? null)
    .orderBy(distance)
    .limit(limit * VECTORS_PER_TEXT)
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
