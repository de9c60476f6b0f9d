import { sql, type RawBuilder } from 'kysely'
import {
  boundedList,
  iso,
  jsonObject,
  jsonRow,
  statementPart,
  withFields
} from '../../../../core/api/database/queries.ts'
import type { BoundedList, Id, WorkspaceId } from '../../../../core/api/database/types.ts'
import type { ContextSection, RowSection } from '../../contract.ts'
import type { Field, View } from '../../fields/field.ts'
import { isBlocked } from '../filter/conditions.ts'
import { contextList, contextValue, namedValue, rowValue, valuesOf } from '../filter/fields.ts'
import { categoryOf, otherKey, relationNames, relations } from '../filter/relations.ts'

/* The JSON of an issue, made by the database over the rows `issue`, `team` and `state` (its workflow state). */

export const issueJoins = (workspaceId: WorkspaceId) => sql`
  join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
  join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id`

const column = (name: string) => sql`${sql.ref(name)}`
const key = sql<string>`team.identifier || '-' || issue.number`

const inView = (fields: readonly Field[], view: View) => fields.filter(({ views }) => views.includes(view))
export const isNamed = ({ views }: Field): boolean => views.includes('list') || views.includes('named')
const fixed = { id: column('issue.id'), key, stateCategory: column('state.category') }

export const sectionsIn = (sections: readonly RowSection[], view: 'list' | 'board'): RowSection[] =>
  sections.filter(({ views }) => views === undefined || views.includes(view))
const added = (workspaceId: WorkspaceId, sections: readonly RowSection[], view: 'list' | 'board') =>
  Object.fromEntries(sectionsIn(sections, view).map(({ name, json }) => [name, json(workspaceId)]))

export const listRow = (
  workspaceId: WorkspaceId,
  fields: readonly Field[],
  sections: readonly RowSection[]
): RawBuilder<object> =>
  withFields(
    jsonObject({
      ...fixed,
      ...valuesOf('property', inView(fields, 'list'), field => rowValue(workspaceId, field))
    }),
    added(workspaceId, sections, 'list')
  )

/** All that a card shows; fields that an issue does not have are left out. */
function boardRow(
  workspaceId: WorkspaceId,
  fields: readonly Field[],
  sections: readonly RowSection[]
): RawBuilder<object> {
  const shown = fields.filter(({ views }) => views.includes('list') || views.includes('board'))
  const row = jsonObject({
    ...fixed,
    ...valuesOf('property', shown, field => rowValue(workspaceId, field)),
    assignedAt: iso('issue.assigned_at'),
    criteria: sql`
      case when issue.criteria_total > 0
        then ${jsonRow(sql`select issue.criteria_met as met, issue.criteria_total as total`)} end`,
    isBlocked: sql`case when ${isBlocked(workspaceId)} then true end`,
    rev: column('issue.rev'),
    ...added(workspaceId, sections, 'board')
  })
  return sql<object>`json_strip_nulls(${row})`
}

export const namedRow = (workspaceId: WorkspaceId, fields: readonly Field[]): RawBuilder<object> => {
  const { id: _, ...named } = fixed
  const row = jsonObject({
    ...named,
    ...valuesOf('key', fields.filter(isNamed), field => namedValue(workspaceId, field)),
    relations: relationNames(workspaceId)
  })
  return sql<object>`json_strip_nulls(${row})`
}

export const fullRow = (workspaceId: WorkspaceId, fields: readonly Field[], raw = true): RawBuilder<object> =>
  jsonObject({
    ...fixed,
    ...(raw && { description: column('issue.description') }),
    descriptionMarkdown: column('issue.description_markdown'),
    ...valuesOf('property', inView(fields, 'full'), field => rowValue(workspaceId, field)),
    rev: column('issue.rev')
  })

export type PageView = 'list' | 'board' | 'full' | 'named'
export type PageRows = Record<PageView, (bounds: { workspaceId: Id }) => RawBuilder<object>>

