import { defineCommand } from '../../core/api/command.ts'
import { readLog } from '../../core/api/database/event-log.ts'
import { findWorkspace } from '../../core/api/database/queries.ts'
import type { Command } from '../../core/api/points.ts'
import { spellControls } from '../../lib/util/spell-controls.ts'
import type { Ctx } from './context.ts'
import { eventToJson } from './contract.ts'
import { typesNamed } from './types.ts'

const BATCH = 1_000
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const eventsCommand = ({ db, use: { eventLog }, now }: Ctx): Command =>
  defineCommand({
    name: 'events',
    summary: 'Print the events of all workspaces, as JSON Lines',
    details: 'The events of one issue are in order. Those that are appended meanwhile are left out.',
    options: {
      since: {
        type: 'string',
        placeholder: 'TIME',
        description: 'Only events since: 2026-11-22, 2026-11-22T10:00:00Z, or 30m, 24h, 7d ago.'
      },
      types: {
        type: 'string',
        placeholder: 'TYPES',
        description: 'Only these, separated by commas; issue.* is all that begin so.'
      },
      workspace: { type: 'string', placeholder: 'WORKSPACE', description: 'Only of this workspace, by name or id.' }
    },
    database: 'existing',
    async run({ since, types: requested, workspace }, terminal) {
      const from = since === undefined ? undefined : timeOf(since, now())
      const names = requested === undefined ? undefined : typesNamed(requested, eventLog.types())
      const workspaceId = workspace === undefined ? undefined : (await findWorkspace(db, workspace)).id
      await eventLog.horizon.refresh()
      const upTo = eventLog.horizon.decided
      for (let after = 0, isMore = true; isMore;) {
        const read = await readLog(db, { after, upTo, limit: BATCH }, { types: names, from, workspaceId })
        for (const event of read) {
          const json = JSON.stringify({ workspaceId: event.workspaceId, ...eventToJson(event) })
          await terminal.write(`${spellControls(json)}\n`)
        }
        isMore = read.length === BATCH
        after = read.at(-1)?.position ?? upTo
      }
    }
  })

/** @throws Error with the expected format */
function timeOf(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time =
    count === undefined
      ? new Date(text)
      : new Date(now.getTime() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS])
  // A single number would be a month.
  if (/^\d+$/.test(text) || Number.isNaN(time.getTime())) {
    throw new Error(`'${text}' is no time: write 2026-11-22, 2026-11-22T10:00:00Z, or 30m, 24h, 7d.`)
  }
  return time
}
