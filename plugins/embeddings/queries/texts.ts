import { expressionBuilder, sql, type Expression, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import type { EmbeddingsTables } from '../contract.ts'

export interface Pool {
  workspaceId: Id
  name: string
}

export interface Part {
  id: Id
  part: number
  content: string
  hash: string
}

/** @returns true if a part needs a new vector */
export async function putParts(
  trx: Trx,
  { workspaceId, name }: Pool,
  ids: readonly Id[],
  parts: readonly Part[]
): Promise<boolean> {
  const column = <K extends keyof Part>(key: K) => parts.map(part => part[key])
  const keys = sql<Pick<Part, 'id' | 'part'>>`unnest(${column('id')}::uuid[], ${column('part')}::integer[])`
  // Two statements: a distributed engine plans each, but not one inside the other.
  await trx
    .deleteFrom('embeddingText as text')
    .where('text.workspaceId', '=', workspaceId)
    .where('text.pool', '=', name)
    .where(sql<boolean>`text.id = any(${ids}::uuid[])`)
    .where(({ not, exists, selectFrom, lit }) =>
      not(
        exists(
          selectFrom(keys.as<'kept'>(sql`kept (id, part)`))
            .select(lit(1).as('one'))
            .whereRef('kept.id', '=', 'text.id')
            .whereRef('kept.part', '=', 'text.part')
        )
      )
    )
    .execute()
  if (parts.length === 0) return false
  const newParts = sql<Part>`unnest(
    ${column('id')}::uuid[], ${column('part')}::integer[], ${column('content')}::text[], ${column('hash')}::text[])`
  const changed = await trx
    .insertInto('embeddingText')
    .columns(['workspaceId', 'pool', 'id', 'part', 'content', 'hash'])
    .expression(eb =>
      eb
        .selectFrom(newParts.as<'given'>(sql`given (id, part, content, hash)`))
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
          // A literal: a distributed engine does not know the types of parameters here.
          waiting: sql.lit(true)
        })
        .whereRef('embeddingText.hash', '<>', 'excluded.hash')
    )
    .returning('embeddingText.id')
    .execute()
  return changed.length > 0
}

export async function removeTexts(trx: Trx, { workspaceId, name }: Pool, ids: readonly Id[]): Promise<void> {
  await trx
    .deleteFrom('embeddingText')
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** SQL */
export function hasText({ workspaceId, name }: Pool, id: Expression<Id>): RawBuilder<boolean> {
  const text = expressionBuilder<EmbeddingsTables>()
    .selectFrom('embeddingText as text')
    .select(sql.lit(1).as('one'))
    .where('text.workspaceId', '=', workspaceId)
    .where('text.pool', '=', name)
    .where('text.id', '=', id)
  return sql<boolean>`exists ${text}`
}
