import type { RawBuilder } from 'kysely'
import { Type, type Static, type TProperties } from 'typebox'
import { contract, point, type Caller } from '../../core/contract.ts'
import type { Id, TransactionHandle } from '../../core/db/tables.ts'
import type { Closed } from '../../core/schemas.ts'

export interface TransferTables {
  /** What came from elsewhere under another name than its id. */
  importedRecord: { workspaceId: Id; kind: string; externalId: string; id: Id }
}
export const transfer = contract<object, TransferTables>()('transfer')

/** A record's name where it comes from. One that is a UUID becomes its id. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 200, title: 'external id' })
/** An account: its external id, e-mail address or full name. */
export const Person = Type.String({ minLength: 1, maxLength: 200, title: 'person' })
/** ISO 8601, with a time zone. */
export const When = Type.String({
  title: 'time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$'
})

/** A line of the file, on its way in. */
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
  /** Who imports, in the place of an account that a record does not name. */
  readonly actorId: Id
  readonly now: Date
  /** None of them came before. */
  readonly items: ReadonlyArray<Item<R>>
  /** The ids of records by their external ids: of those that came before, and of this very batch. */
  find(kind: string, externalIds: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  /** Accounts by what a record calls them. Somebody unknown becomes a removed account: the name stays with what they wrote, and nobody can sign in as them. */
  people(names: Iterable<string | null | undefined>): Promise<ReadonlyMap<string, Id>>
  /** It is not added, and the user is told why. */
  skip(item: Item<R>, reason: string): void
  /** It is not added, because it is there already, as `id`. */
  isThere(item: Item<R>, id?: Id): void
}

/** A kind of line, as its plugin writes and reads it. A record with an `externalId` that came before is passed over. */
export interface RecordKind {
  kind: string
  /** What such a record is, and which record that is there already it is the same as: markdown, for the format's page. */
  summary: string
  /** Its table. */
  table: string
  /** The fields beside `kind`; their titles and descriptions are shown on the format's page. */
  fields: TProperties
  /** Kinds that name records of this one, though their plugins start earlier. */
  before?: readonly string[]
  /**
   * A query whose columns are the fields, in an order that does not depend on ids; null and empty lists are not
   * written. `externalId` is SQL: the name that a record of a kind has in the file, by the column that holds its id.
   */
  rows(workspaceId: Id, externalId: (kind: string, column: string) => RawBuilder<string>): RawBuilder<object>
  add(batch: Batch<never>): Promise<void>
}
export const recordKinds = point<RecordKind>()(transfer, 'recordKinds')

/** Defines a kind; the type of its records follows from its fields. */
export const recordKind = <P extends TProperties>(
  kind: Omit<RecordKind, 'fields' | 'add'> & {
    fields: P
    add(batch: Batch<Static<ReturnType<typeof Closed<P>>>>): Promise<void>
  }
): RecordKind => kind
