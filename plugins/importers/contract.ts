import { contract, point } from '../../core/api/contract.ts'

export const importers = contract()('importers')

export interface ImportMap {
  /** The full name of the source, the scope of its `externalId`s; `--source` is a shorthand. */
  name?: string
  teams?: Record<string, string>
  states?: Record<string, string | { name: string; category?: string }>
  people?: Record<string, string>
  /** Null leaves one out. */
  labels?: Record<string, string | null>
  /** Priorities of the source -> 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
  priorities?: Record<string, number>
  /** The source's address, for links to attachments. */
  url?: string
  columns?: Record<string, string>
  /** The order of day and month in a CSV file's dates, if they do not show it. */
  dateOrder?: 'DMY' | 'MDY'
}

export interface Attachment {
  /** Its name in the source. */
  externalId: string
  /** The name of the file; without it, the answer with its content says it. */
  name?: string | undefined
  /** The address or the path by which texts name it. */
  url?: string | undefined
  /** Where it is in the folder of `SourceAccess`; without it, at `url`. */
  path?: string | undefined
  bytes?: number | undefined
  /** Default: of the record. */
  createdBy?: string | undefined
  createdAt?: string | undefined
}

/** Where attachments may be. */
export interface SourceAccess {
  /** The origin that gets the token, and may be at a private address: of an address that the user has named. */
  origin?: string | undefined
  authorization?: string | undefined
  /** The folder with the files of an archive. */
  folder?: string | undefined
}

/**
 * A record of the import format (docs/import-format.md), with its place, e.g. `line 12`. An account may have `aliases`,
 * by which texts mention it; an issue and a comment may have `attachments`.
 */
export interface SourceRecord {
  where: string
  record: DataRecord
  /** Its site or project: external ids are unique within one. */
  site?: string | undefined
}
export type DataRecord = { kind: string } & Record<string, unknown>
export interface Unreadable {
  where: string
  problem: string
}
/** An issue that is left out, with its comments and relations. */
export interface OmittedIssue {
  where: string
  /** Its names in the source's records: external id, key. */
  omitted: readonly string[]
  reason: string
}
export type SourceItem = SourceRecord | Unreadable | OmittedIssue

export const MARKS = ['restricted', 'archived'] as const
export type Mark = (typeof MARKS)[number]

export interface SourceInput {
  place: string
  map: ImportMap
  include: ReadonlySet<Mark>
  /** The attachments that come: true all, false none, undefined those that are beside the data. */
  files: boolean | undefined
  token: string | undefined
  waitFactor: number
  /** Reports something that cannot be imported. @param count default: 1 */
  leaveOut(what: string, reason: string, where: string, count?: number): void
  /**
   * A placeholder for an issue in a text, later replaced by its key here; by `otherwise`, by default the old key, if
   * the issue is left out.
   */
  reference(oldKey: string, otherwise?: string): string
}

/**
 * Another tracker, whose data becomes records of the import format. It yields them as it reads them: in any order, a
 * team again for each new state, an account each time it occurs.
 */
export interface ImportSource {
  name: string
  /** One line: the data that it reads. */
  summary: string
  /** The environment variable with the token for live addresses; `<variable>_FILE` names a file with it. */
  tokenVariable?: string
  /** Old keys that its texts name without markup. Without it, texts are unchanged. */
  keysInTexts?: RegExp
  read(input: SourceInput): AsyncIterable<SourceItem>
  /** Default: nothing beside the data, and no token. */
  access?(input: SourceInput): Promise<SourceAccess>
}
export const importSources = point<ImportSource>()(importers, 'sources')
