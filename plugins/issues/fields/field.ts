import type { TSchema } from 'typebox'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { IdText, Nullable } from '../../../core/api/schemas.ts'

/* Bodies, rows, filters, history, exports and tools are derived from the fields of `fields.ts` and `issueFields`. */

/** `board`, `named`: additional fields beside those of `list`. */
export type View = 'list' | 'board' | 'named' | 'full' | 'context'

export interface Owner {
  readonly field: 'team' | ReferenceField
  /** The column of the owned record with its id, e.g. `team_id`. */
  readonly column: string
}

export interface NameSource {
  /** For errors, e.g. `label`. */
  readonly what: string
  /** Has `workspace_id`, `id` and `deleted_at`. */
  readonly table: string
  readonly name: string
  /** Another column with a name, e.g. `email`. */
  readonly otherName?: string
  /** Several records may have the same name: a filter by it means all of them. */
  readonly isShared?: boolean
  /** Spaces, hyphens and underscores in names make no difference. */
  readonly isFolded?: boolean
  /** An issue refers only to records of its own team or project, and drops them when that changes. */
  readonly owner?: Owner
  words?(caller: AccountOfCaller): Readonly<Record<string, Id>>
}

export interface ToolArgument {
  /** Its name; default: `key`, which is read, too. */
  readonly name?: string
  readonly create?: string
  readonly update?: string
  readonly list?: string
  /** The filter type that lists by it; default: `IS`. */
  readonly listFilter?: 'LTE'
  readonly next?: string
}

interface FieldBase {
  /** Its human-readable name: in bodies and filters by name, in the context, the history and export files. */
  readonly key: string
  /** Its name in rows, and in bodies by id; the same as `key` for a plain value. */
  readonly property: string
  /** The schema of `property` in bodies; absent: read-only. */
  readonly input?: TSchema
  readonly settable?: 'create'
  readonly isSetByPeople?: true
  readonly shown: TSchema
  readonly views: readonly View[]
  readonly isNullable: boolean
  readonly filters: readonly string[]
  readonly change: string
  readonly isInContextHistory: boolean
  /** Its schema in export files, under `key`; absent: it has none there, or a special one. */
  readonly transfer?: TSchema
  readonly argument?: ToolArgument
}

export interface ValueField extends FieldBase {
  readonly kind: 'value'
  readonly column: string
  readonly type: 'text' | 'smallint' | 'int' | 'float8' | 'date' | 'timestamptz'
  readonly isRequired: boolean
  initial?(at: Date): unknown
  /** The words for the numbers 0, 1, …: REST accepts both. */
  readonly words?: readonly string[]
  word(value: unknown): string | null
  /** The values of its filter: a description, and a parser that returns undefined for invalid ones. */
  readonly filterValues?: { readonly look: string; read(value: unknown): string | number | undefined }
}

export interface ReferenceField extends FieldBase {
  readonly kind: 'reference'
  readonly column: string
  /** Teams, states and issues have special look-ups. */
  readonly source: NameSource | 'team' | 'state' | 'issue'
  /** A reference to a removed record reads as none. */
  readonly hidesRemoved: boolean
  /** `issue_things_tally` counts the issues of each record. */
  readonly isTallied?: boolean
  alsoSets?(id: Id | null, at: Date): Readonly<Record<string, unknown>>
}

/** A list of records, in a link table with the columns `workspace_id`, `issue_id` and `column`. */
export interface LinksField extends FieldBase {
  readonly kind: 'links'
  readonly table: string
  readonly column: string
  readonly source: NameSource
  readonly isTallied?: boolean
  /** The properties of bodies that add and remove records, by id and by name. */
  readonly add: { readonly property: string; readonly key: string }
  readonly remove: { readonly property: string; readonly key: string }
}

export type Field = ValueField | ReferenceField | LinksField

type Common = Pick<FieldBase, 'key'> & Partial<Omit<FieldBase, 'key'>>
const common = (field: Common) => ({
  property: field.key,
  views: ['full'] as const,
  isNullable: false,
  filters: [],
  change: field.key,
  isInContextHistory: false,
  ...field
})

/** Whoever filters by a value field says which values its filter takes. */
type ValueFilter =
  { filters?: readonly []; filterValues?: never } | Required<Pick<ValueField, 'filters' | 'filterValues'>>

export const valueField = (
  field: Common & Pick<ValueField, 'shown' | 'type'> & Partial<Omit<ValueField, 'kind' | keyof FieldBase>> & ValueFilter
): ValueField => ({
  kind: 'value',
  column: field.key,
  isRequired: false,
  word: value => (value === null || value === undefined ? null : String(value)),
  ...common(field),
  shown: field.shown,
  type: field.type
})

/**
 * A reference of issues to one record: `referenceField({ key: 'project', property: 'projectId', column: 'project_id',
 * source: { what: 'project', table: 'project', name: 'name' } })`. The migration of its plugin adds the column to
 * `issue`, nullable, with a foreign key to the table.
 */
export const referenceField = (
  field: Common & Pick<ReferenceField, 'property' | 'column' | 'source'> & Partial<Omit<ReferenceField, 'kind'>>
): ReferenceField => {
  const isNullable = field.isNullable ?? true
  const id = isNullable ? Nullable(IdText) : IdText
  return {
    kind: 'reference',
    hidesRemoved: true,
    ...common({ filters: [field.key], isInContextHistory: true, views: ['full', 'context'], input: id, ...field }),
    column: field.column,
    source: field.source,
    property: field.property,
    isNullable,
    shown: field.shown ?? id
  }
}

export const linksField = (
  field: Common &
    Pick<LinksField, 'property' | 'table' | 'column' | 'source' | 'add' | 'remove' | 'shown'> &
    Partial<Pick<LinksField, 'input' | 'isTallied'>>
): LinksField => ({
  kind: 'links',
  ...common({ isNullable: true, ...field }),
  ...{ table: field.table, column: field.column, source: field.source, add: field.add, remove: field.remove },
  shown: field.shown
})
