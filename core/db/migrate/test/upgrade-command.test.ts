import { sql } from 'kysely'
import { pino } from 'pino'
import t from 'tap'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'
import { runInProcess } from '../../../../test/runner/run-in-process.ts'
import { contract } from '../../../api/contract.ts'
import { definePlugin, dependsOn } from '../../../api/plugin.ts'
import { configure } from '../../../config/config.ts'
import { version } from '../../../../lib/packages/version.ts'
import { build } from '../../../kernel/server.ts'

const notes = definePlugin(dependsOn(contract()('notes')), {
  summary: 'Has tables',
  migrations: {
    '001_notes': async () => ({
      async up(db) {
        await sql`create table note (id uuid primary key)`.execute(db)
      }
    }),
    '002_more': async () => ({
      async up(db) {
        await sql`alter table workspace add column size int not null generated always as (length(name)) stored`.execute(
          db
        )
        await sql`create index workspace_size on workspace (size)`.execute(db)
        await sql`alter table token add constraint token_named check (name <> 'x')`.execute(db)
        await sql`update account set fullname = fullname`.execute(db)
      }
    })
  }
})
const also = { notes: async () => ({ default: notes }) }

t.test('upgrade applies the migrations that upgrade --check names', async t => {
  const before = await testServer({ plugins: [] })
  t.teardown(() => before.close())
  const { databaseUrl } = before
  const configuration = await configure(also, {
    ...(databaseUrl !== undefined && { databaseUrl }),
    plugins: { notes: { enabled: true } }
  })
  const database = onPostgres ? {} : { dataDir: undefined, template: await before.database.dump() }
  const server = await build({ configuration, logger: pino({ level: 'silent' }), database })
  t.teardown(() => server.close())

  const names = 'notes/001_notes\nnotes/002_more\n'
  for (let n = 0; n < 2; n++) {
    const { code, out, err } = await runInProcess(server, ['upgrade', '--check'])
    t.strictSame({ code, err }, { code: 3, err: `tracker ${version} would apply 2 migrations.\n` })
    t.match(out.split('\n'), [
      'notes/001_notes',
      '  makes tables or functions; nobody waits',
      'notes/002_more',
      /^ {2}account \(\d+ rows\) has rows written: nobody waits, less than a second$/,
      /^ {2}token \(\d+ rows\) is checked for 1 rule: reads and writes wait, less than a second$/,
      /^ {2}workspace \(\d+ rows\) is rewritten, gets 1 index: reads and writes wait, less than a second$/,
      ''
    ])
  }
  t.strictSame(await runInProcess(server, ['upgrade']), {
    code: 0,
    out: names,
    err: `tracker ${version} applied 2 migrations.\n`
  })
  for (const args of [['upgrade'], ['upgrade', '--check']]) {
    t.match(await runInProcess(server, args), { code: 0, out: '', err: /^The database is up to date/ })
  }
})

t.test('a version that is too old for the database says which one it needs, and tries nothing', async t => {
  const server = await testServer({ plugins: [] })
  t.teardown(() => server.close())
  await sql`
    insert into migration_core (name, timestamp, compatible_from)
    values ('999_of_the_future', '2030-01-01T00:00:00Z', '99.1.0')`.execute(server.database.db)
  const configuration = await configure({}, server.databaseUrl === undefined ? {} : { databaseUrl: server.databaseUrl })
  const database = onPostgres ? {} : { dataDir: undefined, template: await server.database.dump() }
  const older = await build({ configuration, logger: pino({ level: 'silent' }), database })
  t.teardown(() => older.close())
  t.match(await runInProcess(older, ['upgrade', '--check']), {
    code: 1,
    out: '',
    err: /^This is tracker \S+, and the database needs 99\.1\.0 or newer since it was upgraded/
  })
})
