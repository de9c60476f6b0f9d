import type { Caller } from '../../../core/api/contract.ts'
import type { Trx } from '../context.ts'
import type { RecordContents, RecordKind } from '../contract.ts'
import type { Line } from '../format.ts'
import type { Done, ReadLine, Skipped } from './batch.ts'

interface Beside {
  kinds: readonly RecordKind[]
  caller: Caller
  folder: string | undefined
  trx?: Trx
}

/** Lines whose contents cannot be stored are skipped. */
export async function withContents(
  { kinds, caller, folder, trx }: Beside,
  lines: readonly ReadLine[],
  add: (lines: readonly ReadLine[]) => Promise<Done>
): Promise<Done> {
  const skipped = new Map<ReadLine, Skipped>()
  const undo: Array<() => Promise<void>> = []
  try {
    for (const { kind, contents: typed } of kinds) {
      const contents = typed as RecordContents<Line> | undefined
      const ofKind = lines.filter(({ record }) => record.kind === kind)
      if (contents === undefined || ofKind.length === 0) continue
      const records = ofKind.map(({ record }) => record)
      if (trx === undefined) undo.push(() => contents.discard(caller, records))
      const reasons = await contents.store(caller, records, folder, trx)
      for (const each of ofKind) {
        const { line, where, record } = each
        const reason = reasons.get(record.externalId ?? '')
        if (reason !== undefined) skipped.set(each, { line, where, kind, reason })
      }
    }
    const done = await add(lines.filter(line => !skipped.has(line)))
    return { ...done, skipped: [...done.skipped, ...skipped.values()] }
  } finally {
    for (const each of undo) await each()
  }
}
