import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Id } from '../../core/db/tables.ts'
import { ExternalId, recordKind, TeamName, type Batch } from '../transfer/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { issueNumber } from './transfer-fields.ts'

/** A number that waits for its issue. */
interface Reserved {
  teamId: Id
  number: number
}

/** The keys of issues, as texts name them. */
export const issueKeys = (workspaceId: Id, ids: readonly Id[]): RawBuilder<{ id: Id; name: string }> => sql`
  select i.id, t.identifier || '-' || i.number as name from issue i
  join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
  where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[])`

/** Gives issues their keys before they come, so that the texts of all of them can name each other. */
export const issueKeyRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'issueKey',
    summary:
      'Gives an issue its key before its own line comes. In every markdown text after it, `<issue:EXTERNAL-ID>` ' +
      'becomes\n' +
      'that key. An export has no such lines.',
    table: 'issue_key_reservation',
    fields: {
      externalId: ExternalId,
      team: TeamName,
      number: issueNumber('Taken if it is free in the team, otherwise it gets the next.')
    },
    // A reservation is no part of a board.
    rows: () => sql`select null as "externalId" where false`,
    inTexts: {
      prefix: 'issue',
      names: (workspaceId, ids) => sql`
      select r.id, t.identifier || '-' || r.number as name from issue_key_reservation r
      join team t on t.workspace_id = r.workspace_id and t.id = r.team_id
      where r.workspace_id = ${workspaceId} and r.id = any(${ids}::uuid[])`
    },
    async add({ trx, caller, workspaceId, items, find, skip, isThere }) {
      const db: Trx = trx
      const names = items.map(({ record }) => record.externalId)
      const there = await find('issue', names)
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      const rows = items.flatMap(item => {
        const teamId = teams.get(item.record.team.toUpperCase())
        const issueId = there.get(item.record.externalId)
        if (issueId !== undefined) isThere(item)
        else if (teamId === undefined) skip(item, `there is no team '${item.record.team}'`)
        return issueId === undefined && teamId !== undefined ? [{ id: item.id, teamId, asked: item.record.number }] : []
      })
      if (rows.length === 0) return
      const numbers = await numbersFor(db, workspaceId, rows)
      await db
        .insertInto('issueKeyReservation')
        .values(rows.map(({ id, teamId }, n) => ({ workspaceId, id, teamId, number: numbers[n]! })))
        .execute()
    }
  })

