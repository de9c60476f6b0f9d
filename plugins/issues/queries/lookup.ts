import { sql, type RawBuilder } from 'kysely'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import { jsonObject, jsonRows } from '../../../core/db/sql.ts'
import type { Id } from '../../../core/db/tables.ts'
import { notFound } from '../../../core/errors.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { IssueRef, IssueReference, IssuesDatabase } from '../contract.ts'
import { noIssue, parseIssueName } from '../keys.ts'

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

/** The names that a request uses, as the caller wrote them. */
export interface Wanted {
  teams: Set<string>
  issues: Set<string>
  accounts: Set<Id>
  labels: Set<Id>
  /** By the key of the reference, such as `project`. */
  references: Map<string, Set<Id>>
}
export const wantNothing = (): Wanted => ({
  teams: new Set(),
  issues: new Set(),
  accounts: new Set(),
  labels: new Set(),
  references: new Map()
})

/** What they name; every getter throws a 404 for what does not exist in the workspace. */
export interface Found {
  team(ref: string): TeamWithStates
  issue(ref: string): IssueRef
  account(id: Id): Named
  label(id: Id): Named
  reference(key: string, id: Id): Named
}

interface Answer {
  teams: TeamWithStates[]
  issues: Array<IssueRef & { identifier: string; number: number }>
  accounts: Named[]
  labels: Named[]
  [reference: string]: unknown[]
}

/** Looks everything up in one statement; in none when nothing is wanted. */
export async function lookUp(
  reads: ShortReads<IssuesDatabase>,
  workspaceId: Id,
  wanted: Wanted,
  references: readonly IssueReference[]
): Promise<Found> {
  const empty =
    wanted.teams.size + wanted.issues.size + wanted.accounts.size + wanted.labels.size + wanted.references.size === 0
  const answer = empty ? undefined : await ask(reads, workspaceId, wanted, references)
  const byId = (list: unknown[] | undefined) => new Map((list as Named[] | undefined)?.map(thing => [thing.id, thing]))
  const teams = new Map(
    answer?.teams.flatMap(team => [
      [team.id, team],
      [team.identifier, team]
    ])
  )
  const issues = new Map(
    answer?.issues.flatMap(issue => [
      [issue.id, issue],
      [issue.key, issue]
    ])
  )
  const accounts = byId(answer?.accounts)
  const labels = byId(answer?.labels)
  const others = new Map(references.map(({ key }) => [key, byId(answer?.[key])]))
  const found = <T>(thing: T | undefined, what: string, ref: string): T => {
    if (thing === undefined) throw notFound(what, ref)
    return thing
  }
  return {
    team: ref => found(teams.get(ref.toLowerCase()) ?? teams.get(ref.toUpperCase()), 'team', ref),
    issue(ref) {
      const issue = issues.get(ref.toLowerCase()) ?? issues.get(ref.toUpperCase())
      if (!issue) throw noIssue(ref)
      return issue
    },
    account: id => found(accounts.get(id.toLowerCase()), 'member or agent', id),
    label: id => found(labels.get(id.toLowerCase()), 'label', id),
    reference: (key, id) => found(others.get(key)?.get(id.toLowerCase()), key, id)
  }
}

async function ask(
  reads: ShortReads<IssuesDatabase>,
  workspaceId: Id,
  wanted: Wanted,
  references: readonly IssueReference[]
): Promise<Answer> {
  const names = [...wanted.issues].map(parseIssueName).filter(name => name !== undefined)
  const parts: Record<string, RawBuilder<unknown>> = {
    teams: jsonRows(sql`
      select t.id, t.identifier, t.name, ${jsonRows(sql`
        select s.id, s.name, s.category
        from workflow_state s where s.workspace_id = t.workspace_id and s.team_id = t.id and s.deleted_at is null order by s.position, s.id`)} as states
      from team t where t.workspace_id = ${workspaceId} and t.deleted_at is null
        and (t.id::text = any(${[...wanted.teams].map(ref => ref.toLowerCase())}::text[]) or upper(t.identifier) = any(${[...wanted.teams].map(ref => ref.toUpperCase())}::text[]))`),
    issues: jsonRows(sql`
      select i.id, t.identifier || '-' || i.number as key, i.team_id as "teamId", i.title
      from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
      where i.workspace_id = ${workspaceId} and i.deleted_at is null and i.id in (
        select unnest(${names.flatMap(name => ('id' in name ? [name.id] : []))}::uuid[])
        union all
        select named.id from unnest(${names.flatMap(name => ('id' in name ? [] : [name.identifier]))}::text[], ${names.flatMap(name => ('id' in name ? [] : [name.number]))}::int[]) as wanted (identifier, number)
        join team kt on kt.workspace_id = ${workspaceId} and upper(kt.identifier) = wanted.identifier
        join issue named on named.workspace_id = ${workspaceId} and named.team_id = kt.id and named.number = wanted.number)`),
    accounts: jsonRows(
      sql`select id, fullname as name from account where workspace_id = ${workspaceId} and deleted_at is null and id = any(${[...wanted.accounts]}::uuid[])`
    ),
    labels: jsonRows(
      sql`select id, name from label where workspace_id = ${workspaceId} and deleted_at is null and id = any(${[...wanted.labels]}::uuid[])`
    )
  }
  for (const { key, table } of references) {
    parts[key] = jsonRows(
      sql`select id, name from ${sql.table(table)} where workspace_id = ${workspaceId} and deleted_at is null and id = any(${[...(wanted.references.get(key) ?? [])]}::uuid[])`
    )
  }
  const { rows } = await sql<{ answer: Answer }>`select ${jsonObject(parts)} as answer`.execute(reads)
  return rows[0]!.answer
}
