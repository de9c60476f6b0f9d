import { isId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { recordKinds, type OpenedSource, type ReadBoard, type RecordKind } from '../contract.ts'
import type { Ctx, Db } from '../context.ts'
import { inParts, prepareAttachments } from './attachments.ts'
import { importLines, type Report } from './import.ts'
import { issueIdentities, listBoards, listSameIds, type StoredBoard } from '../queries/boards.ts'
import { digest } from './three-way.ts'

/** Two boards are the same if the titles or times of so many issues with equal ids agree. */
const SAME_SHARE = 0.9
/** The maximum from before names could be chosen. */
const MAX_SOURCE_NAME = 100
/** An id that names a project, prefix or repository, too: `ENG-12`, `acme/app#12`. */
const HAS_PREFIX = /^\p{L}[^\s]*[-#/.]\w+$/u

interface BoardOptions {
  name?: string | undefined
  dryRun: boolean
  reading?: (records: number) => void
  progress?: (report: Report, share: number) => void
}
export interface BoardReport {
  report: Report
  source: string
}

/** @throws Error that says what to do, if it is ambiguous which board it is */
export async function importBoard(
  ctx: Ctx,
  workspaceId: Id,
  actorId: Id,
  opened: OpenedSource,
  { name, dryRun, reading, progress = () => {} }: BoardOptions
): Promise<BoardReport> {
  if (name !== undefined && opened.name !== undefined) {
    throw new Error('--source and `name` of the map say the same: leave one of them out.')
  }
  const byUser = name === undefined ? opened.name : sourceNamed(opened.kind, name)
  const board = await opened.read(reading)
  try {
    const { source, formerSource, refused } = await chooseSource(ctx, workspaceId, opened.kind, byUser, board)
    const caller = ctx.asServer(workspaceId, actorId)
    await using attachments = await prepareAttachments(ctx, { caller, source, formerSource, dryRun }, board)
    const report = await importLines(ctx, workspaceId, actorId, board.lines(refused, attachments?.files), {
      source,
      formerSource,
      accountNames: opened.accountNames,
      dryRun,
      folder: attachments?.folder,
      written: async records => attachments?.release(records),
      progress: report => progress(report, board.progress())
    })
    return { report, source }
  } finally {
    await board.close()
  }
}

export function sourceNamed(kind: string, name: string): string {
  const trimmed = name.trim()
  if (!/^[^\p{Cc}]{1,80}$/u.test(trimmed)) throw new Error('--source takes a name of 1 to 80 characters on one line.')
  // Boards from before names existed have their kind as name.
  return trimmed === kind ? kind : `${kind}:${trimmed}`
}

interface Choice {
  source: string
  /** The former name of the source, without a scope. */
  formerSource?: string
  /** By external id, with the reason: they would change their team. */
  refused: ReadonlyMap<string, string>
}
interface Comparison {
  source: string
  shared: number
  same: number
  /** Issues that are in another team here. */
  moved: Map<string, { from: string; to: string }>
}
const isSame = ({ shared, same }: Comparison): boolean => shared > 0 && same >= SAME_SHARE * shared

async function chooseSource(
  ctx: Ctx,
  workspaceId: Id,
  kind: string,
  name: string | undefined,
  board: ReadBoard
): Promise<Choice> {
  const stored = await listBoards(ctx.db, workspaceId, kind, name)
  const named = name ?? (board.site === undefined ? undefined : `${kind}:${board.site}`.slice(0, MAX_SOURCE_NAME))
  const candidates = stored.filter(({ source }) => named === undefined || source === named || source === kind)
  const issueKind = ctx.contributions(recordKinds).find(({ item }) => item.identities)?.item
  const compared = await compareBoards(ctx.db, workspaceId, issueKind, candidates, board)
  const { source, formerSource } =
    named === undefined
      ? { source: await findByIssues(kind, board, stored, compared), formerSource: undefined }
      : { source: named, formerSource: formerOf(kind, named, name !== undefined, compared) }
  const moved = compared.filter(each => each.source === source || each.source === formerSource)
  return {
    source,
    ...(formerSource !== undefined && { formerSource }),
    refused: new Map(moved.flatMap(({ moved }) => [...moved].map(([id, teams]) => [id, refusalOf(id, teams)] as const)))
  }
}

/** @throws Error when the board may be another one */
function formerOf(kind: string, named: string, byUser: boolean, compared: readonly Comparison[]): string | undefined {
  const [own, former] = [named, kind].map(source => compared.find(each => each.source === source))
  const formerSource = named !== kind && former && isSame(former) ? kind : undefined
  if (byUser || formerSource !== undefined) return formerSource
  const other = own ?? former
  if (other && other.shared > 0 && !isSame(other)) throw otherBoard(kind, other)
  return undefined
}

async function findByIssues(
  kind: string,
  board: ReadBoard,
  stored: readonly StoredBoard[],
  compared: readonly Comparison[]
): Promise<string> {
  const same = compared.filter(isSame)
  if (same.length === 1) return same[0]!.source
  if (same.length > 1) {
    const names = same.map(({ source }) => optionFor(kind, source)).join(' or ')
    throw new Error(`The same issues were imported as several boards: say with ${names} which one is meant.`)
  }
  const other = compared.toSorted((a, b) => b.shared - a.shared)[0]
  if (other && other.shared > 0) throw otherBoard(kind, other)
  if (stored.length > 0 && !(await hasPrefixes(board))) {
    const known = stored.map(({ source, issues }) => `${optionFor(kind, source)} (${issues} issues)`).join(', ')
    throw new Error(
      'Nothing in it says which board it is, and other boards may have the same ids: name it with --source NAME. ' +
        `Imported before: ${known}.`
    )
  }
  return kind
}

/** True if most issues have more than a number as id. */
async function hasPrefixes(board: ReadBoard): Promise<boolean> {
  let [prefixed, others] = [0, 0]
  for await (const { externalId, formerKeys = [] } of board.issues()) {
    if (isId(externalId) || [externalId, ...formerKeys].some(name => HAS_PREFIX.test(name))) prefixed++
    else others++
  }
  return prefixed > others
}

const optionFor = (kind: string, source: string) =>
  `--source ${source.startsWith(`${kind}:`) ? source.slice(kind.length + 1) : source}`

const otherBoard = (kind: string, { source, shared, same }: Comparison): Error =>
  new Error(
    `It seems to be another board than the one that was imported as '${source}': ${shared} of its issues have ids ` +
      `that are there, and only ${same} of these the same title or time of creation. Nothing was imported. If it is ` +
      `another board, name it with --source NAME; if it is the same, say so with ${optionFor(kind, source)}.`
  )

const refusalOf = (id: string, { from, to }: { from: string; to: string }): string =>
  `issue ${id} is of team ${from} here, and would be of team ${to}. If it is of another board, import that with ` +
  '--source NAME; if it was moved there, move it here, too, or name the team in `teams` of the map'

async function compareBoards(
  db: Db,
  workspaceId: Id,
  kind: RecordKind | undefined,
  boards: readonly StoredBoard[],
  board: ReadBoard
): Promise<Comparison[]> {
  const compared = new Map(
    boards.map(({ source }) => [source, { source, shared: 0, same: 0, moved: new Map() } satisfies Comparison])
  )
  if (kind?.identities === undefined || boards.length === 0) return []
  for await (const issues of inParts(board.issues())) {
    const byId = new Map(issues.map(issue => [issue.externalId, issue]))
    const there = await listSameIds(db, workspaceId, [...compared.keys()], [...byId.keys()])
    const stored = await issueIdentities(db, kind.identities!(workspaceId, [...new Set(there.map(({ id }) => id))]))
    for (const { source, externalId, id, title } of there) {
      const [issue, here, comparison] = [byId.get(externalId)!, stored.get(id), compared.get(source)!]
      if (here === undefined) continue
      comparison.shared++
      const isSameTime = issue.createdAt !== undefined && Date.parse(issue.createdAt) === here.createdAt.getTime()
      if (isSameTime || digest(issue.title) === title) comparison.same++
      if (here.teams.includes(issue.team.toUpperCase())) continue
      comparison.moved.set(externalId, { from: here.teams[0]!, to: issue.team })
    }
  }
  return [...compared.values()]
}
