import { sql, type RawBuilder } from 'kysely'
import type { AccountOfCaller } from '../../../../core/api/contract.ts'
import {
  asShortRead,
  isId,
  jsonObject,
  jsonRows,
  mayBeNamed,
  notDeletedIn,
  readInWorkspace
} from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { invalid, notFound } from '../../../../core/api/errors.ts'
import { exactFirst, foldLine, foldName, onlyMatch, unknownName, withoutSpaces } from '../../../../core/api/text.ts'
import type { StateCategory } from '../../../workspace/contract.ts'
import type { IssueRef, IssuesDatabase } from '../../contract.ts'
import type { NameSource } from '../../fields/field.ts'
import { noIssue, parseIssueName } from '../../keys.ts'
import { findFormerIssues } from './former-keys.ts'

/* Raw SQL: tables and columns follow from the request and the fields. */

export interface Named {
  id: Id
  name: string
}
export interface State extends Named {
  category: StateCategory
}
export interface TeamWithStates {
  id: Id
  identifier: string
  name: string
  states: State[]
}

/** As the caller wrote them, each with the field for errors. */
export interface References {
  /** By id, identifier or name. With null as its field, an unknown team is a 404 instead of an unknown name. */
  teams: Map<string, string | null>
  issues: Map<string, string>
  named: Map<NameSource, Map<string, string>>
}
export const emptyReferences = (): References => ({ teams: new Map(), issues: new Map(), named: new Map() })

export function addReference(references: References, source: NameSource, ref: string, field: string): void {
  references.named.set(source, (references.named.get(source) ?? new Map<string, string>()).set(ref, field))
}

/** Resolved references; getters throw 404 for unknown ids. */
export interface ResolvedReferences {
  team(ref: string): TeamWithStates
  issue(ref: string): IssueRef
  /**
   * The record with that id or name.
   * @param owner the owner that the issue has, and the record must have; null: the issue has none
   * @throws 400 when several have the name, or it has another owner
   */
  named(source: NameSource, ref: string, owner?: Named | null): Named
  allNamed(source: NameSource, ref: string): Named[]
}

interface NamedRecord extends Named {
  otherName?: string | null
  ownerId?: Id
}
interface Answer {
  teams?: TeamWithStates[]
  issues?: IssueRef[]
  [source: `named${number}`]: NamedRecord[]
}

/**
 * Looks everything up in one statement; in none when there are no references. Former keys cost one more.
 * @throws 400 that lists the existing names, when one is unknown
 */
export async function lookUp(
  db: Reader<IssuesDatabase>,
  caller: AccountOfCaller,
  references: References
): Promise<ResolvedReferences> {
  const { workspaceId } = caller
  const sources = [...references.named.keys()]
  const isEmpty = references.teams.size + references.issues.size + sources.length === 0
  const answer: Answer = isEmpty ? {} : await query(db, caller, references)
  const matches = new Map(sources.map((source, n) => [source, matcher(caller, source, answer[`named${n}`] ?? [])]))
  for (const [source, refs] of references.named) {
    for (const [ref, field] of refs) {
      if (isId(ref) || matches.get(source)!(ref).length > 0) continue
      throw unknownName(source.what, ref, await namesOf(db, workspaceId, source), field)
    }
  }
  const teams = answer.teams ?? []
  for (const [ref, field] of references.teams) {
    if (field === null || isId(ref) || teamsIn(teams, ref).length > 0) continue
    const names = (await teamsOf(db, workspaceId)).map(({ identifier, name }) => `${identifier} (${name})`)
    throw unknownName('team', ref, names, field)
  }
  const allNamed = (source: NameSource, ref: string): NamedRecord[] => {
    const matching = matches.get(source)?.(ref) ?? []
    if (matching.length === 0) throw notFound(source.what, ref)
    return matching
  }
  const issues = answer.issues ?? []
  const issueOf = (ref: string) => issues.find(({ id, key }) => id === ref.toLowerCase() || key === ref.toUpperCase())
  const formerIssues = await findFormerIssues(
    db,
    workspaceId,
    [...references.issues.keys()].filter(ref => !issueOf(ref))
  )
  return {
    team(ref) {
      const field = references.teams.get(ref) ?? 'team'
      const team = onlyMatch('team', teamsIn(teams, ref), ({ identifier }) => identifier, field)
      if (!team) throw notFound('team', ref)
      return team
    },
    issue(ref) {
      const issue = issueOf(ref) ?? formerIssues.get(ref)
      if (!issue) throw noIssue(ref)
      return issue
    },
    named(source, ref, owner) {
      return onlyOne(source, allNamed(source, ref), owner, references.named.get(source)?.get(ref) ?? source.what)
    },
    allNamed
  }
}

