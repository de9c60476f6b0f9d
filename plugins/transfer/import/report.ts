import { writeFile } from 'node:fs/promises'
import type { LeftOut, ToFetch } from '../contract.ts'
import type { Report } from './import.ts'

export interface ImportOutcome {
  report: Report
  leftOut: readonly LeftOut[]
  /** Set after a dry run of another tracker's data. */
  toFetch?: ToFetch | undefined
  dryRun: boolean
}

/** The report's file has all. */
const [MAX_GROUPS, MAX_PLACES] = [100, 3]

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, n) => total + n, 0)
const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ') || 'nothing'

export const summaryOf = ({ added, updated, there, skipped }: Report): string =>
  `${sum(added)} records, ${sum(updated)} changed, ${there} there already, ${skipped.length} skipped`

/** Lines, grouped by kind and reason. */
export function reportText({ report, leftOut, toFetch, dryRun }: ImportOutcome): string {
  const { added, updated, there, deleted, skipped, shortened, kept, strangers } = report
  const totals = [
    `Added: ${listed(added)}.`,
    ...(sum(updated) > 0 ? [`Changed: ${listed(updated)}.`] : []),
    `There already: ${there}.`,
    ...(sum(deleted) > 0 ? [`Deleted here, and left so: ${listed(deleted)}.`] : []),
    `Skipped: ${skipped.length}.`
  ]
  const keptReason = (field: string) => `${field} was changed there and here; it stays as it is here`
  const groups = [
    ...grouped('Skipped', skipped),
    ...grouped('Shortened', shortened),
    ...grouped(
      'Kept',
      kept.map(({ where, kind, externalId, field }) => ({
        kind,
        reason: keptReason(field),
        where: `${externalId} (${where})`
      }))
    ),
    ...strangersText([...strangers]),
    ...leftOut.map(({ what, reason, count, examples }) => `Left out ${what}: ${count} (${reason})${places(examples)}`)
  ]
  const more = groups.length - MAX_GROUPS
  return [
    ...(dryRun ? ['A dry run: nothing was written.'] : []),
    totals.join(' '),
    ...(toFetch !== undefined && toFetch.files > 0 ? [toFetchText(toFetch)] : []),
    ...groups.slice(0, MAX_GROUPS),
    ...(more > 0 ? [`… and ${more} more kinds and reasons: --report FILE writes all of them into a file.`] : [])
  ].join('\n')
}

const KIB = 1024

function toFetchText({ files, bytes, unknown }: ToFetch): string {
  const kib = Math.ceil(bytes / KIB)
  const size = kib < KIB ? `${kib} KiB` : `${(kib / KIB).toFixed(1)} MiB`
  if (unknown === 0) return `Files to fetch: ${files} of ${size}.`
  if (unknown === files) return `Files to fetch: ${files}, whose sizes are not known.`
  return `Files to fetch: ${files}, of which ${files - unknown} have ${size}; the sizes of the others are not known.`
}

/** Groups by kind and reason, ignoring quoted values. */
function grouped(
  verb: string,
  items: ReadonlyArray<{ where: string; kind?: string | undefined; reason: string }>
): string[] {
  const groups = Map.groupBy(items, ({ kind = 'line', reason }) =>
    JSON.stringify([kind, reason.replaceAll(/'[^']*'/g, "''")])
  )
  return [...groups.values()].map(group => {
    const { kind = 'line', where } = group[0]!
    // Places follow.
    const reason = group[0]!.reason.replace(/\.$/, '')
    if (group.length === 1) return `${verb} ${where}: ${reason}`
    return `${verb} ${counted(group.length, kind)}: ${reason}${places(group.map(item => item.where))}`
  })
}

/** People without an account here: the deployer may map them. */
const strangersText = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`New names without an account: ${names.length} (\`people\` in --map says who is who here)${places(names)}`]

const places = (all: readonly string[]) => (all.length === 0 ? '' : `, e.g. ${all.slice(0, MAX_PLACES).join(', ')}`)

/** Without an outcome, only tests that the file can be written. */
export async function writeReport(file: string, outcome?: ImportOutcome): Promise<void> {
  const { report, leftOut, toFetch, dryRun } = outcome ?? {}
  const strangers = [...(report?.strangers ?? [])]
  try {
    await writeFile(file, `${JSON.stringify({ dryRun, ...report, strangers, leftOut, toFetch }, null, 2)}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`The report ${file} cannot be written (${code}): name a file that this user may write.`)
  }
}
