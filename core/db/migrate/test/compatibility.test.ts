import { sql } from 'kysely'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { configure } from '../../../config/config.ts'
import { contract } from '../../../api/contract.ts'
import { version } from '../../../../lib/packages/version.ts'
import { definePlugin, dependsOn } from '../../../api/plugin.ts'
import { build } from '../../../kernel/server.ts'
import { RELEASE_BEFORE } from '../migrate.ts'

const notes = definePlugin(dependsOn(contract()('notes')), {
  summary: 'Has tables',
  migrations: {
    '001_notes': async () => ({ async up() {} }),
    '002_contracted': async () => ({ async up() {}, compatibleFrom: '0.1.7' })
  }
})
const also = { notes: async () => ({ default: notes }) }

/** A database on which a newer release has applied a migration. */
async function upgraded(t: Test, owner: string, compatibleFrom: string | null): Promise<TestServer> {
  const server = await testServer({ plugins: [], also })
  t.teardown(() => server.close())
  const table = sql.table(`migration_${owner}`)
  await sql`create table if not exists ${table} (name text, timestamp text, compatible_from text)`.execute(
    server.database.db
  )
  await sql`
    insert into ${table} (name, timestamp, compatible_from)
    values ('999_of_the_future', '2030-01-01T00:00:00Z', ${compatibleFrom})`.execute(server.database.db)
  return server
}

/** Starts this version on it, with or without the plugin; returns the log. */
async function start(on: TestServer, hasNotes = true): Promise<string> {
  const { databaseUrl } = on
  const configuration = await configure(also, {
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: { notes: { enabled: hasNotes } }
  })
  let logged = ''
  const logger = pino({}, { write: (line: string) => (logged += line) })
  const database = onPostgres ? {} : { dataDir: undefined, template: await on.database.dump() }
  const server = await build({ configuration, logger, database })
  try {
    await server.migrate()
  } finally {
    await server.close()
  }
  return logged
}

t.test('each migration records the oldest release that may run on it', async t => {
  const server = await testServer({ plugins: [], also })
  t.teardown(() => server.close())
  const { rows } = await sql<{ name: string; compatible_from: string }>`
    select name, compatible_from from migration_notes order by name`.execute(server.database.db.withoutPlugins())
  t.strictSame(rows, [
    { name: '001_notes', compatible_from: RELEASE_BEFORE },
    { name: '002_contracted', compatible_from: '0.1.7' }
  ])
})

for (const owner of ['core', 'notes']) {
  t.test(`a server that is too old for a migration of ${owner} refuses to start, and names the version`, async t => {
    const database = await upgraded(t, owner, '99.1.0')
    await t.rejects(start(database), {
      message:
        `This is tracker ${version}, and the database needs 99.1.0 or newer since it was upgraded ` +
        `(${owner}/999_of_the_future): start that version, or restore the backup from before the upgrade.`
    })
  })
}

t.test('numbers of versions are compared as numbers, and a version before a release is older than it', async t => {
  const [major, minor] = version.split('.').map(Number)
  const refused = [`${major}.${minor! + 10}.0`, ...(version.includes('-') ? [version.replace(/-.*/, '')] : [])]
  for (const needed of refused) await t.rejects(start(await upgraded(t, 'core', needed)), new RegExp(`needs ${needed}`))
  await start(await upgraded(t, 'core', version))
})

t.test('beside a newer release that allows it a server starts, and says so', async t => {
  const logged = await start(await upgraded(t, 'core', RELEASE_BEFORE))
  t.match(logged, /"migrations":\["core\/999_of_the_future"\].*upgraded by a newer release/)
  await start(await upgraded(t, 'core', null))
})

t.test('migrations of a plugin that is not on, or was removed, are only named', async t => {
  t.match(await start(await upgraded(t, 'gone', '99.0.0')), /"owners":\[.*"gone".*not on here/)
  t.match(await start(await upgraded(t, 'notes', '99.0.0'), false), /"owners":\[.*"notes".*not on here/)
})
