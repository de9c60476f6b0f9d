import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlacedLine, SourceInput, SourceItem, SourceRecord } from './contract.ts'
import { MAX_TEXT_CHARACTERS } from './files.ts'
import { mappedRecord } from './map.ts'
import { Spool } from './spool.ts'

type DataRecord = SourceRecord['record']

const REPORT_EVERY = 100
/** Maximum entries of one list: an issue may have a long history. */
const MAX_ITEMS = 20_000

/**
 * Records of a source as lines, in the order of the import format: what a line names stands before it. They wait in a
 * temporary folder, so that memory does not grow with the board.
 */
export async function* spooledLines(
  records: AsyncIterable<SourceItem>,
  { map, leaveOut }: SourceInput,
  reading: (records: number) => void,
  progress: (share: number) => void
): AsyncGenerator<PlacedLine> {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-import-'))
  const spool = new Spool(folder)
  try {
    let read = 0
    for await (const each of records) {
      const { where } = each
      const problem = 'problem' in each ? each.problem : 'record' in each ? problemOf(each.record) : undefined
      if (problem !== undefined) yield { text: '', where, problem }
      else if ('omitted' in each) {
        spool.omit(each)
        leaveOut('issues', each.reason, where)
      } else if ('record' in each) {
        for (const mapped of mappedRecord(each.record, map)) {
          if (!(await spool.add(mapped, where))) leaveOut('issues', 'they come twice, and the first counts', where)
        }
      }
      if (++read % REPORT_EVERY === 0) reading(read)
    }
    const total = await spool.end()
    let written = 0
    for await (const line of spool.lines(leaveOut)) {
      progress(++written / total)
      yield line
    }
  } finally {
    await spool.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Refuses a record that is far too large, before it takes time and space. */
function problemOf(record: DataRecord): string | undefined {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS) {
      return `${field} is longer than ${MAX_TEXT_CHARACTERS} characters: shorten it`
    }
    if (Array.isArray(value) && value.length > MAX_ITEMS) return `${field} has more than ${MAX_ITEMS} items`
  }
  return undefined
}
