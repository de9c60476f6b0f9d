import type { ColumnType, RawBuilder } from 'kysely'
import { Type, type Static, type TProperties } from 'typebox'
import { contract, point, type Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { Closed } from '../../core/api/schemas.ts'

export interface TransferTables {
  /** Imported records whose name in their source differs from their id, or whose source may be imported again. */
  importedRecord: {
    workspaceId: Id
    kind: string
    /** The source of the name; empty for a file of the import format. */
    source: string
    externalId: string
    id: Id
    /** The imported values, so that a later import can detect changes; null for a file of the format. */
    fields: ColumnType<ImportedFields | null, string | null | undefined, string | null>
  }
}
/** Two digests of each field: of the imported and of the stored value. */
export type ImportedFields = Record<string, [imported: string, stored: string]>

export interface TransferServices {
  /** @param actorId the administrator on whose behalf it is done */
  importLines(
    caller: Caller,
    actorId: Id,
    lines: AsyncIterable<string>
  ): Promise<{ added: Record<string, number>; skipped: ReadonlyArray<{ where: string; reason: string }> }>
  /** The ids of a kind's imported records, by their names in the file. */
  imported(caller: Caller, trx: TransactionHandle, kind: string): Promise<ReadonlyMap<string, Id>>
}
export const transfer = contract<TransferServices, TransferTables>()('transfer')

/** The name of a record in its source. A UUID becomes its id. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 200, title: 'external id' })
/** An external id or e-mail address. Any other name becomes a removed account. */
export const Person = Type.String({ minLength: 1, maxLength: 200, title: 'person' })
/** Replaces a missing person: a removed account, with which nobody can sign in. */
export const UNKNOWN_PERSON = 'Unknown (imported)'
export const TeamName = Type.String({ maxLength: 20, description: 'Its identifier.' })
/** ISO 8601, with a time zone. `Date` would make March 2 of February 30. */
export const When = Type.String({
  title: 'time',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'
})

export interface Item<R> {
  readonly line: number
  readonly record: R
  readonly id: Id
}

/** Lines of one kind, to be added in one transaction. */
export interface Batch<R> {
  readonly trx: TransactionHandle
  /** The server, on behalf of `actorId`: for services and events. */
  readonly caller: Caller
  readonly workspaceId: Id
  readonly now: Date
  /** The source of the records; empty for a file of the import format. */
  readonly source: string
  /** New records only. */
  readonly items: ReadonlyArray<Item<R>>
  /** The ids of records by external id: of former imports, and of this batch. */
  find(kind: string, externalIds: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  /**
   * Accounts by name in a record. Unknown people become removed accounts: the name stays with their texts, and nobody
   * can sign in with it.
   */
  people(names: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  skip(item: Item<R>, reason: string): void
  /** Reports that the end of its text was cut; 0 characters: nothing was. */
  noteCut(item: Item<R>, cutCharacters: number): void
  note(item: Item<R>, reason: string): void
  /** Reports that it exists already, as `id`. */
  isThere(item: Item<R>, id?: Id): void
  /** True if another line of the import is that record; only for kinds that are kept apart. */
  isTaken(item: Item<R>, id: Id): boolean
  storedAs(item: Item<R>, id: Id): void
}

/** Records of a former import that have changed in their source since. */
export interface ChangeBatch<R> extends Omit<Batch<R>, 'isThere' | 'isTaken' | 'storedAs'> {
  /** The fields to update, by record id: those without a change here. */
  readonly changed: ReadonlyMap<Id, ReadonlySet<string>>
}

export interface RecordChanges<R> {
  fields: readonly string[]
  /** A query of `id` and, for each field, a value that differs when the field does; without deleted records. */
  current(workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id }>
  apply(batch: ChangeBatch<R>): Promise<void>
}

/** The identity of an issue, independent of its name in its source. */
export interface RecordIdentity {
  id: Id
  /** The identifiers of its present and former teams. */
  teams: string[]
  createdAt: Date
}

/** SQL: a record's name in the file, from the column with its id; null if that is null. */
export type ExternalIdOf = (kind: string, column: string) => RawBuilder<string>

/** The contents of records beside their lines: the folder of `--files` has a file for each. */
export interface RecordContents<R> {
  /**
   * Writes the content of an exported record into the folder, in the transaction of the snapshot.
   * @returns why it cannot be written; the record is left out then
   */
  write(trx: TransactionHandle, workspaceId: Id, externalId: string, folder: string): Promise<string | undefined>
  /**
   * Stores the contents of records that are about to be added, before the transaction that adds them.
   * @param folder undefined: the user has named none
   * @param trx of a dry run: nothing is written outside of it
   * @returns why records cannot be added, by their names
   */
  store(
    caller: Caller,
    records: readonly R[],
    folder: string | undefined,
    trx: TransactionHandle | undefined
  ): Promise<ReadonlyMap<string, string>>
  /** Removes the contents of records that were not added after all. */
  discard(caller: Caller, records: readonly R[]): Promise<void>
  /** SQL: the addresses by which texts name records that are there. */
  addresses(workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id; name: string }>
  addressOf(id: Id, name: string): string
  /** @returns a function that says why a content of so many bytes cannot be stored after others of so many */
  limits(caller: Caller): Promise<(bytes: number, before: number) => string | undefined>
}

/** A kind of line, defined by its plugin. A record whose `externalId` was imported before is skipped. */
export interface RecordKind {
  kind: string
  /** Markdown for the format's page, also about the existing record with which it is identified. */
  summary: string
  table: string
  /** SQL: which rows of the table are records; default: all. */
  isRecord?: RawBuilder<boolean>
  /** Set: an export has the kind only with `--files`. */
  contents?: RecordContents<never>
  /** The fields beside `kind`; their titles and descriptions are on the format's page. */
  fields: TProperties
  /** Set: two lines of an import never become one record, however similar. */
  keptApart?: true
  /** Kinds that refer to this one, although their plugins start earlier. */
  before?: readonly string[]
  /** A query whose columns are the fields, in an order independent of ids; null and empty lists are not written. */
  rows(workspaceId: Id, externalId: ExternalIdOf): RawBuilder<object>
  add(batch: Batch<never>): Promise<void>
  /** The name of a record, for imports from a source; default: its `externalId`. */
  nameOf?(record: never): string | undefined
  /** Without it, a record that was imported before is skipped. */
  changes?: RecordChanges<never>
  /** Only for issues: a query that identifies a board that is imported again, including deleted issues. */
  identities?(workspaceId: Id, ids: readonly Id[]): RawBuilder<RecordIdentity>
  /** In texts, `<PREFIX:EXTERNAL-ID>` becomes the record's `name`: a query of `id` and `name`. */
  inTexts?: { prefix: string; names(workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id; name: string }> }
}
export const recordKinds = point<RecordKind>()(transfer, 'recordKinds')

/**
 * Records that belong to an issue and consist of fields. Their table has `workspace_id`, `id`, `issue_id`,
 * `created_by_id`, `created_at`, and a column for each field.
 */
export type IssueRecords = Pick<RecordKind, 'kind' | 'summary' | 'table' | 'fields'>
export const issueRecords = point<IssueRecords>()(transfer, 'issueRecords')

export const recordKind = <P extends TProperties>(
  kind: Omit<RecordKind, 'fields' | 'add' | 'nameOf' | 'changes' | 'contents'> & {
    fields: P
    add(batch: Batch<RecordOf<P>>): Promise<void>
    nameOf?(record: RecordOf<P>): string | undefined
    changes?: RecordChanges<RecordOf<P>>
    contents?: RecordContents<RecordOf<P>>
  }
): RecordKind => kind
export type RecordOf<P extends TProperties> = Static<ReturnType<typeof Closed<P>>>

export interface ImportRequest {
  source: string
  /** A file, a folder or a URL. */
  place: string
  /** A JSON file that maps names of the source to names here. */
  mapFile?: string | undefined
  /** The marked records to import all the same, e.g. `restricted,archived`. Default: none. */
  include?: string | undefined
  /** The attachments to bring as files: true all, false none; default: those that are beside the data. */
  files?: boolean | undefined
  /** The environment with tokens for live addresses. */
  env: Readonly<Record<string, string | undefined>>
  /** Resolves the path of a file that the environment names; default: unchanged. */
  pathOf?: (name: string) => string
  /** Multiplies the waits before retries at a live address; less than 1 in tests. Default: 1. */
  waitFactor?: number
}
/** A line of the import format and its place; or the problem. */
export interface PlacedLine {
  text: string
  where: string
  problem?: string
  kind?: string
  bytes?: number
}
export interface OpenedSource {
  readonly kind: string
  /** The scope of its `externalId`s, if the map names it. */
  readonly name: string | undefined
  /** Full names of accounts here that the map gives to people of the source. */
  readonly accountNames: ReadonlySet<string>
  /** @param reading called with the number of records so far @throws Error that says what to do */
  read(reading?: (records: number) => void): Promise<ReadBoard>
  /** Without a field in the import format, or excluded. */
  leftOut(): LeftOut[]
  toFetch(): ToFetch
}
export interface ToFetch {
  files: number
  /** As the source says. */
  bytes: number
  /** Files whose size the source does not say. */
  unknown: number
}
export interface BoardFiles {
  /** The addresses of attachments that came before, by their names in the source; null: it was removed here. */
  readonly known: ReadonlyMap<string, string | null>
  /** External ids of issues that were deleted here: nothing is fetched for them. */
  readonly deletedIssues: ReadonlySet<string>
  /** Nothing is fetched; what would be is counted. */
  readonly isDryRun: boolean
  addressOf(id: Id, name: string): string
  /** @returns why a further file of so many bytes cannot be stored */
  refusalOf(bytes: number): string | undefined
  /** @returns its digest and length; or why it cannot be stored */
  keep(chunks: AsyncIterable<Uint8Array>): Promise<{ sha256: string; bytes: number } | { refusal: string }>
}
export interface IssueIdentity {
  externalId: string
  title: string
  team: string
  createdAt?: string
  formerKeys?: string[]
}
export interface ReadBoard {
  readonly site: string | undefined
  issues(): AsyncGenerator<IssueIdentity>
  attachments(): AsyncGenerator<{ externalId: string; issue: string }>
  /**
   * Lines of the import format, in its order.
   * @param refused external ids of issues to leave out, with the reported reason
   * @param files undefined: attachments stay where they are
   */
  lines(refused?: ReadonlyMap<string, string>, files?: BoardFiles): AsyncGenerator<PlacedLine>
  /** The share of returned lines, 0 to 1. */
  progress(): number
  close(): Promise<void>
}
export interface LeftOut {
  what: string
  reason: string
  count: number
  examples: string[]
}
export interface ForeignBoards {
  /** @throws Error that says what to do, when the source does not exist, or its place or map is invalid */
  open(caller: Caller, request: ImportRequest): Promise<OpenedSource>
  /**
   * @param lines of the import format, in its order
   * @returns the number of issues
   * @throws Error that says what to do, when the folder cannot be used
   */
  writeMarkdown(caller: Caller, lines: AsyncIterable<string>, folder: string): Promise<number>
}
/** Boards of other trackers, and of markdown; contributed by the plugin that knows them. */
export const foreignBoards = point<ForeignBoards>()(transfer, 'foreignBoards')
