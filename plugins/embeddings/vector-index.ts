import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller } from '../../core/contract.ts'
import { inPool, requestVectors, vectorOf, type Pool } from './backlog.ts'
import type { Near, VectorIndex } from './contract.ts'
import type { Ctx } from './context.ts'
import type { ModelHolder } from './model.ts'
import type { Outcome } from './outcomes.ts'
import { partsOf } from './parts.ts'

/** Milliseconds that a search waits for the vector of its query. */
const PATIENCE = 500
/** Vectors that are looked at for each text that is wanted: a text may have several. */
const PER_TEXT = 2

/** Whose vectors answer in a pool, and whose are being made. */
interface Answering {
  model: string
  dimensions: number
  nextModel: string
  stored: string | null
}
/** What is looked for, and among whose vectors. */
interface Wanted {
  model: string
  dimensions: number
  vector: string
}

const poolOf = ({ workspaceId }: Caller, name: string): Pool => ({ workspaceId, name })

export function makeVectorIndex(
  ctx: Ctx,
  models: ModelHolder,
  tell: (outcome: Outcome, error?: unknown) => undefined
): VectorIndex {
  return {
    async put(caller, trx, name, texts) {
      const pool = poolOf(caller, name)
      const parts = texts.flatMap(({ id, text }) =>
        partsOf(text).map((content, part) => ({ id, part, content, hash: hash('sha256', content) }))
      )
      const list = <K extends keyof (typeof parts)[number]>(key: K) => parts.map(part => part[key])
      const { rows } = await sql`
        with given as (
          select * from unnest(${list('id')}::uuid[], ${list('part')}::integer[], ${list('content')}::text[], ${list('hash')}::text[]) as g (id, part, content, hash)
        ), gone as (
          delete from embedding_text t where ${inPool(pool, 't')} and t.id = any(${texts.map(text => text.id)}::uuid[])
          and not exists (select 1 from given g where g.id = t.id and g.part = t.part)
        )
        insert into embedding_text as t (workspace_id, pool, id, part, content, hash)
        select ${pool.workspaceId}, ${pool.name}, g.id, g.part, g.content, g.hash from given g
        on conflict (workspace_id, pool, id, part) do update set content = excluded.content, hash = excluded.hash, waiting = true where t.hash <> excluded.hash
        returning 1`.execute(trx)
      if (rows.length > 0) await requestVectors(ctx, trx, pool)
    },

    async remove(caller, trx, name, ids) {
      if (ids.length === 0) return
      const pool = poolOf(caller, name)
      await sql`delete from embedding_text t where ${inPool(pool, 't')} and t.id = any(${ids}::uuid[])`.execute(trx)
    },

    async find(caller, name, { id, text }, { limit, within }) {
      const pool = poolOf(caller, name)
      const {
        rows: [answering]
      } = await sql<Answering>`
        select p.model, p.dimensions, p.next_model,
          (select e.vector::text from embedding e where ${inPool(pool, 'e')} and e.id = ${id ?? null}::uuid and e.part = 0 and e.model = p.model) as stored
        from embedding_pool p where ${inPool(pool, 'p')}`.execute(ctx.db)
      if (!answering) return tell('no vectors')
      const wanted =
        answering.stored === null ? await embedded(text, answering) : { ...answering, vector: answering.stored }
      if (!wanted) return undefined
      tell('meaning')
      return nearest(pool, wanted, id, limit, within)
    },

    holds: (caller, name, id) =>
      sql<boolean>`exists (select 1 from embedding_text t where ${inPool(poolOf(caller, name), 't')} and t.id = ${id})`
  }

  async function embedded(text: string, { model: answering, nextModel }: Answering): Promise<Wanted | undefined> {
    // Until the vectors of a new model are complete those of the old one answer; if it is gone, as many as there are.
    const model = models.named(answering) ?? models.named(nextModel)
    if (!model) return tell('no model')
    const signal = AbortSignal.timeout(PATIENCE)
    try {
      const [vector] = await model.embed(partsOf(text).slice(0, 1), { urgent: true, signal })
      return vector && { model: model.id, dimensions: model.dimensions, vector: JSON.stringify(vector) }
    } catch (error) {
      return tell(signal.aborted ? 'too late' : 'failed', error)
    }
  }

  async function nearest(
    pool: Pool,
    { model, dimensions, vector }: Wanted,
    id: string | undefined,
    limit: number,
    within: number
  ): Promise<Near[]> {
    // As the index of the model says it: only then is that index used.
    const distance = sql`(${vectorOf('e', dimensions)} <=> ${vector}::halfvec)`
    return ctx.transaction(async trx => {
      // The index knows nothing of pools: it must go on until enough of this one are found.
      await sql`select set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', ${String(Math.min(limit, 1000))}, true)`.execute(
        trx
      )
      const { rows } = await sql<Near>`
        select id, min(distance) as distance from (
          select e.id, ${distance} as distance from embedding e
          where ${inPool(pool, 'e')} and e.model = ${sql.lit(model)} and e.id is distinct from ${id ?? null}::uuid
          order by ${distance} limit ${limit * PER_TEXT}
        ) near where distance <= ${within}::double precision group by id order by 2, 1 limit ${limit}`.execute(trx)
      return rows
    })
  }
}
