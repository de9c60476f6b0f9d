import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { NIL_ID } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { Model } from '../model/model.ts'
import type { Pool } from './texts.ts'

const MAX_DELETED_ROWS = 500

/** With the answering model's vector of a text, if it exists. */
export const findPoolModels = (db: Db, { workspaceId, name }: Pool, id: Id | undefined) =>
  db
    .selectFrom('embeddingPool as pool')
    .leftJoin('embedding as vector', join =>
      join
        .on('vector.workspaceId', '=', workspaceId)
        .on('vector.pool', '=', name)
        // Not null, with which the planner would drop the table, and a distributed engine its workspace.
        .on('vector.id', '=', id ?? NIL_ID)
        .on('vector.part', '=', 0)
        .onRef('vector.model', '=', 'pool.model')
    )
    .select(['pool.model', 'pool.dimensions', 'pool.nextModel', sql<string | null>`vector.vector::text`.as('stored')])
    .where('pool.workspaceId', '=', workspaceId)
    .where('pool.pool', '=', name)
    .executeTakeFirst()

export const findAnsweringModels = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('embeddingPool').select('model').distinct().execute()).map(({ model }) => model)

/** Makes this the next model of every pool; all texts of a pool with another one wait for their vectors. */
export async function adoptModel(trx: Trx, { id, dimensions }: Model): Promise<void> {
  // Raw: a function call, not a query.
  await sql`select pg_advisory_xact_lock(hashtextextended('embeddings index', 0))`.execute(trx)
  await dropUnusedIndexes(trx)
  // Raw: Kysely has no operator classes for expressions in an index.
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

/** A new pool gets the model; others keep theirs. */
export async function addPool(trx: Trx, { workspaceId, name }: Pool, { id, dimensions }: Model): Promise<void> {
  await trx
    .insertInto('embeddingPool')
    .values({ workspaceId, pool: name, model: id, dimensions, nextModel: id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Makes the next model answer, unless a text still waits for it. @returns true if another one answered before */
export async function completeModel(
  trx: Trx,
  { workspaceId, name }: Pool,
  { id, dimensions }: Model
): Promise<boolean> {
  const changed = await trx
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

/** Deletes a bounded number of vectors of unused models. @returns false when none are left */
export async function deleteUnusedVectors(trx: Trx, { workspaceId, name }: Pool): Promise<boolean> {
  const deleted = await trx
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
  return deleted.length === MAX_DELETED_ROWS
}

async function dropUnusedIndexes(trx: Trx): Promise<void> {
  const pools = await trx.selectFrom('embeddingPool').select(['model', 'nextModel']).distinct().execute()
  const used = new Set(pools.flatMap(({ model, nextModel }) => [indexName(model), indexName(nextModel)]))
  // Raw, because the catalogue has no types here.
  const { rows: indexes } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = current_schema() and tablename = 'embedding' and indexname like 'embedding_near_%'`.execute(trx)
  for (const { name } of indexes.filter(index => !used.has(index.name))) {
    await sql`drop index ${sql.id(name)}`.execute(trx)
  }
}

const indexName = (model: string) => `embedding_near_${hash('sha1', model).slice(0, 12)}`

/** The vector with the model's dimensions, as in the expression of the index. */
export const vectorOf = (alias: string, dimensions: number): RawBuilder<string> =>
  sql`(${sql.ref(`${alias}.vector`)}::halfvec(${sql.lit(dimensions)}))`
