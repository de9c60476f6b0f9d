import { Type } from 'typebox'
import { ExternalId, Person, recordKind, TeamName, UNKNOWN_PERSON, When } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { cycleCreated } from '../contract.ts'
import { findRule, putRule } from './queries.ts'
import { addCycle, exportedCycles, exportedRules } from '../queries/transfer.ts'
import { CloseCycle, NewCycle, Repeating } from './schemas.ts'

export const cycleRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'cycle',
    summary: 'A span of time in which a team plans to get issues done.',
    table: 'cycle',
    before: ['issue'],
    fields: {
      externalId: ExternalId,
      team: TeamName,
      name: NewCycle.properties.name,
      startsAt: When,
      endsAt: When,
      closedAt: Type.Optional(When),
      carryOver: CloseCycle.properties.carryOver,
      isRepeated: Type.Optional(
        Type.Boolean({ description: 'The team’s rule has made it: while it is empty, another rule replaces it.' })
      ),
      createdAt: Type.Optional(When)
    },
    rows: exportedCycles,
    async add({ trx, caller, workspaceId, now, items, skip }) {
      const db: Trx = trx
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      for (const item of items) {
        const { team, name, createdAt, closedAt, carryOver, isRepeated = false } = item.record
        const [startsAt, endsAt] = [new Date(item.record.startsAt), new Date(item.record.endsAt)]
        const teamId = teams.get(team.toUpperCase())
        if (teamId === undefined) {
          skip(item, `there is no team '${team}'`)
          continue
        }
        if (endsAt <= startsAt) {
          skip(item, 'it ends before it starts')
          continue
        }
        const closed = closedAt === undefined ? {} : { closedAt: new Date(closedAt), carryOver: carryOver ?? 'BACKLOG' }
        const cycle = { id: item.id, teamId, name, startsAt, endsAt, isRepeated, createdAt: new Date(createdAt ?? now) }
        await addCycle(db, workspaceId, { ...cycle, ...closed })
        await ctx.emit(trx, cycleCreated, caller, [{ subjectId: item.id, data: { name, teamId } }])
      }
    }
  })

/** After the cycles, which a rule would create again. */
export const ruleRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'cycle_rule',
    summary: 'The cycles of the team repeat by themselves; a team whose cycles repeat already keeps its own rule.',
    table: 'cycle_rule',
    fields: {
      team: TeamName,
      ...Repeating.properties,
      setBy: Type.Optional(Person),
      setAt: Type.Optional(When)
    },
    rows: exportedRules,
    async add({ trx, caller, workspaceId, now, items, people, skip, isThere }) {
      const db: Trx = trx
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      for (const item of items) {
        const { team, setBy = UNKNOWN_PERSON, setAt, ...repeating } = item.record
        const teamId = teams.get(team.toUpperCase())
        if (teamId === undefined) skip(item, `there is no team '${team}'`)
        else if (await findRule(db, workspaceId, teamId)) isThere(item)
        else {
          const setById = (await people([setBy])).get(setBy)!
          await putRule(db, { workspaceId, teamId, ...repeating, setById, setAt: new Date(setAt ?? now) })
        }
      }
    }
  })
