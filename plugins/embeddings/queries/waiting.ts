import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { Model } from '../model/model.ts'
import type { Part, Pool } from './texts.ts'

export const findWaitingPools = (db: Db): Promise<Pool[]> =>
  db
    .selectFrom('embeddingText')
    .select(['workspaceId', 'pool as name'])
    .distinct()
    .where('waiting', '=', true)
    .execute()

export async function countWaiting(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('embeddingText')
    .select(eb => eb.fn.countAll<number>().as('waiting'))
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow()
  return waiting
}

/** The beginnings of texts first, and of these the newest. */
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

/** A text that has changed since still waits, and so do all once another model was adopted. */
export async function storeVectors(
  db: Db,
  { workspaceId, name }: Pool,
  model: Model,
  parts: readonly Part[],
  vectors: readonly number[][]
): Promise<void> {
  const column = <K extends keyof Part>(key: K) => parts.map(part => part[key])
  const vectorRows = sql<{ id: Id; part: number; hash: string; vector: string }>`unnest(
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
        .from(vectorRows.as<'given'>(sql`given (id, part, hash, vector)`))
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