/** Ends reservations, whose issues come now. @param ids by external ids @returns them by external ids */
export async function takeReservedNumbers(
  db: Trx,
  workspaceId: Id,
  ids: ReadonlyMap<string, Id>
): Promise<Map<string, Reserved>> {
  if (ids.size === 0) return new Map()
  const rows = await db
    .deleteFrom('issueKeyReservation')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${[...ids.values()]}::uuid[])`)
    .returning(['id', 'teamId', 'number'])
    .execute()
  const byId = new Map(rows.map(({ id, ...reserved }) => [id, reserved]))
  return new Map([...ids].flatMap(([name, id]) => (byId.has(id) ? [[name, byId.get(id)!]] : [])))
}

async function reservedAmong(db: Trx, workspaceId: Id, teamId: Id, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return []
  const rows = await db
    .selectFrom('issueKeyReservation')
    .select('number')
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .where('number', 'in', [...numbers])
    .execute()
  return rows.map(({ number }) => number)
}

/** The numbers that are reserved, or asked for and free; otherwise the team's next. */
export async function numbersFor(
  db: Trx,
  workspaceId: Id,
  rows: ReadonlyArray<{ teamId: Id; asked?: number | undefined; reserved?: Reserved | undefined }>
): Promise<number[]> {
  const numbers = new Array<number>(rows.length)
  for (const [teamId, of] of Map.groupBy(
    rows.map((row, n) => ({ ...row, n })),
    row => row.teamId
  )) {
    const asked = of.flatMap(row => row.asked ?? [])
    const before = await raiseNumber(db, workspaceId, teamId, Math.max(0, ...asked))
    const taken = new Set(
      asked.length === 0
        ? []
        : (
            await db
              .selectFrom('issue')
              .select('number')
              .where('workspaceId', '=', workspaceId)
              .where('teamId', '=', teamId)
              .where('number', 'in', asked)
              .execute()
          ).map(row => row.number)
    )
    for (const number of await reservedAmong(db, workspaceId, teamId, asked)) taken.add(number)
    let last = before
    for (const { n, asked, reserved } of of) {
      if (reserved?.teamId === teamId) {
        numbers[n] = reserved.number
        continue
      }
      numbers[n] = asked !== undefined && !taken.has(asked) ? asked : ++last
      taken.add(numbers[n])
    }
    if (last > before) await raiseNumber(db, workspaceId, teamId, last)
  }
  return numbers
}

/** The last number given in a team is at least this one. @returns it */
export async function raiseNumber(db: Trx, workspaceId: Id, teamId: Id, to: number): Promise<number> {
  const { last } = await db
    .insertInto('issueCounter')
    .values({ workspaceId, teamId, last: to })
    .onConflict(c =>
      c.columns(['workspaceId', 'teamId']).doUpdateSet({ last: sql`greatest(issue_counter.last, excluded.last)` })
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

const KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-([1-9][0-9]{0,8})$/

/** Keys by which issues were known: those of teams that are here, and any other name that a tracker gave them. */
export async function addFormerKeys(
  ctx: Ctx,
  { trx, caller, workspaceId }: Pick<Batch<unknown>, 'trx' | 'caller' | 'workspaceId'>,
  issues: ReadonlyArray<{ id: Id; keys: readonly string[] }>
): Promise<void> {
  const keys = issues.flatMap(({ id, keys }) => keys.map(key => ({ id, key })))
  if (keys.length === 0) return
  const db: Trx = trx
  const teams = await ctx.use.workspace.teamIds(caller, trx)
  const former = keys.flatMap(({ id, key }) => {
    const [, team = '', number] = KEY.exec(key) ?? []
    const teamId = teams.get(team.toUpperCase())
    return teamId === undefined ? [] : [{ workspaceId, teamId, number: Number(number), issueId: id }]
  })
  const added =
    former.length === 0
      ? []
      : await db
          .insertInto('issueFormerKey')
          .values(former)
          .onConflict(c => c.doNothing())
          .returning(['issueId', 'teamId', 'number'])
          .execute()
  const isAdded = new Set(added.map(({ issueId, teamId, number }) => `${issueId} ${teamId} ${number}`))
  const others = keys.filter(({ id, key }) => {
    const [, team = '', number] = KEY.exec(key) ?? []
    return !isAdded.has(`${id} ${teams.get(team.toUpperCase())} ${number}`)
  })
  if (others.length === 0) return
  await db
    .insertInto('issueOldKey')
    .values(others.map(({ id, key }) => ({ workspaceId, key: key.toUpperCase(), issueId: id })))
    .onConflict(c => c.doNothing())
    .execute()
}

/** The last number that each team gave: no other issue ever gets it, be it of one that was deleted. */
export const lastNumberRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'lastNumber',
    summary: 'No issue of the team gets this number or a lower one from now on.',
    table: 'issue_counter',
    fields: {
      team: TeamName,
      number: Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
    },
    rows: workspaceId => sql`
    select t.identifier as team, c.last as number
    from issue_counter c join team t on t.workspace_id = c.workspace_id and t.id = c.team_id
    where c.workspace_id = ${workspaceId} and t.deleted_at is null and c.last > 0 order by t.identifier`,
    async add({ trx, caller, workspaceId, items, skip }) {
      const db: Trx = trx
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      for (const item of items) {
        const { team, number } = item.record
        const teamId = teams.get(team.toUpperCase())
        if (teamId !== undefined) await raiseNumber(db, workspaceId, teamId, number)
        else skip(item, `there is no team '${team}'`)
      }
    }
  })
