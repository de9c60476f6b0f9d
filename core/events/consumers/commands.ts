import type { Kysely } from 'kysely'
import { defineCommand } from '../../api/command.ts'
import type { CoreTables } from '../../api/database/types.ts'
import type { Command } from '../../api/points.ts'
import { spellControls } from '../../../lib/util/spell-controls.ts'
import type { EventLog } from '../log.ts'
import {
  discardDeadLetter,
  hasEndedProcess,
  listDeadLetters,
  noteAttempt,
  noteFailure,
  type DeadLetter
} from './dead-letters.ts'

interface DeadLetterCommandOptions {
  db: Kysely<CoreTables>
  events: EventLog
  now: () => Date
}

export const deadLetterCommands = (options: DeadLetterCommandOptions): Command[] => [
  failedCommand(options),
  retryCommand(options),
  discardCommand(options)
]

const failedCommand = ({ db }: DeadLetterCommandOptions) =>
  defineCommand({
    name: 'events failed',
    summary: 'List the events that a consumer could not handle: id, consumer, type, attempts, reason, tab-separated',
    database: 'existing',
    async run(_, terminal) {
      const letters = await listDeadLetters(db)
      if (letters.length === 0) terminal.print('No event has failed.')
      for (const { id, consumer, event, attempts, reason } of letters) {
        const shown = spellControls(reason.replaceAll(/\s+/g, ' '))
        await terminal.write(`${[id, consumer, event.type, attempts, shown].join('\t')}\n`)
      }
    }
  })

const ID = { id: { description: 'As `events failed` lists it.' } }

const retryCommand = ({ db, events, now }: DeadLetterCommandOptions) =>
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

const discardCommand = ({ db }: DeadLetterCommandOptions) =>
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
