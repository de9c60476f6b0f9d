import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { IdText, Nullable } from '../../../core/api/schemas.ts'

/*
 * What a field of issues is. `fields.ts` defines those of this plugin, others contribute theirs to the extension point
 * `issueFields`; bodies, rows, filters, history, export files and tools are derived from the definition.
 */

/** `board`: rows have it beside what rows of the `list` have. */
export type View = 'list' | 'board' | 'full' | 'context'

/** Where things are looked up that a request names. */
export interface NameSource {
  /** What an error calls one of them, e.g. `label`. */
  readonly what: string
  /** Has `workspace_id`, `id` and `deleted_at`. */
  readonly table: string
  /** The column of the name that is shown. */
  readonly name: string
  /** A column that names it, too, e.g. `email`. */
  readonly otherName?: string
  /** Whether several may have one name, so that a filter by it means all of them. */
  readonly isShared?: boolean
  /** Whether spaces, hyphens and underscores in names make no difference: there are few. */
  readonly isFolded?: boolean
  /** Whether each is of a team (`team_id`): an issue refers only to those of its own, and leaves them when it moves. */
  readonly isOfTeam?: boolean
  /** Words with a meaning of their own, e.g. `me`. */
  words?(caller: AccountOfCaller): Readonly<Record<string, Id>>
}

/** The argument of a tool that is derived from a field. */
export interface ToolArgument {
  readonly create?: string
  readonly update?: string
  readonly list?: string
  /** To choose the next issue by it. */
  readonly next?: string
}

interface FieldBase {
  /** Its name for people and agents: in bodies and filters by name, in the context, the history and export files. */
  readonly key: string
  /** Its name in rows, and in bodies by id; the same as `key` for a plain value. */
  readonly property: string
  /** What bodies take under `property`; absent: nobody can set it. */
  readonly input?: TSchema
  /** When it can be set; default: at any time. */
  readonly settable?: 'create'
  /** What rows show under `property`. */
  readonly shown: TSchema
  readonly views: readonly View[]
  readonly isNullable: boolean
  /** The keys of filters by it. */
  readonly filters: readonly string[]
  /** Its name in the history. */
  readonly change: string
  /** Whether the context tells its changes. */
  readonly isInContextHistory: boolean
  /** Its schema in export files, under `key`; absent: it has none there, or one of its own. */
  readonly transfer?: TSchema
  readonly argument?: ToolArgument
}

/** A value in a column of `issue`. */
export interface ValueField extends FieldBase {
  readonly kind: 'value'
  readonly column: string
  readonly type: 'text' | 'smallint' | 'int' | 'float8' | 'date' | 'timestamptz'
  readonly isRequired: boolean
  /** What a new issue has unless the request says. */
  initial?(at: Date): unknown
  /** The words that stand for the numbers 0, 1, …: REST takes both. */
  readonly words?: readonly string[]
  /** The value as the history names it. */
  word(value: unknown): string | null
  /** What a filter's values are, and how one is read; undefined: it does not fit. */
  readonly filterValues?: { readonly look: string; read(value: unknown): string | number | undefined }
}

/** A column of `issue` with the id of one thing. */
export interface ReferenceField extends FieldBase {
  readonly kind: 'reference'
  readonly column: string
  /** Teams, states and issues are looked up by rules of their own. */
  readonly source: NameSource | 'team' | 'state' | 'issue'
  /** Whether a reference to something that was removed reads as none. */
  readonly hidesRemoved: boolean
  /** Whether `issue_things_tally` has how many issues refer to each. */
  readonly isTallied?: boolean
  /** The columns that change with it. */
  alsoSets?(id: Id | null, at: Date): Readonly<Record<string, unknown>>
  /** Over the row `issue`: what the context shows; default: id and name. */
  readonly context?: RawBuilder<unknown>
}

/** Any number of things, kept in a link table with the columns `workspace_id`, `issue_id` and `column`. */
export interface LinksField extends FieldBase {
  readonly kind: 'links'
  readonly table: string
  readonly column: string
  readonly source: NameSource
  /** Whether `issue_things_tally` has how many issues have each. */
  readonly isTallied?: boolean
  /** What bodies take to add some or remove some, by id and by name. */
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

/** A plain value of issues: a text, a number, a day, or a number that has a word. */
export const valueField = (
  field: Common & Pick<ValueField, 'shown' | 'type'> & Partial<Omit<ValueField, 'kind' | keyof FieldBase>>
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
 * A reference of issues to one thing: `referenceField({ key: 'project', property: 'projectId', column: 'project_id',
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

/** References of issues to any number of things. */
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
