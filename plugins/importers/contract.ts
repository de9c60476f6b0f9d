import { contract, point } from '../../core/api/contract.ts'

export const importers = contract()('importers')

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
