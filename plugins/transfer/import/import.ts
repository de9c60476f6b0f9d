import type { Id } from '../../../core/api/database/types.ts'
import { makeAnalyzer } from './analyze.ts'
import { importBatch, type Done, type KeptField, type ReadLine, type Skipped } from './batch.ts'
import { withContents } from './contents.ts'
import type { PlacedLine, RecordKind } from '../contract.ts'
import { allKinds } from '../issue-records.ts'
import { makeReader, type Line, type ReadRecord } from '../format.ts'
import type { ImportTarget } from './names.ts'
import type { Ctx, Db, Trx } from '../context.ts'
import { allowSlowSource, withSavepoint } from '../queries/imported.ts'

const BATCH = 500
/** Maximum characters of a transaction's lines: markup makes JSON a hundred times as long. */
const MAX_BATCH_LENGTH = 1024 * 1024
/** Bytes: an import that is interrupted fetches them again. */
const MAX_BATCH_CONTENT = 64 * 1024 * 1024

export interface Report {
  added: Record<string, number>
  updated: Record<string, number>
  /** Unchanged in their source since they were imported. */
  there: number
  thereByKind: Record<string, number>
  deleted: Record<string, number>
  skipped: Skipped[]
  /** Lines that were imported in part. */
  shortened: Skipped[]
  kept: KeptField[]
  strangers: ReadonlySet<string>
}
interface ImportOptions {
  /** The source of the records; without it, names belong to the import format. */
  source?: string
  formerSource?: string | undefined
  /** Full names of accounts here; other names become removed accounts. */
  accountNames?: ReadonlySet<string>
  dryRun?: boolean
  /** With the contents of records. */
  folder?: string | undefined
  /** Called after each batch that was written: the contents of its records are no longer needed. */
  written?: (records: readonly Line[]) => Promise<void>
  progress?: (report: Report) => void
}

class DryRunEnds extends Error {}

/**
 * Each batch is a transaction: to continue an interrupted import, run it again. An invalid line is reported, and the
 * others are imported.
 * @param actorId the administrator on whose behalf it is done
 */
export async function importLines(
  ctx: Ctx,
  workspaceId: Id,
  actorId: Id,
  lines: AsyncIterable<string | PlacedLine>,
  options: ImportOptions = {}
): Promise<Report> {
  const { source = '', formerSource, accountNames = new Set(), dryRun = false } = options
  const { folder, written = async () => {}, progress = () => {} } = options
  const kinds = allKinds(ctx)
  const into: ImportTarget = {
    workspaceId,
    actorId,
    source,
    formerSource,
    accountNames,
    kinds,
    taken: new Map(),
    strangers: new Set(),
    refused: new Set(),
    now: ctx.now()
  }
  const caller = { ...ctx.asServer(workspaceId, actorId), origin: 'import' as const }
  const report: Report = {
    added: Object.fromEntries(kinds.map(({ kind }) => [kind, 0])),
    updated: {},
    there: 0,
    thereByKind: {},
    deleted: {},
    skipped: [],
    shortened: [],
    kept: [],
    strangers: into.strangers
  }
  const importInto = (trx: Trx, read: readonly ReadLine[]) => importBatch(trx, into, caller, read)
  const common = { kinds, report, written, progress }
  if (!dryRun) {
    const run = (read: readonly ReadLine[]) =>
      withContents({ kinds, caller, folder }, read, usable => ctx.transaction(trx => importInto(trx, usable)))
    await importAll(lines, { ...common, db: ctx.db, run })
    return report
  }
  await ctx.use.database.unmanagedDb
    .transaction()
    .execute(async trx => {
      await allowSlowSource(trx)
      const run = (read: readonly ReadLine[]) =>
        withSavepoint(trx, () => withContents({ kinds, caller, folder, trx }, read, usable => importInto(trx, usable)))
      await importAll(lines, { ...common, db: trx, run })
      throw new DryRunEnds('A dry run ends.')
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRunEnds)) throw error
    })
  return report
}

