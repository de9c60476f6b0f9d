import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { job } from '../../core/contract.ts'
import type { Handle, Id, TransactionHandle } from '../../core/db/tables.ts'
import type { Ctx } from './context.ts'
import { embeddings } from './contract.ts'
import type { Model } from './model.ts'

/** The texts of one kind in one workspace. */
export interface Pool {
  workspaceId: Id
  name: string
}

/** Texts of one pool wait for their vectors. */
export const embedWaiting = job<{ workspaceId: Id; pool: string }>()(embeddings, 'embedWaiting', { keyed: true })

/** Vectors of models that answer in a pool no more are to go. */
export const forgetModels = job<{ workspaceId: Id; pool: string }>()(embeddings, 'forgetModels', { keyed: true })
/** Seconds until then: searches that have begun still ask them. */
const FORGOTTEN_AFTER = 60

/** Milliseconds that one question to the model may take, and one write: a search that comes meanwhile waits as long. */
const STEP = 100
const MOST_AT_ONCE = 32
/** Milliseconds of work in one job; what is left is another one's, after those of other pools. */
const SHIFT = 10_000
/** Rows that one statement deletes. */
const DELETED_AT_ONCE = 500

export const inPool = ({ workspaceId, name }: Pool, alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(alias)}.workspace_id = ${workspaceId} and ${sql.ref(alias)}.pool = ${name}`
/** The vector with its dimensions, which are the model's. */
export const vectorOf = (alias: string, dimensions: number): RawBuilder<string> =>
  sql`(${sql.ref(`${alias}.vector`)}::halfvec(${sql.lit(dimensions)}))`

/** Has the texts of a pool embedded that wait for it. */
export const requestVectors = (ctx: Ctx, db: Handle, pool: Pool): Promise<void> =>
  ctx.enqueue(db, embedWaiting, [payloadOf(pool)], { key: keyOf(pool) })
const payloadOf = ({ workspaceId, name }: Pool) => ({ workspaceId, pool: name })
const keyOf = ({ workspaceId, name }: Pool) => `${workspaceId}/${name}`

export async function requestAllVectors(ctx: Ctx): Promise<void> {
  for (const { workspaceId, pool } of await ctx.db
    .selectFrom('embeddingText')
    .select(['workspaceId', 'pool'])
    .distinct()
    .where('waiting', '=', true)
    .execute()) {
    await requestVectors(ctx, ctx.db, { workspaceId, name: pool })
  }
}

/** Texts that wait for their vectors. */
export async function countWaiting({ db }: Ctx): Promise<number> {
  const { waiting } = await db
    .selectFrom('embeddingText')
    .select(eb => eb.fn.countAll<number>().as('waiting'))
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow()
  return waiting
}

/** The models whose vectors answer in some pool. */
export async function answeringModels({ db }: Ctx): Promise<string[]> {
  return (await db.selectFrom('embeddingPool').select('model').distinct().execute()).map(({ model }) => model)
}

/** From now on the vectors of this model are made; those of the one before answer until all are there. The last one that was started prevails. */
export async function adopt(ctx: Ctx, { id, dimensions }: Model): Promise<void> {
  await ctx.transaction(async trx => {
    await sql`select pg_advisory_xact_lock(hashtextextended('embeddings index', 0))`.execute(trx)
    await dropUnusedIndexes(trx)
    await sql`create index if not exists ${sql.id(indexOf(id))} on embedding using hnsw (${vectorOf('embedding', dimensions)} halfvec_cosine_ops) where model = ${sql.lit(id)}`.execute(
      trx
    )
    await sql`
      with changed as (update embedding_pool set next_model = ${id} where next_model is distinct from ${id} returning workspace_id, pool)
      update embedding_text t set waiting = true from changed c where t.workspace_id = c.workspace_id and t.pool = c.pool`.execute(
      trx
    )
  })
}

/**
 * Embeds what waits in a pool: the beginnings of texts first, and of these the newest.
 * Without a model it does nothing: whoever gets one asks for all that waits.
 */
export async function embedPool(ctx: Ctx, pool: Pool, model: Model | undefined, signal: AbortSignal): Promise<void> {
  if (!model) return
  const { workspaceId, name } = pool
  await ctx.db
    .insertInto('embeddingPool')
    .values({ workspaceId, pool: name, model: model.id, dimensions: model.dimensions, nextModel: model.id })
    .onConflict(c => c.doNothing())
    .execute()
  const until = performance.now() + SHIFT
  for (let atOnce = 1; !signal.aborted && performance.now() < until;) {
    const { rows: texts } = await sql<Waiting>`
      select t.id, t.part, t.content, t.hash from embedding_text t
      join embedding_pool p on p.workspace_id = t.workspace_id and p.pool = t.pool and p.next_model = ${model.id}
      where ${inPool(pool, 't')} and t.waiting order by t.part, t.id desc limit ${atOnce}`.execute(ctx.db)
    if (texts.length === 0) return complete(ctx, pool, model)
    const asked = performance.now()
    const vectors = await model.embed(texts.map(text => text.content))
    const embedded = performance.now()
    await keep(ctx, pool, model, texts, vectors)
    const longest = Math.max(embedded - asked, performance.now() - embedded)
    atOnce = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor((STEP * texts.length) / longest)))
  }
  await requestVectors(ctx, ctx.db, pool)
}

interface Waiting {
  id: Id
  part: number
  content: string
  hash: string
}

/** A text that has changed since goes on waiting, and so do all once another model has been adopted. */
async function keep(
  { db }: Ctx,
  pool: Pool,
  model: Model,
  texts: readonly Waiting[],
  vectors: readonly number[][]
): Promise<void> {
  await sql`
    with adopted as materialized (
      select 1 from embedding_pool p where ${inPool(pool, 'p')} and p.next_model = ${model.id} for share
    ), done as (
      update embedding_text t set waiting = false
      from adopted, unnest(${texts.map(t => t.id)}::uuid[], ${texts.map(t => t.part)}::integer[], ${texts.map(t => t.hash)}::text[], ${vectors.map(vector => JSON.stringify(vector))}::text[]) as d (id, part, hash, vector)
      where ${inPool(pool, 't')} and t.id = d.id and t.part = d.part and t.hash = d.hash returning t.id, t.part, d.vector
    )
    insert into embedding (workspace_id, pool, id, part, model, vector)
    select ${pool.workspaceId}, ${pool.name}, id, part, ${model.id}, vector::halfvec from done
    on conflict (workspace_id, pool, id, part, model) do update set vector = excluded.vector`.execute(db)
}

/** Nothing waits any more: from now on the model answers. */
async function complete(ctx: Ctx, pool: Pool, { id, dimensions }: Model): Promise<void> {
  await ctx.transaction(async trx => {
    const { rows } = await sql`
      update embedding_pool p set model = ${id}, dimensions = ${dimensions} where ${inPool(pool, 'p')} and p.next_model = ${id} and p.model <> ${id}
      and not exists (select 1 from embedding_text t where ${inPool(pool, 't')} and t.waiting) returning 1`.execute(trx)
    if (rows.length === 0) return
    await ctx.enqueue(trx, forgetModels, [payloadOf(pool)], { key: keyOf(pool), delaySeconds: FORGOTTEN_AFTER })
    ctx.log.info({ ...pool, model: id }, 'the vectors of the new embedding model are complete')
  })
}

export async function forgetVectors({ db }: Ctx, pool: Pool): Promise<void> {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
    const { rows } = await sql`
      delete from embedding e where ${inPool(pool, 'e')} and (e.id, e.part, e.model) in (
        select o.id, o.part, o.model from embedding o join embedding_pool p on p.workspace_id = o.workspace_id and p.pool = o.pool and o.model not in (p.model, p.next_model)
        where ${inPool(pool, 'o')} limit ${DELETED_AT_ONCE}) returning 1`.execute(db)
    deleted = rows.length
  }
}

async function dropUnusedIndexes(trx: TransactionHandle): Promise<void> {
  const { rows: pools } = await sql<{
    model: string
  }>`select model from embedding_pool union select next_model from embedding_pool`.execute(trx)
  const used = new Set(pools.map(({ model }) => indexOf(model)))
  const { rows: indexes } = await sql<{
    name: string
  }>`select indexname as name from pg_indexes where schemaname = current_schema() and tablename = 'embedding' and indexname like 'embedding_near_%'`.execute(
    trx
  )
  for (const { name } of indexes.filter(index => !used.has(index.name))) {
    await sql`drop index ${sql.id(name)}`.execute(trx)
  }
}
const indexOf = (model: string) => `embedding_near_${hash('sha1', model).slice(0, 12)}`
