import { tmpdir } from 'node:os'
import { makeTemporaryFolder } from '../../../lib/util/temporary-folder.ts'
import type { DataRecord, ImportSource, SourceInput } from '../contract.ts'
import type { PlacedLine, ReadBoard } from '../../transfer/contract.ts'
import { accountNamesOf, mappedRecord } from '../map.ts'
import { withFiles } from '../attachments/fetch.ts'
import { Spool } from '../io/spool.ts'
import { textsOf } from '../values/values.ts'

const REPORT_EVERY = 100
/** An issue may have a long history. */
const MAX_ITEMS = 20_000
/** As in the import format. */
const MAX_LABELS = 100

export type FetchOptions = Pick<Parameters<typeof withFiles>[2], 'settings' | 'toFetch'>

/**
 * In the order of the import format, where references follow their targets. A temporary folder stores the records
 * meanwhile, so that memory does not grow with the board.
 * @throws Error when they are of several sites
 */
export async function readBoard(
  source: ImportSource,
  input: SourceInput,
  files: FetchOptions,
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
    const options = { ...files, input, access: (await source.access?.(input)) ?? {} }
    return { site: [...sites][0], ...handingOut(spool, unreadable, await spool.end(), options), close }
  } catch (error) {
    await close()
    throw error
  }
}

function handingOut(
  spool: Spool,
  unreadable: readonly PlacedLine[],
  total: number,
  options: Parameters<typeof withFiles>[2]
): Pick<ReadBoard, 'issues' | 'attachments' | 'lines' | 'progress'> {
  let written = 0
  async function* counted(lines: AsyncIterable<PlacedLine>): AsyncGenerator<PlacedLine> {
    for await (const line of lines) {
      written++
      yield line
    }
  }
  return {
    issues: () => spool.issues(),
    attachments: () => spool.attachments(),
    async *lines(refused = new Map(), files) {
      yield* unreadable
      spool.refuse(refused)
      yield* withFiles(counted(spool.lines(options.input.leaveOut)), files, options)
    },
    progress: () => (total === 0 ? 1 : written / total)
  }
}

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