/** The lines that npm prints before the output of `npm run tracker -- export`. */
const NPM_HEADING = /^> (?:tracker@|exec node )/

interface ImportWork {
  db: Db
  kinds: readonly RecordKind[]
  report: Report
  written: (records: readonly Line[]) => Promise<void>
  progress: (report: Report) => void
  run: (read: readonly ReadLine[]) => Promise<Done>
}

async function importAll(
  lines: AsyncIterable<string | PlacedLine>,
  { db, kinds, report, written, progress, run }: ImportWork
): Promise<void> {
  const analyze = makeAnalyzer(kinds)
  const write = async (batch: readonly ReadLine[]) => {
    await commit(batch, run, report)
    await written(batch.map(({ record }) => record))
    await analyze(db, report.added)
    progress(report)
  }
  let writing = Promise.resolve()
  try {
    // While the database writes a batch, the next one is read.
    for await (const batch of batchesOf(lines, await makeReader(kinds), report)) {
      await writing
      writing = write(batch)
      // It is awaited later, perhaps after it has failed.
      writing.catch(() => {})
    }
  } finally {
    // Also when reading the lines fails: the batch that is being written is completed.
    await writing
  }
}

async function* batchesOf(
  lines: AsyncIterable<string | PlacedLine>,
  read: (text: string) => ReadRecord,
  { skipped, shortened }: Report
): AsyncGenerator<ReadLine[]> {
  let batch: ReadLine[] = []
  let line = 0
  let [length, content] = [0, 0]
  for await (const each of lines) {
    line++
    const {
      text,
      where,
      problem,
      kind,
      bytes = 0
    }: PlacedLine = typeof each === 'string' ? { text: each, where: `line ${line}` } : each
    if (problem !== undefined) skipped.push({ line, where, ...(kind !== undefined && { kind }), reason: problem })
    if (text.trim() === '' || NPM_HEADING.test(text)) continue
    // The rest goes into the next transaction: no batch is much longer than one line.
    const isFull =
      batch.length >= BATCH || length + text.length > MAX_BATCH_LENGTH || content + bytes > MAX_BATCH_CONTENT
    if (batch.length > 0 && isFull) {
      yield batch
      batch = []
      length = 0
      content = 0
    }
    try {
      const { record, lost } = read(text)
      shortened.push(...lost.map(reason => ({ line, where, kind: record.kind, reason })))
      batch.push({ line, where, record })
      length += text.length
      content += bytes
    } catch (error) {
      skipped.push({ line, where, reason: (error as Error).message })
    }
  }
  yield batch
}

/** If the database refuses a value, the batch is halved until the line with that value is isolated. */
async function commit(read: readonly ReadLine[], run: ImportWork['run'], report: Report): Promise<void> {
  if (read.length === 0) return
  let done: Done
  try {
    // Counted only after the commit, because a transaction may be retried.
    done = await run(read)
  } catch (error) {
    if (!isDataError(error)) throw error
    const [{ line, where, record }] = read as [ReadLine]
    if (read.length === 1) {
      const reason = `the database refuses it: ${(error as Error).message}`
      report.skipped.push({ line, where, kind: record.kind, reason })
      return
    }
    await commit(read.slice(0, read.length / 2), run, report)
    await commit(read.slice(read.length / 2), run, report)
    return
  }
  addTo(report.added, done.added)
  addTo(report.updated, done.updated)
  addTo(report.thereByKind, done.there)
  addTo(report.deleted, done.deleted)
  report.there = Object.values(report.thereByKind).reduce((sum, n) => sum + n, 0)
  report.skipped.push(...done.skipped)
  report.shortened.push(...done.shortened)
  report.kept.push(...done.kept)
}

function addTo(sums: Record<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [kind, n] of counts) sums[kind] = (sums[kind] ?? 0) + n
}

/** PostgreSQL's classes of errors about a value, not about the server. */
const isDataError = (error: unknown): boolean => /^(22|23|54)/.test((error as { code?: string }).code ?? '')
