import { defineCommand } from '../api/command.ts'
import type { Command } from '../api/points.ts'
import { assertNoServers } from './migrate/servers.ts'
import { runExclusively, type Database } from './database.ts'
import { DEFAULT_SHARDS } from './limits.ts'
import type { DeclaredTables } from './citus/placement.ts'

const MAX_SHARDS = 4_096

export const distributeCommand = (database: Database, plugins: readonly DeclaredTables[]): Command =>
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
    async run(options, terminal) {
      const shards = shardsOf(options.shards)
      if (database.kind === 'embedded') {
        throw new Error('The embedded database cannot be distributed: set databaseUrl to that of a Citus coordinator.')
      }
      const { placementsOf } = await import('./citus/placement.ts')
      const distribute = await import('./citus/distribute.ts')
      const placements = placementsOf(plugins)
      const { db } = database
      await runExclusively(database, async () => {
        await distribute.assertDistributable(db)
        // This process listens, too.
        await assertNoServers(db, 1)
        await distribute.assertAllDeclared(db, placements)
        const onDistributed = (table: string) => terminal.print(`${table} is distributed.`)
        const tables = { placements, shards, onDistributed }
        const { added, distributed, local } = await distribute.distributeTables(db, tables)
        await distribute.removeLocalRows(db)
        await terminal.write(
          `${distributed} tables are distributed, ${added} of them now; ${local} stay on the coordinator.\n`
        )
      })
    }
  })

function shardsOf(text: string): number {
  const shards = Number(text)
  if (Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS) return shards
  throw new Error(`--shards ${text} is not possible: give a whole number from 1 to ${MAX_SHARDS}.`)
}