function onlyOne(
  source: NameSource,
  matches: readonly NamedRecord[],
  owner: Named | null | undefined,
  field: string
): Named {
  const owned = owner === undefined ? matches : matches.filter(({ ownerId }) => ownerId === owner?.id)
  const match = onlyMatch(source.what, owned, ({ id }) => id, field)
  if (match === undefined) throw ofAnother(source, matches[0]!.name, owner, field)
  return match
}

function ofAnother({ what, owner }: NameSource, name: string, issueOwner: Named | null | undefined, field: string) {
  const owners = owner?.field === 'team' ? 'team' : owner!.field.key
  const advice = issueOwner ? `choose one of ${issueOwner.name}, or none` : `give the issue that ${owners}, too`
  return invalid(`The ${what} '${name}' is of another ${owners}: ${advice}.`, { field })
}

/** By id or identifier, else by name, in any case. */
function teamsIn(teams: readonly TeamWithStates[], ref: string): readonly TeamWithStates[] {
  const folded = foldLine(ref)
  const byId = teams.filter(({ id, identifier }) => id === folded || identifier.toLowerCase() === folded)
  if (byId.length > 0) return byId
  const named = teams.filter(({ name }) => foldLine(name) === folded)
  return exactFirst(named, ref)
}

function matcher(
  caller: AccountOfCaller,
  source: NameSource,
  records: readonly NamedRecord[]
): (ref: string) => NamedRecord[] {
  // An id before a word of the source before a name, and the other name last.
  return ref => {
    const target = withCaller(caller, source, ref)
    const byId = records.filter(thing => thing.id === target)
    if (byId.length > 0) return byId
    const byName = records.filter(({ name }) => foldLine(name) === target)
    if (byName.length > 0) return [...exactFirst(byName, ref)]
    const byOtherName = records.filter(({ otherName }) => otherName?.toLowerCase() === target)
    if (byOtherName.length > 0 || !source.isFolded) return byOtherName
    return records.filter(({ name }) => foldName(name) === foldName(target))
  }
}

/** A word of the source is the id that it means. */
function withCaller(caller: AccountOfCaller, source: NameSource, ref: string): string {
  const folded = foldLine(ref)
  const words = source.words?.(caller) ?? {}
  return Object.hasOwn(words, folded) ? words[folded]! : folded
}

async function query(db: Reader<IssuesDatabase>, caller: AccountOfCaller, references: References): Promise<Answer> {
  const { workspaceId } = caller
  const { teams, issues, named } = references
  const parts: Record<string, RawBuilder<unknown>> = {
    ...(teams.size > 0 && { teams: teamsNamed(workspaceId, [...teams.keys()]) }),
    ...(issues.size > 0 && { issues: issuesNamed(workspaceId, [...issues.keys()]) })
  }
  ;[...named].forEach(([source, refs], n) => {
    const meant = [...refs.keys()].flatMap(ref => {
      const target = withCaller(caller, source, ref)
      return isId(target) ? [target] : [ref]
    })
    parts[`named${n}`] = selectByName(workspaceId, source, meant)
  })
  const compiled = sql<{ answer: Answer }>`select ${jsonObject(parts)} as answer`.compile(db)
  const [row] = await readInWorkspace(db, compiled, workspaceId)
  return row!.answer
}

