import { Type } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import { ExternalId, recordKind, TeamName, type Batch } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { parseIssueName } from '../keys.ts'
import {
  insertFormerKeys,
  insertOldKeys,
  insertReservations,
  raiseNumber,
  takenAmong,
  takeReservations
} from '../queries/write/numbers.ts'
import { exportedLastNumbers, exportedReservations, reservedKeys } from './queries.ts'
import { issueNumber } from './transfer-fields.ts'

/** Keys have nine digits at most, also those that follow. */
const MAX_NUMBER = 900_000_000
const isInKeys = (number = 0): boolean => number <= MAX_NUMBER

interface TeamNumber {
  teamId: Id
  number: number
}

/** Assigns keys to issues before they are imported, so that their texts can refer to each other. */
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
    rows: exportedReservations,
    inTexts: { prefix: 'issue', names: reservedKeys },
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
        return issueId === undefined && teamId !== undefined
          ? [{ id: item.id, teamId, requested: item.record.number }]
          : []
      })
      if (rows.length === 0) return
      const numbers = await numbersFor(db, workspaceId, rows)
      const reservations = rows.map(({ id, teamId }, n) => ({ id, teamId, number: numbers[n]! }))
      await insertReservations(db, workspaceId, reservations)
    }
  })

/** Ends the reservations of issues. @param ids by external id, as the answer */
export async function takeReservedNumbers(
  db: Trx,
  workspaceId: Id,
  ids: ReadonlyMap<string, Id>
): Promise<Map<string, TeamNumber>> {
  if (ids.size === 0) return new Map()
  const rows = await takeReservations(db, workspaceId, [...ids.values()])
  const byId = new Map(rows.map(({ id, ...reserved }) => [id, reserved]))
  return new Map([...ids].flatMap(([name, id]) => (byId.has(id) ? [[name, byId.get(id)!]] : [])))
}

export async function numbersFor(
  db: Trx,
  workspaceId: Id,
  rows: ReadonlyArray<{ teamId: Id; requested?: number | undefined; reserved?: TeamNumber | undefined }>
): Promise<number[]> {
  const numbers = new Array<number>(rows.length)
  for (const [teamId, of] of Map.groupBy(
    rows.map(({ requested, ...row }, n) => ({ ...row, n, requested: isInKeys(requested) ? requested : undefined })),
    row => row.teamId
  )) {
    const requestedNumbers = of.flatMap(row => row.requested ?? [])
    const before = await raiseNumber(db, workspaceId, teamId, Math.max(0, ...requestedNumbers))
    const usedNumbers = await takenAmong(db, workspaceId, teamId, requestedNumbers)
    let last = before
    for (const { n, requested, reserved } of of) {
      if (reserved?.teamId === teamId) {
        numbers[n] = reserved.number
        continue
      }
      numbers[n] = requested !== undefined && !usedNumbers.has(requested) ? requested : ++last
      usedNumbers.add(numbers[n])
    }
    if (last > before) await raiseNumber(db, workspaceId, teamId, last)
  }
  return numbers
}

/** Former keys of issues: those of teams that exist here, and any other name that a tracker gave them. */
export async function addFormerKeys(
  ctx: Ctx,
  { trx, caller, workspaceId }: Pick<Batch<unknown>, 'trx' | 'caller' | 'workspaceId'>,
  issues: ReadonlyArray<{ id: Id; keys: readonly string[] }>
): Promise<void> {
  const db: Trx = trx
  const teams = await ctx.use.workspace.teamIds(caller, trx)
  const keys = issues.flatMap(({ id, keys }) => keys.map(key => ({ issueId: id, key, former: formerKey(key, teams) })))
  const former = keys.flatMap(({ issueId, former }) => (former ? [{ ...former, issueId }] : []))
  const added = former.length === 0 ? [] : await insertFormerKeys(db, workspaceId, former)
  const nameOf = ({ issueId, teamId, number }: (typeof former)[number]) => `${issueId} ${teamId} ${number}`
  const isAdded = new Set(added.map(nameOf))
  const others = keys.filter(({ issueId, former }) => !former || !isAdded.has(nameOf({ ...former, issueId })))
  const oldKeys = others.map(({ issueId, key }) => ({ issueId, key: key.toUpperCase() }))
  if (oldKeys.length > 0) await insertOldKeys(db, workspaceId, oldKeys)
}

function formerKey(key: string, teams: ReadonlyMap<string, Id>): TeamNumber | undefined {
  const name = parseIssueName(key)
  if (name === undefined || 'id' in name) return undefined
  const teamId = teams.get(name.identifier)
  return teamId === undefined ? undefined : { teamId, number: name.number }
}

export const lastNumberRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'lastNumber',
    summary: 'No issue of the team gets this number or a lower one from now on.',
    table: 'issue_counter',
    fields: {
      team: TeamName,
      number: Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
    },
    rows: exportedLastNumbers,
    async add({ trx, caller, workspaceId, items, skip }) {
      const db: Trx = trx
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      for (const item of items) {
        const { team, number } = item.record
        const teamId = teams.get(team.toUpperCase())
        if (teamId !== undefined) await raiseNumber(db, workspaceId, teamId, Math.min(number, MAX_NUMBER))
        else skip(item, `there is no team '${team}'`)
      }
    }
  })
