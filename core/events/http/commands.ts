import type { Kysely } from 'kysely'
import { defineCommand } from '../../api/command.ts'
import type { CoreTables } from '../../api/database/types.ts'
import { findWorkspace } from '../../db/workspaces.ts'
import type { Command } from '../../api/points.ts'
import { spellControls } from '../../../lib/util/spell-controls.ts'
import type { EventType } from '../contract.ts'
import {
  discardDeadLetter,
  hasEndedProcess,
  listDeadLetters,
  noteAttempt,
  noteFailure,
  type DeadLetter
} from '../consumers/dead-letters.ts'
import type { EventLog } from '../log.ts'
import { readLog } from '../read.ts'
import { typesNamed } from './routes.ts'
import { eventToJson } from '../schemas.ts'

const BATCH = 1_000
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

interface EventCommandOptions {
  db: Kysely<CoreTables>
  events: EventLog
  types: () => readonly EventType[]
  now: () => Date
}

/** `events`, `events failed | retry | discard`. */
export const eventCommands = (options: EventCommandOptions): Command[] => [
  failedCommand(options),
  retryCommand(options),
  discardCommand(options),
  auditCommand(options)
]

const auditCommand = ({ db, events, types, now }: EventCommandOptions) =>
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
      const names = requested === undefined ? undefined : typesNamed(requested, types())
      const workspaceId = workspace === undefined ? undefined : (await findWorkspace(db, workspace)).id
      await events.horizon.refresh()
      const upTo = events.horizon.decided
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

const failedCommand = ({ db }: EventCommandOptions) =>
  defineCommand({
    name: 'events failed',
    summary: 'List the events that a consumer could not handle: id, consumer, type, attempts, reason, tab-separated',
    database: 'existing',
    async run(_, terminal) {
      for (const { id, consumer, event, attempts, reason } of await listDeadLetters(db)) {
        const shown = spellControls(reason.replaceAll(/\s+/g, ' '))
        await terminal.write(`${[id, consumer, event.type, attempts, shown].join('\t')}\n`)
      }
    }
  })

const ID = { id: { description: 'As `events failed` lists it.' } }

const retryCommand = ({ db, events, now }: EventCommandOptions) =>
  defineCommand({
    name: 'events retry',
    summary: 'Handle an event again that failed',
    arguments: ID,
    database: 'existing',
    async run({ id }, terminal) {
      const letter = await find(db, id)
      const consumer = events.consumer(letter.consumer)
      if (consumer === undefined) {
        throw new Error(
          `The plugin of the consumer ${letter.consumer} is off: turn it on, or run: ` +
            `npm run tracker -- events discard ${id}`
        )
      }
      if (terminal.isInServer && hasEndedProcess(letter)) {
        throw new Error(
          'Handling this event has ended a process, and would end the server that runs here: stop the server and run ' +
            `the command again, so that only the command can end, or run: npm run tracker -- events discard ${id}`
        )
      }
      await noteAttempt(db, letter, now())
      try {
        await consumer.handle([letter.event])
      } catch (error) {
        await noteFailure(db, { ...letter, attempts: letter.attempts + 1 }, error, now())
        throw new Error(`${letter.consumer} failed again: ${(error as Error).message}`, { cause: error })
      }
      await discardDeadLetter(db, letter)
      terminal.print(`${letter.consumer} has handled the event.`)
    }
  })

const discardCommand = ({ db }: EventCommandOptions) =>
  defineCommand({
    name: 'events discard',
    summary: 'Forget an event that failed',
    arguments: ID,
    database: 'existing',
    async run({ id }, terminal) {
      await discardDeadLetter(db, await find(db, id))
      terminal.print('It is forgotten.')
    }
  })

async function find(db: Kysely<CoreTables>, id: string): Promise<DeadLetter> {
  const letter = (await listDeadLetters(db)).find(letter => letter.id === id.toLowerCase())
  if (!letter) throw new Error(`No failed event has the id ${id}: list them with "npm run tracker -- events failed".`)
  return letter
}

/** @throws Error with the expected format */
function timeOf(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time =
    count === undefined
      ? new Date(text)
      : new Date(now.getTime() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS])
  if (Number.isNaN(time.getTime())) {
    throw new Error(`'${text}' is no time: write 2026-11-22, 2026-11-22T10:00:00Z, or 30m, 24h, 7d.`)
  }
  return time
}
