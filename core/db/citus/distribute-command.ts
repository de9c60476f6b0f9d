import { defineCommand } from '../../api/command.ts'
import type { Command } from '../../api/points.ts'
import { runExclusively, type Database } from '../database.ts'
import {
  assertAllDeclared,
  assertDistributable,
  assertNoServers,
  DEFAULT_SHARDS,
  distributeTables,
  removeLocalRows,
  type TablePlacements
} from './distribute.ts'

const MAX_SHARDS = 4_096

/** @param placements of the enabled plugins */
export const distributeCommand = (database: Database, placements: TablePlacements): Command =>
  defineCommand({
    name: 'distribute',
    summary: 'Distribute the tables over the workers of a Citus cluster, by workspace',
    details:
      'Stop all servers first, and make a backup. Tables that are distributed already stay as they are: after an ' +
      'interruption, run it again.\ndocs/citus.md says when to move, which settings it needs, and the way back.',
    options: {
      shards: {
        type: 'string',
        placeholder: 'N',
        description: 'Into how many parts the workspaces are divided; they can move to further workers later.',
        default: String(DEFAULT_SHARDS)
      }
    },
    database: true,
    async run({ shards: given }, terminal) {
      const shards = shardsOf(given)
      if (database.kind === 'embedded') {
        throw new Error('The embedded database cannot be distributed: set databaseUrl to that of a Citus coordinator.')
      }
      const { db } = database
      await runExclusively(database, async () => {
        await assertDistributable(db)
        await assertNoServers(db)
        await assertAllDeclared(db, placements)
        const onDistributed = (table: string) => terminal.print(`${table} is distributed.`)
        const { added, distributed, local } = await distributeTables(db, { placements, shards, onDistributed })
        await removeLocalRows(db)
        await terminal.write(
          `${distributed} tables are distributed, ${added} of them now; ${local} stay on the coordinator.\n`
        )
      })
    }
  })

/** @throws Error that says the allowed numbers */
function shardsOf(text: string): number {
  const shards = Number(text)
  if (Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS) return shards
  throw new Error(`--shards ${text} is not possible: give a whole number from 1 to ${MAX_SHARDS}.`)
}
