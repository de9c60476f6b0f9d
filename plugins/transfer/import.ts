import { sql } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import { accountRecords } from './accounts.ts'
import { makeAnalyzer } from './analyze.ts'
import { importBatch, type Done, type Kept, type ReadLine, type Skipped } from './batch.ts'
import { recordKinds } from './contract.ts'
import { inOrder, makeReader } from './format.ts'
import type { PlacedLine } from '../importers/contract.ts'
import type { Into, Trx } from './names.ts'
import type { Ctx, Db } from './context.ts'

/** Lines of one transaction. */
const BATCH = 500
/** Characters of the lines of one transaction: markup makes JSON a hundred times as long. */
const MAX_BATCH_LENGTH = 1024 * 1024

/** What an import did; records are counted by their kinds. */
export interface Report {
  added: Record<string, number>
  updated: Record<string, number>
  /** Records that were there already, and have not changed where they come from. */
  there: number
  thereByKind: Record<string, number>
  /** Records that were deleted here since they came: they stay so. */
  deleted: Record<string, number>
  skipped: Skipped[]
  kept: Kept[]
}
export interface ImportOptions {
  /** Where the records come from; without it, their names belong to the import format itself. */
  source?: string
  /** Does all of it, and takes it back. */
  dryRun?: boolean
  progress?: (report: Report) => void
}

/** Ends the transaction of a dry run. */
class DryRunEnds extends Error {}

/**
 * Imports lines in batches, each a transaction: an import that is cut off is continued by running it again, because
 * what is there already is passed over. A line that cannot be used is reported and the others go on.
 * @param actorId the administrator in whose place it is done
 */
export async function importLines(
  ctx: Ctx,
  workspaceId: Id,
  actorId: Id,
  lines: AsyncIterable<string | PlacedLine>,
  { source = '', dryRun = false, progress = () => {} }: ImportOptions = {}
): Promise<Report> {
  const kinds = inOrder([accountRecords(ctx), ...ctx.contributions(recordKinds).map(({ item }) => item)])
  const into: Into = { workspaceId, actorId, source, kinds, now: ctx.now() }
  const caller = { ...ctx.asServer(workspaceId, actorId), origin: 'import' as const }
  const report: Report = {
    added: Object.fromEntries(kinds.map(({ kind }) => [kind, 0])),
    updated: {},
    there: 0,
    thereByKind: {},
    deleted: {},
    skipped: [],
    kept: []
  }
  const work = (trx: Trx, read: readonly ReadLine[]) => importBatch(trx, into, caller, read)
  if (!dryRun) {
    await importAll(ctx.db, read => ctx.transaction(trx => work(trx, read)))
    return report
  }
  await ctx.db
    .transaction()
    .execute(async trx => {
      // The source may be slow. Raw: a setting, and no query.
      await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx)
      await importAll(trx, read => withSavepoint(trx, () => work(trx, read)))
      throw new DryRunEnds('A dry run ends.')
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRunEnds)) throw error
    })
  return report

  async function importAll(db: Db, run: (read: readonly ReadLine[]) => Promise<Done>): Promise<void> {
    const read = await makeReader(kinds)
    const analyze = makeAnalyzer(kinds)
    let batch: ReadLine[] = []
    let line = 0
    let length = 0
    let writing = Promise.resolve()
    const write = async (full: readonly ReadLine[]) => {
      await commit(full, run)
      await analyze(db, report.added)
      progress(report)
    }
    // While the database writes a batch, the next one is read.
    const flush = async () => {
      const full = batch
      batch = []
      length = 0
      await writing
      writing = write(full)
      // It is awaited later, perhaps after it has failed.
      writing.catch(() => {})
    }
    const add = async (each: string | PlacedLine) => {
      line++
      const { text, where, problem }: PlacedLine =
        typeof each === 'string' ? { text: each, where: `line ${line}` } : each
      if (problem !== undefined) report.skipped.push({ line, where, reason: problem })
      if (text.trim() === '') return
      // What does not fit goes into the next transaction: no batch is much longer than one line.
      if (batch.length > 0 && (batch.length >= BATCH || length + text.length > MAX_BATCH_LENGTH)) await flush()
      try {
        batch.push({ line, where, record: read(text) })
        length += text.length
      } catch (error) {
        report.skipped.push({ line, where, reason: (error as Error).message })
      }
    }
    try {
      for await (const each of lines) await add(each)
      await flush()
    } finally {
      // Also where the lines end with an error: no batch is cut off.
      await writing
    }
  }

  /** Where the database refuses a value, the lines are tried again in halves, until the one is found that has it. */
  async function commit(read: readonly ReadLine[], run: (read: readonly ReadLine[]) => Promise<Done>): Promise<void> {
    if (read.length === 0) return
    let done: Done
    try {
      // A transaction may be tried again: what it did counts once it is done.
      done = await run(read)
    } catch (error) {
      if (!isDataError(error)) throw error
      const [{ line, where, record }] = read as [ReadLine]
      if (read.length === 1) {
        const reason = `the database refuses it: ${(error as Error).message}`
        report.skipped.push({ line, where, kind: record.kind, reason })
        return
      }
      await commit(read.slice(0, read.length / 2), run)
      await commit(read.slice(read.length / 2), run)
      return
    }
    addTo(report.added, done.added)
    addTo(report.updated, done.updated)
    addTo(report.thereByKind, done.there)
    addTo(report.deleted, done.deleted)
    report.there = Object.values(report.thereByKind).reduce((sum, n) => sum + n, 0)
    report.skipped.push(...done.skipped)
    report.kept.push(...done.kept)
  }
}

function addTo(sums: Record<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [kind, n] of counts) sums[kind] = (sums[kind] ?? 0) + n
}

/** The classes of PostgreSQL's errors that say something of a value, and not of the server. */
const isDataError = (error: unknown): boolean => /^(22|23|54)/.test((error as { code?: string }).code ?? '')

/** Raw: Kysely has savepoints only in transactions that are begun and ended by hand. */
async function withSavepoint<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint import_batch`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint import_batch`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint import_batch`.execute(trx)
    throw error
  }
}