function teamsNamed(workspaceId: Id, refs: readonly string[]) {
  const foldedNames = refs.map(foldLine)
  return jsonRows(sql`
    select t.id, t.identifier, t.name, ${jsonRows(sql`
      select s.id, s.name, s.category from workflow_state s
      where s.workspace_id = ${workspaceId} and s.team_id = t.id and s.deleted_at is null
      order by s.position, s.id`)} as states
    from team t where t.workspace_id = ${workspaceId} and t.deleted_at is null
      and (t.id::text = any(${foldedNames}::text[]) or lower(t.identifier) = any(${foldedNames}::text[])
        or ${mayBeNamed(sql.ref('t.name'), refs)})
    order by t.identifier`)
}

/** Each is read by its key (`offset 0`): without statistics, a join compares all issues with all names. */
function issuesNamed(workspaceId: Id, refs: readonly string[]) {
  const names = refs.map(parseIssueName).filter(name => name !== undefined)
  const ids = names.flatMap(name => ('id' in name ? [name.id] : []))
  const keys = names.flatMap(name => ('id' in name ? [] : [name]))
  return jsonRows(sql`
    select i.id, t.identifier || '-' || i.number as key, i.team_id as "teamId", i.title
    from (
      select unnest(${ids}::uuid[]) as id
      union
      select named.id
      from unnest(${keys.map(key => key.identifier)}::text[], ${keys.map(key => key.number)}::int[])
        as wanted (identifier, number)
      join team kt on kt.workspace_id = ${workspaceId} and upper(kt.identifier) = wanted.identifier
      cross join lateral (
        select id from issue
        where workspace_id = ${workspaceId} and team_id = kt.id and number = wanted.number offset 0) named) as wanted
    cross join lateral (
      select * from issue where workspace_id = ${workspaceId} and id = wanted.id offset 0) i
    join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
    where i.deleted_at is null`)
}

function selectByName(workspaceId: Id, source: NameSource, refs: readonly string[]) {
  const { table, name, otherName, owner, isFolded } = source
  const ids = refs.filter(isId)
  const names = refs.filter(ref => !isId(ref))
  const named = (column: string) => sql`or ${mayBeNamed(sql.ref(`r.${column}`), names)}`
  return jsonRows(sql`
    select r.id, ${sql.ref(`r.${name}`)} as name
      ${otherName === undefined ? sql`` : sql`, ${sql.ref(`r.${otherName}`)} as "otherName"`}
      ${owner ? sql`, ${sql.ref(`r.${owner.column}`)} as "ownerId"` : sql``}
    from ${sql.table(table)} r where r.workspace_id = ${workspaceId} and r.deleted_at is null
      and (r.id = any(${ids}::uuid[])
        ${names.length === 0 ? sql`` : named(name)}
        ${names.length === 0 || !isFolded ? sql`` : foldedName(name, names)}
        ${names.length === 0 || otherName === undefined ? sql`` : named(otherName)})
    order by r.id`)
}

const foldedName = (column: string, names: readonly string[]) => sql`
  or ${mayBeNamed(sql`regexp_replace(${sql.ref(`r.${column}`)}, '[\\s_-]+', '', 'g')`, names.map(withoutSpaces))}`

const MAX_COMPARED = 1_000

async function namesOf(db: Reader<IssuesDatabase>, workspaceId: Id, source: NameSource): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct ${sql.ref(`r.${source.name}`)} as name from ${sql.table(source.table)} r
    where r.workspace_id = ${workspaceId} and r.deleted_at is null order by 1 limit ${MAX_COMPARED}`.execute(
    asShortRead(db)
  )
  return rows.map(({ name }) => name)
}

export const teamsOf = (db: Reader<IssuesDatabase>, workspaceId: Id) =>
  asShortRead(db)
    .selectFrom('team')
    .select(['id', 'identifier', 'name'])
    .where(notDeletedIn(workspaceId))
    .orderBy('identifier')
    .limit(MAX_COMPARED)
    .execute()
