import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlacedLine, ReadBoard, SourceInput, SourceItem, SourceRecord } from './contract.ts'
import { MAX_TEXT_CHARACTERS } from './files.ts'
import { mappedRecord } from './map.ts'
import { Spool } from './spool.ts'

type DataRecord = SourceRecord['record']

const REPORT_EVERY = 100
/** Maximum entries of one list: an issue may have a long history. */
const MAX_ITEMS = 20_000

/**
 * Reads the records of a source, to hand them out as lines in the order of the import format: what a line names stands
 * before it. Meanwhile they wait in a temporary folder, so that memory does not grow with the board.
 * @throws Error when the records are of several sites
 */
export async function readBoard(
  records: AsyncIterable<SourceItem>,
  { place, map, leaveOut }: SourceInput,
  reading: (records: number) => void
): Promise<ReadBoard> {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-import-'))
  const spool = new Spool(folder)
  const close = async () => {
    await spool.close()
    await rm(folder, { recursive: true, force: true })
  }
  const unreadable: PlacedLine[] = []
  const sites = new Set<string>()
  try {
    let read = 0
    for await (const each of records) {
      const { where } = each
      const problem = 'problem' in each ? each.problem : 'record' in each ? problemOf(each.record) : undefined
      if (problem !== undefined) unreadable.push({ text: '', where, problem })
      else if ('omitted' in each) {
        spool.omit(each)
        leaveOut('issues', each.reason, where)
      } else if ('record' in each) {
        if (each.site !== undefined) sites.add(each.site)
        for (const mapped of mappedRecord(each.record, map)) {
          if (!(await spool.add(mapped, where))) leaveOut('issues', 'they come twice, and the first counts', where)
        }
      }
      if (++read % REPORT_EVERY === 0) reading(read)
    }
    if (sites.size > 1) {
      throw new Error(
        `${place} has issues of several boards, ${[...sites].join(' and ')}, whose ids may mean different issues: ` +
          'import each board by itself.'
      )
    }
    return { site: [...sites][0], ...handingOut(spool, unreadable, await spool.end(), leaveOut), close }
  } catch (error) {
    await close()
    throw error
  }
}

function handingOut(
  spool: Spool,
  unreadable: readonly PlacedLine[],
  total: number,
  leaveOut: SourceInput['leaveOut']
): Pick<ReadBoard, 'issues' | 'lines' | 'progress'> {
  let written = 0
  return {
    issues: () => spool.issues(),
    async *lines(refused = new Map()) {
      yield* unreadable
      spool.refuse(refused)
      for await (const line of spool.lines(leaveOut)) {
        written++
        yield line
      }
    },
    progress: () => (total === 0 ? 1 : written / total)
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
