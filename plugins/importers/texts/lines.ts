import { tmpdir } from 'node:os'
import { makeTemporaryFolder } from '../../../lib/util/temporary-folder.ts'
import type { ImportSource, SourceInput, SourceRecord } from '../contract.ts'
import type { PlacedLine, ReadBoard } from '../../transfer/contract.ts'
import { accountNamesOf, mappedRecord } from '../map.ts'
import { Spool } from '../io/spool.ts'
import { textsOf } from '../values/values.ts'

type DataRecord = SourceRecord['record']

const REPORT_EVERY = 100
/** Maximum entries of one list: an issue may have a long history. */
const MAX_ITEMS = 20_000
/** Maximum labels of an issue in the import format. */
const MAX_LABELS = 100

/**
 * Reads the records of a source and returns them as lines in the order of the import format, where references follow
 * their targets. A temporary folder stores them meanwhile, so that memory does not grow with the board.
 * @throws Error when the records are of several sites
 */
export async function readBoard(
  source: ImportSource,
  input: SourceInput,
  reading: (records: number) => void
): Promise<ReadBoard> {
  const { place, map, leaveOut } = input
  const accountNames = accountNamesOf(map)
  const folder = await makeTemporaryFolder(tmpdir(), 'tracker-import-')
  const spool = new Spool(folder.path, source.keysInTexts)
  const close = async () => {
    await spool.close()
    await folder[Symbol.asyncDispose]()
  }
  const unreadable: PlacedLine[] = []
  const sites = new Set<string>()
  try {
    let read = 0
    for await (const each of source.read(input)) {
      const { where } = each
      if ('problem' in each) unreadable.push({ text: '', where, problem: each.problem })
      else if ('omitted' in each) {
        spool.omit(each)
        leaveOut('issues', each.reason, where)
      } else {
        if (each.site !== undefined) sites.add(each.site)
        const { aliases, ...record } = each.record
        if (record.kind === 'account') spool.addPerson(record, textsOf(aliases), map)
        for (const mapped of mappedRecord(record, map, accountNames)) {
          const added = await spool.add(withShortLists(mapped, where, input), where)
          if (!added) leaveOut('issues', 'they come twice, and the first counts', where)
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

/** A record with its lists cut to the maximum. */
function withShortLists(record: DataRecord, where: string, { leaveOut }: SourceInput): DataRecord {
  const short = { ...record }
  for (const [field, value] of Object.entries(record)) {
    const most = field === 'labels' ? MAX_LABELS : MAX_ITEMS
    if (!Array.isArray(value) || value.length <= most) continue
    short[field] = value.slice(0, most)
    leaveOut(field, `there are more than ${most}`, where, value.length - most)
  }
  return short
}
