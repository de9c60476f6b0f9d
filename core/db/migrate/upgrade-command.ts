import type { FastifyBaseLogger } from 'fastify'
import { defineCommand } from '../../api/command.ts'
import type { Command } from '../../api/points.ts'
import { version } from '../../../lib/packages/version.ts'
import type { Database } from '../database.ts'
import { assertDatabaseExists } from '../statements/assert-exists.ts'
import { pendingMigrations, type Owner } from './migrate.ts'

interface Upgrade {
  database: Database
  owners: readonly Owner[]
  log: FastifyBaseLogger
  migrate(): Promise<void>
}

const EXIT_PENDING = 3

export const upgradeCommand = ({ database, owners, log, migrate }: Upgrade): Command =>
  defineCommand({
    name: 'upgrade',
    summary: 'Migrate the database to this version, as a start does, and end',
    details:
      'Servers of the version before go on working meanwhile. An embedded database belongs to one process: stop its ' +
      'server first.\nWith --check, each migration is tried on an empty copy of the tables. It prints which ' +
      'tables change, who waits for that, and about how long, at the present numbers of rows. The exit code is ' +
      `${EXIT_PENDING} when there are migrations to apply.`,
    options: { check: { type: 'boolean', description: 'Print what it would do, and do nothing.' } },
    // A database that is opened for a command is migrated.
    database: false,
    async run({ check }, terminal) {
      const { dataDir } = database
      // Another folder would get an empty database.
      if (dataDir !== undefined) await assertDatabaseExists(database, dataDir)
      await database.open()
      const pending = await pendingMigrations(database.db, owners, log)
      if (!check) await migrate()
      const effects = check && pending.length > 0 ? await effectsOf(database, owners, pending, log) : undefined
      for (const [n, { owner, name }] of pending.entries()) {
        const lines = effects?.[n]?.map(line => `  ${line}\n`) ?? []
        await terminal.write([`${owner}/${name}\n`, ...lines].join(''))
      }
      const count = `${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'}`
      if (pending.length === 0) terminal.print(`The database is up to date with tracker ${version}.`)
      else terminal.print(check ? `tracker ${version} would apply ${count}.` : `tracker ${version} applied ${count}.`)
      return check && pending.length > 0 ? EXIT_PENDING : 0
    }
  })

async function effectsOf(
  { db }: Database,
  owners: readonly Owner[],
  pending: Awaited<ReturnType<typeof pendingMigrations>>,
  log: FastifyBaseLogger
): Promise<string[][]> {
  const [{ tryMigrations }, { linesOf }, { readSizes }] = await Promise.all([
    import('./trial/trial.ts'),
    import('./trial/duration.ts'),
    import('./trial/queries.ts')
  ])
  const sizes = await readSizes(db)
  return (await tryMigrations(owners, pending, log)).map(step => linesOf(step, sizes))
}
