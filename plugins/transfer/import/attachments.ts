import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caller } from '../../../core/api/contract.ts'
import { makeTemporaryFolder } from '../../../lib/util/temporary-folder.ts'
import type { BoardFiles, ReadBoard, RecordContents, RecordKind } from '../contract.ts'
import type { Ctx } from '../context.ts'
import type { Line } from '../format.ts'
import { contributedKinds } from '../issue-records.ts'
import { renameSource } from '../queries/boards.ts'
import { currentFields, listImported, namesInTexts } from '../queries/imported.ts'

/** Per query. */
const PART = 1000

interface Attachments extends AsyncDisposable {
  files: BoardFiles
  /** Contents, each under its SHA-256, until their lines are imported. */
  folder: string
  release(records: readonly Line[]): Promise<void>
}
interface Target {
  caller: Caller
  source: string
  formerSource: string | undefined
  dryRun: boolean
}

/** Undefined: the plugin that contributes it is off. */
export const kindWithContents = (ctx: Ctx): RecordKind | undefined =>
  contributedKinds(ctx).find(({ contents }) => contents !== undefined)

export async function prepareAttachments(ctx: Ctx, target: Target, board: ReadBoard): Promise<Attachments | undefined> {
  const kind = kindWithContents(ctx)
  if (kind === undefined) return undefined
  const contents = kind.contents as RecordContents<never>
  const known = new Map<string, string | null>()
  const deletedIssues = new Set<string>()
  for await (const part of inParts(board.attachments())) {
    for (const [name, address] of await findKnown(ctx, target, kind, part)) known.set(name, address)
    const issues = part.filter(({ externalId }) => !known.has(externalId)).map(({ issue }) => issue)
    for (const issue of await findDeletedIssues(ctx, target, issues)) deletedIssues.add(issue)
  }
  const refuse = await contents.limits(target.caller)
  const temporary = await makeTemporaryFolder(tmpdir(), 'tracker-import-files-')
  const kept = new KeptContents(temporary.path, refuse)
  return {
    files: {
      known,
      deletedIssues,
      isDryRun: target.dryRun,
      addressOf: (id, name) => contents.addressOf(id, name),
      refusalOf: bytes => kept.refusalOf(bytes),
      keep: chunks => kept.keep(chunks)
    },
    folder: temporary.path,
    release: records => kept.release(records),
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]()
  }
}

type Named = { externalId: string; issue: string }

export async function* inParts<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = []
  for await (const item of items) {
    part.push(item)
    if (part.length < PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** By names in the source; null: it was removed here. */
async function findKnown(
  ctx: Ctx,
  { caller: { workspaceId }, source, formerSource, dryRun }: Target,
  { kind, contents }: RecordKind,
  part: readonly Named[]
): Promise<Map<string, string | null>> {
  const names = [...new Set(part.map(({ externalId }) => externalId))]
  if (formerSource !== undefined && !dryRun) {
    await ctx.transaction(trx => renameSource(trx, { workspaceId, kind, source }, formerSource, names))
  }
  const rows = await listImported(ctx.db, { workspaceId, kind, sources: [source, formerSource ?? source] }, names)
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const addresses = await namesInTexts(ctx.db, contents!.addresses(workspaceId, ids))
  return new Map(rows.map(({ externalId, id }) => [externalId, addresses.get(id) ?? null]))
}

async function findDeletedIssues(
  ctx: Ctx,
  { caller: { workspaceId }, source, formerSource }: Target,
  issues: readonly string[]
): Promise<string[]> {
  const changes = contributedKinds(ctx).find(({ kind }) => kind === 'issue')?.changes
  if (issues.length === 0 || changes === undefined) return []
  const of = { workspaceId, kind: 'issue', sources: [source, formerSource ?? source] }
  const rows = await listImported(ctx.db, of, [...new Set(issues)])
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const there = await currentFields(ctx.db, changes.current(workspaceId, ids))
  return rows.filter(({ id }) => !there.has(id)).map(({ externalId }) => externalId)
}

/** Each under its SHA-256, until the last record that has it is imported. */
class KeptContents {
  readonly #folder: string
  readonly #refuse: (bytes: number, before: number) => string | undefined
  readonly #uses = new Map<string, number>()
  #bytes = 0

  constructor(folder: string, refuse: (bytes: number, before: number) => string | undefined) {
    this.#folder = folder
    this.#refuse = refuse
  }

  refusalOf(bytes: number): string | undefined {
    return this.#refuse(bytes, this.#bytes)
  }

  async keep(chunks: AsyncIterable<Uint8Array>): Promise<Awaited<ReturnType<BoardFiles['keep']>>> {
    const partial = join(this.#folder, randomUUID())
    const file = await open(partial, 'wx', 0o600)
    try {
      const digest = createHash('sha256')
      let bytes = 0
      for await (const chunk of chunks) {
        bytes += chunk.length
        const refusal = this.refusalOf(bytes)
        if (refusal !== undefined) return { refusal }
        digest.update(chunk)
        await file.writeFile(chunk)
      }
      const sha256 = digest.digest('hex')
      await rename(partial, join(this.#folder, sha256))
      this.#uses.set(sha256, (this.#uses.get(sha256) ?? 0) + 1)
      this.#bytes += bytes
      return { sha256, bytes }
    } finally {
      await file.close()
      await rm(partial, { force: true })
    }
  }

  async release(records: readonly Line[]): Promise<void> {
    for (const { sha256 } of records) {
      const uses = typeof sha256 === 'string' ? this.#uses.get(sha256) : undefined
      if (uses === undefined) continue
      this.#uses.set(sha256 as string, uses - 1)
      if (uses > 1) continue
      this.#uses.delete(sha256 as string)
      await rm(join(this.#folder, sha256 as string), { force: true })
    }
  }
}
