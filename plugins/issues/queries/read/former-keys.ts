import { sql } from 'kysely'
import { isId, statement } from '../../../../core/api/database/queries.ts'
import type { Id, Reader } from '../../../../core/api/database/types.ts'
import { abbreviate, conflict } from '../../../../core/api/errors.ts'
import type { IssueRef, IssuesDatabase } from '../../contract.ts'
import { parseIssueName } from '../../keys.ts'

const MAX_CANDIDATES = 20

/**
 * The issues with these former keys, from before a move or from another tracker, by key as written.
 * @throws 409 that lists them, when several had the key
 */
export async function findFormerIssues(
  db: Reader<IssuesDatabase>,
  workspaceId: Id,
  refs: readonly string[]
): Promise<ReadonlyMap<string, IssueRef>> {
  const keys = refs.filter(ref => !isId(ref))
  if (keys.length === 0) return new Map()
  const names = keys.map(ref => {
    const name = parseIssueName(ref)
    return name !== undefined && 'number' in name ? name : { identifier: '', number: 0 }
  })
  const rows = await formerKeysStatement(db, {
    workspaceId,
    keys: keys.map(ref => ref.toUpperCase()),
    identifiers: names.map(({ identifier }) => identifier),
    numbers: names.map(({ number }) => number)
  })
  const byKey = Map.groupBy(rows, ({ formerKey }) => formerKey)
  return new Map(
    keys.flatMap(ref => {
      const issues = (byKey.get(ref.toUpperCase()) ?? []).map(({ formerKey: _, ...issue }) => issue)
      if (issues.length > 1) throw ambiguousKey(ref, issues)
      return issues.map(issue => [ref, issue] as const)
    })
  )
}

function ambiguousKey(ref: string, issues: readonly IssueRef[]) {
  const candidates = issues.slice(0, MAX_CANDIDATES).map(({ id, key, title }) => ({ id, key, title }))
  return conflict(
    `${abbreviate(ref)} was the key of several issues: name one of them by its key now: ` +
      `${candidates.map(({ key }) => key).join(', ')}.`,
    { candidates }
  )
}

// Raw: a union within a join.
const formerKeysStatement = statement<
  { workspaceId: Id; keys: readonly string[]; identifiers: readonly string[]; numbers: readonly number[] },
  IssueRef & { formerKey: string }
>(
  import.meta,
  'formerKeys',
  ({ workspaceId, keys, identifiers, numbers }) => sql`
  select former.key as "formerKey", i.id, t.identifier || '-' || i.number as key, i.team_id as "teamId", i.title
  from (
    select wanted.key, f.issue_id
    from unnest(${keys}::text[], ${identifiers}::text[], ${numbers}::int[]) as wanted (key, identifier, number)
    join team ft on ft.workspace_id = ${workspaceId} and upper(ft.identifier) = wanted.identifier
    join issue_former_key f on f.workspace_id = ${workspaceId} and f.team_id = ft.id and f.number = wanted.number
    union
    select o.key, o.issue_id from issue_old_key o
    where o.workspace_id = ${workspaceId} and o.key = any(${keys}::text[])) as former
  join issue i on i.workspace_id = ${workspaceId} and i.id = former.issue_id and i.deleted_at is null
  join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
  order by 3 limit ${sql.lit(MAX_CANDIDATES + 1)} * cardinality(${keys}::text[])`
)