export function makePageRows(fields: readonly Field[], sections: readonly RowSection[]): PageRows {
  return {
    list: statementPart(({ workspaceId }) => listRow(workspaceId, fields, sections)),
    board: statementPart(({ workspaceId }) => boardRow(workspaceId, fields, sections)),
    full: statementPart(({ workspaceId }) => fullRow(workspaceId, fields)),
    named: statementPart(({ workspaceId }) => namedRow(workspaceId, fields))
  }
}

/** The lists of a context that issues have themselves; each is one row over the row `issue`. */
function ownLists(workspaceId: WorkspaceId, fields: readonly Field[]): Record<string, BoundedList> {
  const changes = fields.filter(field => field.isInContextHistory).map(({ change }) => change)
  const ofFields = inView(fields, 'context').flatMap(field => (field.kind === 'links' ? [field] : []))
  return {
    ...Object.fromEntries(ofFields.map(field => [field.key, contextList(workspaceId, field)])),
    subIssues: boundedList(
      sql`
      select c.id, c.number, c.title, c.team_id, c.state_id, c.sort_order, c.created_at from issue c
      where c.workspace_id = ${workspaceId} and c.parent_id = issue.id and c.deleted_at is null`,
      {
        item: {
          id: sql`taken.id`,
          key: otherKey(workspaceId),
          title: sql`taken.title`,
          stateCategory: categoryOf(workspaceId, 'taken')
        },
        order: sql`sort_order, created_at, id`
      }
    ),
    relations: relations(workspaceId),
    linkedIssues: boundedList(
      sql`
      select k.id, k.url, k.title, k.kind, k.state, k.created_at from issue_link k
      where k.workspace_id = ${workspaceId} and k.issue_id = issue.id and k.deleted_at is null`,
      {
        item: {
          id: sql`taken.id`,
          url: sql`taken.url`,
          title: sql`taken.title`,
          kind: sql`taken.kind`,
          state: sql`taken.state`
        },
        omitsNulls: true,
        order: sql`created_at, id`
      }
    ),
    history: boundedList(
      sql`
      select h.id, h.at, h.actor_id, h.change, h.from_name, h.to_name from issue_change h
      where h.workspace_id = ${workspaceId} and h.issue_id = issue.id
        and h.change = any(${sql.lit(`{${changes.join(',')}}`)}::text[])
        and h.from_name is distinct from h.to_name`,
      {
        item: {
          at: iso('taken.at'),
          actor: sql`(
            select a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = taken.actor_id)`,
          change: sql`taken.change`,
          from: sql`taken.from_name`,
          to: sql`taken.to_name`
        },
        order: sql`at, id`,
        keep: sql`at desc, id desc`
      }
    )
  }
}

interface ContextSql {
  /** Null when the short form is not enough: not all lists have room, or a section is to be added. */
  json: RawBuilder<string | null>
  joins: RawBuilder<unknown>
  /** The text of a JSON object of the fields that only some contexts have; null when this one has none of them. */
  extra: RawBuilder<string | null>
}

type ShortSection = Extract<ContextSection, { json: unknown }>
const isOptional = (section: ContextSection): section is ShortSection =>
  'json' in section && section.isOptional === true
const isRare = (section: ContextSection): section is ShortSection & Required<Pick<ShortSection, 'onlyIf'>> =>
  'json' in section && section.onlyIf !== undefined

const rareValue = (workspaceId: WorkspaceId, { onlyIf, json }: Pick<Required<ShortSection>, 'onlyIf' | 'json'>) =>
  sql`case when ${onlyIf(workspaceId)} then ${json(workspaceId)} end`

/** By their names, in the order of the fields of `omitted`. */
function allLists(
  workspaceId: WorkspaceId,
  fields: readonly Field[],
  sections: readonly ContextSection[]
): Record<string, BoundedList> {
  const { history, ...before } = ownLists(workspaceId, fields)
  return {
    ...before,
    ...Object.fromEntries(
      sections.flatMap(section => ('list' in section ? [[section.name, section.list(workspaceId)]] : []))
    ),
    history: history!
  }
}

