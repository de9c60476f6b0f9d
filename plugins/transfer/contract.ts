import type { ColumnType, RawBuilder } from 'kysely'
import { Type, type Static, type TProperties } from 'typebox'
import { contract, point, type Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { Closed } from '../../core/api/schemas.ts'

export interface TransferTables {
  /** Imported records whose name in their source is not their id, or whose source may be imported again. */
  importedRecord: {
    workspaceId: Id
    kind: string
    /** The source in which it has that name; empty for a file of the import format itself. */
    source: string
    externalId: string
    id: Id
    /**
     * What was imported, so that a later import can tell who changed it since; null for a file of the format itself.
     */
    fields: ColumnType<ImportedFields | null, string | null | undefined, string | null>
  }
}
/** Two digests of each field: of the imported value, and of the stored one. */
export type ImportedFields = Record<string, [imported: string, stored: string]>

export interface TransferServices {
  /** Imports lines of the format into the caller's workspace. @param actorId the administrator in whose place */
  importLines(
    caller: Caller,
    actorId: Id,
    lines: AsyncIterable<string>
  ): Promise<{ added: Record<string, number>; skipped: ReadonlyArray<{ where: string; reason: string }> }>
  /** The ids of the imported records of a kind, by their names in the file. */
  imported(caller: Caller, trx: TransactionHandle, kind: string): Promise<ReadonlyMap<string, Id>>
}
export const transfer = contract<TransferServices, TransferTables>()('transfer')

/** The name of a record in its source. One that is a UUID becomes its id. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 200, title: 'external id' })
/** An account: its external id or e-mail address. Any other name becomes a removed account. */
export const Person = Type.String({ minLength: 1, maxLength: 200, title: 'person' })
/** In the place of a person whom a record should name and does not: a removed account, as which nobody can sign in. */
export const UNKNOWN_PERSON = 'Unknown (imported)'
/** A team: its identifier. */
export const TeamName = Type.String({ maxLength: 20, description: 'Its identifier.' })
/** ISO 8601, with a time zone. */
export const When = Type.String({
  title: 'time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'
})

/** A line that is being imported. */
export interface Item<R> {
  readonly line: number
  readonly record: R
  /** The id that it is to get. */
  readonly id: Id
}

/** Lines of one kind, to be added in one transaction. */
export interface Batch<R> {
  readonly trx: TransactionHandle
  /** The server, on behalf of `actorId`: for services and events. */
  readonly caller: Caller
  readonly workspaceId: Id
  readonly now: Date
  /** Where the records come from; empty for a file of the import format itself. */
  readonly source: string
  /** The lines; none of their records was imported before. */
  readonly items: ReadonlyArray<Item<R>>
  /** The ids of records by their external ids: of those that were imported before, and of this batch. */
  find(kind: string, externalIds: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  /**
   * Accounts by what a record calls them. Somebody unknown becomes a removed account: the name stays with what they
   * wrote, and nobody can sign in as them.
   */
  people(names: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  /** It is not added; the reason is reported to the user. */
  skip(item: Item<R>, reason: string): void
  /** The end of its text is left out, which is reported to the user; 0 characters: nothing is. */
  noteCut(item: Item<R>, cutCharacters: number): void
  /** It is added otherwise than the file has it; the reason is reported to the user. */
  note(item: Item<R>, reason: string): void
  /** It is not added, because it is there already, as `id`. */
  isThere(item: Item<R>, id?: Id): void
  /** Whether another line of the import is that record; only of kinds that are kept apart. */
  isTaken(item: Item<R>, id: Id): boolean
  /** It is added, under another id than its own. */
  storedAs(item: Item<R>, id: Id): void
}

/** Records that were imported before, and have changed in their source since. */
export interface ChangeBatch<R> extends Omit<Batch<R>, 'isThere' | 'isTaken' | 'storedAs'> {
  /** The fields to update, by the record's id: those that were not changed here. */
  readonly changed: ReadonlyMap<Id, ReadonlySet<string>>
}

/** How a later import of the same source changes records of a kind. */
export interface RecordChanges<R> {
  /** The fields that are compared, each with its last imported value. */
  fields: readonly string[]
  /**
   * A query of `id` and, by the names of the fields, something that differs when a field does; without deleted records.
   */
  current(workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id }>
  apply(batch: ChangeBatch<R>): Promise<void>
}

/** What tells an issue from others, whatever its name in its source. */
export interface RecordIdentity {
  id: Id
  /** The identifiers of its team and of those that it was in before. */
  teams: string[]
  createdAt: Date
}

/** SQL: the name that a record of a kind has in the file, by the column that holds its id; null where that is. */
export type ExternalIdOf = (kind: string, column: string) => RawBuilder<string>

/** A kind of line, as its plugin writes and reads it. A record whose `externalId` was imported before is skipped. */
export interface RecordKind {
  kind: string
  /**
   * What such a record is, and with which existing record it is identified: markdown, for the page about the format.
   */
  summary: string
  /** Its table. */
  table: string
  /** The fields beside `kind`; their titles and descriptions are shown on the format's page. */
  fields: TProperties
  /** No two lines of an import become one record, however alike they are. */
  keptApart?: true
  /** Kinds that name records of this one, though their plugins start earlier. */
  before?: readonly string[]
  /**
   * A query whose columns are the fields, in an order that does not depend on ids; null and empty lists are not
   * written.
   */
  rows(workspaceId: Id, externalId: ExternalIdOf): RawBuilder<object>
  add(batch: Batch<never>): Promise<void>
  /** The name of a record that has no `externalId`, for imports from a source. */
  nameOf?(record: never): string
  /** Without it, a record that was imported before is skipped. */
  changes?: RecordChanges<never>
  /** Only of issues: a query that tells whether a board that is imported again is the same, deleted ones included. */
  identities?(workspaceId: Id, ids: readonly Id[]): RawBuilder<RecordIdentity>
  /** In a text, `<PREFIX:EXTERNAL-ID>` becomes the `name` of the record: a query of `id` and `name`. */
  inTexts?: { prefix: string; names(workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id; name: string }> }
}
export const recordKinds = point<RecordKind>()(transfer, 'recordKinds')

/** Defines a kind; the type of its records follows from its fields. */
export const recordKind = <P extends TProperties>(
  kind: Omit<RecordKind, 'fields' | 'add' | 'nameOf' | 'changes'> & {
    fields: P
    add(batch: Batch<RecordOf<P>>): Promise<void>
    nameOf?(record: RecordOf<P>): string
    changes?: RecordChanges<RecordOf<P>>
  }
): RecordKind => kind
/** A record with these fields. */
export type RecordOf<P extends TProperties> = Static<ReturnType<typeof Closed<P>>>

/** What an import reads, and how. */
export interface ImportRequest {
  /** e.g. `jira` */
  source: string
  /** A file, a folder or a URL. */
  place: string
  /** A JSON file that maps names of the source to names here. */
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
  /** Full names of accounts here that the map gives to people of the source. */
  readonly accountNames: ReadonlySet<string>
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
/** Boards of other trackers, as sources of an import, and as what an export is written to. */
export interface ForeignBoards {
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
/** Contributed by the plugin that knows other trackers. */
export const foreignBoards = point<ForeignBoards>()(transfer, 'foreignBoards')
