import { contract, point, type Caller } from '../../core/api/contract.ts'

/** What an import reads, and how. */
export interface ImportRequest {
  /** e.g. `jira` */
  source: string
  /** A file, a folder or a URL. */
  place: string
  /** A JSON file, as `ImportMap` says. */
  mapFile?: string | undefined
  /** What the source marks as not for all and is wanted all the same, e.g. `restricted,archived`. Default: nothing. */
  include?: string | undefined
  /** Where tokens for live addresses come from. */
  env: Readonly<Record<string, string | undefined>>
  /** The path of a file that the environment names; default: as it is. */
  pathOf?: (name: string) => string
  /** Multiplies the waits before further attempts at a live address; less than 1 for tests. Default: 1. */
  waitFactor?: number
}
/** A line of the import format and where it comes from; or why there is none. */
export interface PlacedLine {
  text: string
  /** e.g. `tasks/a.md` */
  where: string
  problem?: string
}
/** A board that is about to be read. */
export interface OpenedSource {
  /** Its kind, e.g. `jira`. */
  readonly kind: string
  /** The source to which its `externalId`s belong, where the map names it. */
  readonly name: string | undefined
  /**
   * Reads all of it into a temporary folder.
   * @param reading called with the number of records read so far
   * @throws Error that says what to do
   */
  read(reading?: (records: number) => void): Promise<ReadBoard>
  /** Data of the source for which the import format has no field, or that nobody asked for. */
  leftOut(): LeftOut[]
}
/** What tells an issue, and the board that it is of, from others. */
export interface IssueIdentity {
  externalId: string
  title: string
  team: string
  createdAt?: string
  formerKeys?: string[]
}
export interface ReadBoard {
  /** The site or project that its records say they are of. */
  readonly site: string | undefined
  issues(): AsyncGenerator<IssueIdentity>
  /**
   * Lines of the import format, in its order.
   * @param refused issues that must not come, by their external ids, and why: they are reported
   */
  lines(refused?: ReadonlyMap<string, string>): AsyncGenerator<PlacedLine>
  /** The share of the lines that were handed out, 0 to 1. */
  progress(): number
  /** Removes the temporary folder. */
  close(): Promise<void>
}
export interface LeftOut {
  what: string
  reason: string
  count: number
  /** Places where it is; of very many, the first. */
  examples: string[]
}
export interface ImportersServices {
  /** @throws Error that says what to do, when there is no such source, or its place or map cannot be used */
  open(caller: Caller, request: ImportRequest): Promise<OpenedSource>
  /**
   * Writes an export as a folder with a markdown file for each issue, which the source `markdown` reads.
   * @param lines of the import format, in its order
   * @returns how many issues there are
   * @throws Error that says what to do, when the folder cannot be used
   */
  writeMarkdown(caller: Caller, lines: AsyncIterable<string>, folder: string): Promise<number>
}
export const importers = contract<ImportersServices>()('importers')

/** The names here for names of the source; every part may be left out. */
export interface ImportMap {
  /** The whole name of the source to which `externalId`s belong; `--source` is the shorter way. */
  name?: string
  /** Projects of the source -> identifiers of teams. */
  teams?: Record<string, string>
  /** States of the source -> names of states, or names with a category. */
  states?: Record<string, string | { name: string; category?: string }>
  /** People of the source -> e-mail addresses or full names. */
  people?: Record<string, string>
  /** Labels of the source -> labels; null leaves one out. */
  labels?: Record<string, string | null>
  /** Priorities of the source -> 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
  priorities?: Record<string, number>
  /** The source's address, for links to attachments. */
  url?: string
  /** Columns of a CSV file -> fields of an issue. */
  columns?: Record<string, string>
  /** The order of day and month in the dates of a CSV file, where its columns do not show it. */
  dateOrder?: 'DMY' | 'MDY'
}

/**
 * A record of the import format (docs/import-format.md), and where it was found, e.g. `line 12`. An account may have
 * `aliases`, too, by which texts mention it.
 */
export interface SourceRecord {
  where: string
  record: { kind: string } & Record<string, unknown>
  /** The site or project that it is of: the same external id means another record in another one. */
  site?: string | undefined
}
/** Something that cannot be read. */
export interface Unreadable {
  where: string
  problem: string
}
/** An issue that does not come: its comments, and relations to it, are left out with it. */
export interface OmittedIssue {
  where: string
  /** By what the source's records name it: its external id, its key. */
  omitted: readonly string[]
  reason: string
}
export type SourceItem = SourceRecord | Unreadable | OmittedIssue

/** How a source marks what is not for all. */
export const MARKS = ['restricted', 'archived'] as const
export type Mark = (typeof MARKS)[number]

export interface SourceInput {
  place: string
  map: ImportMap
  /** What the user asks for although the source marks it so. */
  include: ReadonlySet<Mark>
  /** The value of the source's variable, where it is set. */
  token: string | undefined
  /** Multiplies every wait before another attempt at a live address. */
  waitFactor: number
  /** Reports something that cannot be imported. @param count how many of it; default: 1 */
  leaveOut(what: string, reason: string, where: string, count?: number): void
  /**
   * Stands in a text for an issue and becomes its key here; `otherwise` if the issue does not come. Default: the old
   * key.
   */
  reference(oldKey: string, otherwise?: string): string
}

/**
 * Another tracker. It turns its data into records of the import format, as it reads them: in any order, a team again
 * when a state is first met, an account as often as it is met.
 */
export interface ImportSource {
  name: string
  /** One line: what can be read. */
  summary: string
  /** The environment variable with the token for live addresses; with `_FILE` behind its name, that of its file. */
  tokenVariable?: string
  /** Old keys that its texts name without markup. Without it, texts stay as they are. */
  keysInTexts?: RegExp
  read(input: SourceInput): AsyncIterable<SourceItem>
}
export const importSources = point<ImportSource>()(importers, 'sources')
