import { sql, type RawBuilder } from 'kysely'
import { boundedList, iso, jsonArray, jsonObject, jsonRow, jsonRows } from '../../../../core/api/database/queries.ts'
import type { BoundedList, WorkspaceId } from '../../../../core/api/database/types.ts'
import type { Field, LinksField, ReferenceField, ValueField } from '../../fields/field.ts'

/* The SQL of a field over the rows `issue`, `team` and `state`: for rows, the context and comparison in a change. */

type Sql = RawBuilder<unknown>

const columnOf = ({ column }: { column: string }) => sql`${sql.ref(`issue.${column}`)}`
const isThere = ({ hidesRemoved }: ReferenceField) => (hidesRemoved ? sql`and r.deleted_at is null` : sql``)

function referenced(workspaceId: WorkspaceId, field: ReferenceField, columns: (source: string) => Sql): Sql {
  if (field.source === 'state' || field.source === 'team') return sql`select ${columns(field.source)}`
  if (field.source === 'issue') {
    return sql`
      select ${columns('r')} from issue r join team rt on rt.workspace_id = r.workspace_id and rt.id = r.team_id
      where r.workspace_id = ${workspaceId} and r.id = ${columnOf(field)} ${isThere(field)}`
  }
  return sql`
    select ${columns('r')} from ${sql.table(field.source.table)} r
    where r.workspace_id = ${workspaceId} and r.id = ${columnOf(field)} ${isThere(field)}`
}
function nameOf({ source }: ReferenceField, row: string): Sql {
  if (source === 'issue') return sql`rt.identifier || '-' || ${sql.ref(`${row}.number`)}`
  return sql`${sql.ref(`${row}.${typeof source === 'string' ? 'name' : source.name}`)}`
}
const linkedName = ({ source }: Pick<LinksField, 'source'>): Sql => sql`${sql.ref(`l.${source.name}`)}`
/**
 * Linked records are read laterally and fenced (`offset 0`), and `deleted_at` is tested outside the fence, so that only
 * the primary key fits: without statistics, the planner may choose a partial index instead.
 */
const linked = (workspaceId: WorkspaceId, { table, column, source }: LinksField, columns: Sql, order?: Sql): Sql => sql`
  select ${columns} from ${sql.table(table)} il
  cross join lateral (
    select l.id, ${linkedName({ source })}, l.deleted_at from ${sql.table(source.table)} l
    where l.workspace_id = ${workspaceId} and l.id = ${sql.ref(`il.${column}`)} offset 0) l
  where il.workspace_id = ${workspaceId} and il.issue_id = issue.id and l.deleted_at is null
  ${order ? sql`order by ${order}` : sql``}`

export function referenceId(workspaceId: WorkspaceId, field: ReferenceField): RawBuilder<string | null> {
  const column = columnOf(field)
  if (typeof field.source === 'string' || !field.hidesRemoved) return sql<string | null>`${column}`
  return sql<string | null>`(
    select r.id from ${sql.table(field.source.table)} r
    where r.workspace_id = ${workspaceId} and r.id = ${column} and r.deleted_at is null)`
}

export function rowValue(workspaceId: WorkspaceId, field: Field): Sql {
  if (field.kind === 'links') return jsonArray(linked(workspaceId, field, sql`l.id`, sql.ref(`il.${field.column}`)))
  if (field.kind === 'reference') return referenceId(workspaceId, field)
  return field.type === 'timestamptz' ? iso(`issue.${field.column}`) : columnOf(field)
}

export function namedValue(workspaceId: WorkspaceId, field: Field): Sql {
  if (field.kind === 'links') {
    return jsonArray(linked(workspaceId, field, linkedName(field), sql`lower(${linkedName(field)})`))
  }
  if (field.kind === 'reference') return sql`(${referenced(workspaceId, field, row => nameOf(field, row))})`
  // Arrays begin at 1: the word of the number 0, which is none, is left out.
  if (field.words) return sql`(${sql.lit(`{${field.words.slice(1).join(',')}}`)}::text[])[${columnOf(field)}]`
  return rowValue(workspaceId, field)
}

export const contextList = (workspaceId: WorkspaceId, field: LinksField): BoundedList => {
  const name = linkedName(field)
  return boundedList(linked(workspaceId, field, sql`l.id, ${name} as name, lower(${name}) as sort_name`), {
    item: { id: sql`taken.id`, name: sql`taken.name` },
    order: sql`sort_name, id`
  })
}

export function contextValue(workspaceId: WorkspaceId, field: ValueField | ReferenceField): Sql {
  if (field.kind !== 'reference') return rowValue(workspaceId, field)
  return jsonRow(referenced(workspaceId, field, row => contextColumns(field, row)))
}
function contextColumns({ source }: ReferenceField, row: string): Sql {
  const columns = (...names: string[]) => sql.join(names.map(name => sql.ref(`${row}.${name}`)))
  if (source === 'state') return columns('id', 'name', 'category')
  if (source === 'team') return columns('id', 'identifier', 'name')
  if (source === 'issue') {
    return sql`r.id, rt.identifier || '-' || r.number as key, r.title`
  }
  return columns('id', source.name)
}

/** The stored value for comparison in a change: `{id, name}` of a reference, a list of those, or the value. */
export function storedValue(workspaceId: WorkspaceId, field: Field): Sql {
  if (field.kind === 'value') return columnOf(field)
  if (field.kind === 'links') {
    return jsonRows(
      linked(workspaceId, field, sql`l.id, ${linkedName(field)} as name`, sql`lower(${linkedName(field)})`)
    )
  }
  return jsonRow(referenced(workspaceId, field, row => sql`${sql.ref(`${row}.id`)}, ${nameOf(field, row)} as name`))
}

export const valuesOf = (
  name: 'key' | 'property',
  fields: readonly Field[],
  value: (field: Field) => Sql
): Record<string, Sql> => Object.fromEntries(fields.map(field => [field[name], value(field)]))

export const storedValues = (workspaceId: WorkspaceId, fields: readonly Field[]): Sql =>
  fields.length === 0 ? sql`'{}'::json` : jsonObject(valuesOf('key', fields, field => storedValue(workspaceId, field)))
