import { sql, type Transaction } from 'kysely'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { isId } from '../../core/db/sql.ts'
import { newId } from '../../core/id.ts'
import { accountRecords, accountsNamed, addRemovedAccounts } from './accounts.ts'
import { recordKinds, type Batch, type Item, type TransferTables } from './contract.ts'
import { inOrder, makeReader, type Line } from './format.ts'
import type { Ctx } from './context.ts'

/** Lines of one transaction. */
const BATCH = 500
/** Characters of the lines of one transaction: markup makes JSON a hundred times as long. */
const MAX_BATCH_LENGTH = 1024 * 1024

export interface Report {
  /** Records by their kinds. */
  added: Record<string, number>
  there: number
  skipped: Array<{ line: number; reason: string }>
}
type Trx = Transaction<CoreTables & TransferTables>
type Read = Item<Line>

/**
 * Imports lines in batches, each a transaction: an import that is cut off is continued by running it again, because
 * what is there already is passed over. A line that cannot be used is reported and the others go on.
 * @param actorId the administrator in whose place it is done
 */
export async function importLines(
  ctx: Ctx,
  workspaceId: Id,
  actorId: Id,
  lines: AsyncIterable<string>,
  progress: (report: Report) => void = () => {}
): Promise<Report> {
  const kinds = inOrder([accountRecords(ctx.scopes), ...ctx.contributions(recordKinds).map(({ item }) => item)])
  const read = makeReader(kinds)
  const report: Report = { added: Object.fromEntries(kinds.map(({ kind }) => [kind, 0])), there: 0, skipped: [] }
  let batch: Array<{ line: number; record: Line }> = []
  let line = 0
  let length = 0
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    try {
      batch.push({ line, record: read(text) })
    } catch (error) {
      report.skipped.push({ line, reason: (error as Error).message })
    }
    length += text.length
    if (batch.length >= BATCH || length >= MAX_BATCH_LENGTH) await flush()
  }
  await flush()
  return report

  async function flush(): Promise<void> {
    const read = batch
    batch = []
    length = 0
    // A transaction may be tried again: what it did counts once it is done.
    const done = await ctx.transaction(trx => addBatch(trx, read))
    for (const [kind, n] of done.added) report.added[kind]! += n
    report.there += done.there
    report.skipped.push(...done.skipped)
    progress(report)
  }

  async function addBatch(trx: Trx, read: typeof batch) {
    const done = { added: new Map<string, number>(), there: 0, skipped: [] as Report['skipped'] }
    const ids = new Map(kinds.map(({ kind }) => [kind, new Map<string, Id>()]))
    for (const { kind, add } of kinds) {
      const records = read.filter(({ record }) => record.kind === kind)
      if (records.length === 0) continue
      const known = await find(
        kind,
        records.map(({ record }) => record.externalId)
      )
      const items: Read[] = []
      const pending = ids.get(kind)!
      for (const { line, record } of records) {
        const { kind: _, ...fields } = record
        const name = record.externalId
        if (name !== undefined && (known.has(name) || pending.has(name))) {
          done.there++
          continue
        }
        const item = {
          line,
          record: fields as Line,
          id: name !== undefined && isId(name) ? name.toLowerCase() : newId()
        }
        items.push(item)
        if (name !== undefined) pending.set(name, item.id)
      }
      const left = new Set<Read>()
      const leave = (item: Read, id?: Id) => {
        left.add(item)
        if (item.record.externalId === undefined) return
        if (id === undefined) pending.delete(item.record.externalId)
        else pending.set(item.record.externalId, id)
      }
      const given: Batch<Line> = {
        trx,
        caller: { ...ctx.asServer(workspaceId, actorId), origin: 'import' },
        workspaceId,
        actorId,
        now: ctx.now(),
        items,
        find,
        people,
        skip(item, reason) {
          leave(item)
          done.skipped.push({ line: item.line, reason })
        },
        isThere(item, id) {
          leave(item, id)
          done.there++
        }
      }
      await (add as (batch: Batch<Line>) => Promise<void>)(given)
      done.added.set(kind, items.length - left.size)
      await remember(kind, [...pending])
    }
    return done

    async function find(kind: string, names: Iterable<string | null | undefined>): Promise<Map<string, Id>> {
      const wanted = [...new Set(names)].filter(name => name != null)
      const found = new Map(
        wanted.flatMap(name => (ids.get(kind)?.has(name) ? [[name, ids.get(kind)!.get(name)!] as const] : []))
      )
      const others = wanted.filter(name => !found.has(name))
      const table = kinds.find(k => k.kind === kind)?.table
      if (others.length === 0 || table === undefined) return found
      const { rows } = await sql<{ externalId: string; id: Id }>`
        select external_id, id from imported_record where workspace_id = ${workspaceId} and kind = ${kind} and external_id = any(${others}::text[])
        union all select id::text, id from ${sql.table(table)} where workspace_id = ${workspaceId} and id = any(${others.filter(isId)}::uuid[])`.execute(
        trx
      )
      const there = new Map(rows.map(({ externalId, id }) => [externalId, id]))
      for (const name of others) {
        const id = there.get(name) ?? (isId(name) ? there.get(name.toLowerCase()) : undefined)
        if (id !== undefined) found.set(name, id)
      }
      return found
    }

    async function people(names: Iterable<string | null | undefined>): Promise<Map<string, Id>> {
      const found = await find('account', names)
      const unknown = (among: Iterable<string | null | undefined>) =>
        [...new Set(among)].filter(name => name != null && !found.has(name)) as string[]
      const named = unknown(names)
      if (named.length > 0) for (const [name, id] of await accountsNamed(trx, workspaceId, named)) found.set(name, id)
      const missing = unknown(named)
      if (missing.length > 0) {
        for (const [name, id] of await addRemovedAccounts(trx, workspaceId, missing, actorId, ctx.now())) {
          found.set(name, id)
        }
      }
      return found
    }

    /** Those that have another id than their name. */
    async function remember(kind: string, names: Array<[string, Id]>): Promise<void> {
      const other = names.filter(([name, id]) => name.toLowerCase() !== id)
      if (other.length > 0) {
        await trx
          .insertInto('importedRecord')
          .values(other.map(([externalId, id]) => ({ workspaceId, kind, externalId, id })))
          .execute()
      }
    }
  }
}