const onlyInSome = (fields: Record<string, RawBuilder<unknown>>) =>
  Object.keys(fields).length === 0
    ? sql<null>`null::text`
    : sql<string | null>`nullif(json_strip_nulls(${jsonObject(fields)})::text, '{}')`

const shortLists = (lists: Record<string, BoundedList>) => sql`
  select ${sql.join(Object.entries(lists).map(([name, { short }]) => sql`${short.array} as ${sql.ref(name)}`))}`

/** Like `shortLists`, in exact form; `omitted` is the JSON of the numbers of omitted items by list. */
function exactLists(lists: Record<string, BoundedList>): RawBuilder<unknown> {
  const names = Object.keys(lists)
  const omitted = names.map(name => [name, sql`nullif(${sql.ref(`${name}.omitted`)}, 0)`])
  return sql`
    select ${sql.join(names.map(name => sql`${sql.ref(`${name}.items`)} as ${sql.ref(name)}`))},
      ${onlyInSome(Object.fromEntries(omitted))}::json as omitted
    from ${sql.join(Object.entries(lists).map(([name, { exact }]) => sql`(${exact}) ${sql.ref(name)}`))}`
}

/** All that is known about one issue, with the sections of the other plugins: part of one statement. */
export function contextSql(
  workspaceId: WorkspaceId,
  fields: readonly Field[],
  sections: readonly ContextSection[],
  form: keyof BoundedList
): ContextSql {
  const lists = allLists(workspaceId, fields, sections)
  const itemsOf = (name: string) => sql.ref(`list.${name}`)
  const criteria = jsonObject({ met: column('issue.criteria_met'), total: column('issue.criteria_total') })
  const ofCriteria = sections.find(section => 'list' in section && section.isOfCriteria)
  const json = jsonObject({
    id: column('issue.id'),
    key,
    descriptionMarkdown: column('issue.description_markdown'),
    ...valuesOf('key', inView(fields, 'context'), field =>
      field.kind === 'links' ? itemsOf(field.key) : contextValue(workspaceId, field)
    ),
    ...Object.fromEntries(['subIssues', 'relations', 'linkedIssues'].map(name => [name, itemsOf(name)])),
    ...Object.fromEntries(
      sections
        .filter(section => !isOptional(section) && !isRare(section) && section !== ofCriteria)
        .map(section => [section.name, 'list' in section ? itemsOf(section.name) : section.json(workspaceId)])
    ),
    history: itemsOf('history'),
    definitionOfDone: ofCriteria
      ? withFields(criteria, { items: sql`nullif(to_json(${itemsOf(ofCriteria.name)})::text, '[]')` })
      : criteria,
    rev: column('issue.rev'),
    createdAt: iso('issue.created_at'),
    updatedAt: iso('issue.updated_at')
  })
  const rare = sections.filter(isRare)
  const optional = Object.fromEntries(sections.filter(isOptional).map(({ name, json }) => [name, json(workspaceId)]))
  if (form === 'short') {
    const isEnough = [
      ...Object.entries(lists).map(([name, { short }]) => short.isWithinLimits(itemsOf(name))),
      ...rare.map(({ onlyIf }) => sql`not ${onlyIf(workspaceId)}`)
    ]
    return {
      json: sql`case when ${sql.join(isEnough, sql` and `)} then (${json})::text end`,
      joins: sql`cross join lateral (${shortLists(lists)} offset 0) list`,
      extra: onlyInSome(optional)
    }
  }
  return {
    json: sql`(${json})::text`,
    joins: sql`cross join lateral (${exactLists(lists)} offset 0) list`,
    extra: onlyInSome({
      ...optional,
      ...Object.fromEntries(rare.map(section => [section.name, rareValue(workspaceId, section)])),
      omitted: sql`list.omitted`
    })
  }
}
