import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { emptyDatabase } from '../../../test/runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { startProcess, TRACKER_COMMAND, trackerIn } from '../../../test/runner/process.ts'
import { withConnection } from '../../../test/runner/templates.ts'
import { newToken } from '../../auth/tokens.ts'
import { makeDatabase } from '../../db/database.ts'
import { EVENTS_APPLICATION } from '../../db/migrate/servers.ts'
import type { BackupSource } from '../backup.ts'
import { restoreIntoPostgres } from '../restore.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const skip = !onPostgres

const filesIn = (folder: string) => ({
  TRACKER_PLUGINS__FILES__STORE: 'folder',
  TRACKER_PLUGINS__FILES__FOLDER: folder
})

/** A PostgreSQL database with all kinds of rows and a file, its server stopped. */
async function filledDatabase(t: Test) {
  const token = newToken()
  const dir = t.testdir({ data: {}, other: {} })
  const plugins = { TRACKER_ADMIN_TOKEN: token }
  const env = { ...plugins, DATABASE_URL: await emptyPostgres(t), ...filesIn(join(dir, 'data')) }
  const server = await startProcess(env)
  const headers = { authorization: `Bearer ${token}` }
  const kind = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.txt"' }
  const sent = { method: 'POST', headers: { ...headers, ...kind }, body: 'a content' }
  const { url: path } = (await (await fetch(`${server.url}/v1/files`, sent)).json()) as { url: string }
  t.equal(await server.end('SIGTERM'), 0)
  t.match(await trackerIn(env, 'demo'), { code: 0 })
  // As in a database that is some days old.
  await withConnection(env.DATABASE_URL, client =>
    client.query(`
      create table pgboss.queue_stats_20260101 partition of pgboss.queue_stats
        for values from ('2026-01-01 00:00:00+00') to ('2026-01-02 00:00:00+00');
      insert into pgboss.queue_stats (name, captured_on) values ('any', '2026-01-01 12:00:00+00')`)
  )
  return { dir, env, plugins, path, headers }
}

async function emptyPostgres(t: Test): Promise<string> {
  const database = await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  return (database.env as { DATABASE_URL: string }).DATABASE_URL
}

type Rows = Record<string, string[]>

/** Every value of every row, of each table and sequence, and what keeps rows valid. */
const everything = (url: string): Promise<Rows> =>
  withConnection(url, async client => {
    const { rows: relations } = await client.query<{ name: string; kind: string }>(`
      select c.oid::regclass::text as name, c.relkind as kind from pg_class c
      where c.relkind in ('r', 'S') and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
        and c.relname not like 'queue_stats%'`)
    const all: Rows = {}
    for (const { name, kind } of relations) {
      const columns = kind === 'S' ? 'r.last_value, r.is_called' : 'r.*'
      const { rows } = await client.query<{ row: string }>(
        `select (${kind === 'S' ? `row(${columns})` : 'to_jsonb(r)'})::text as row from ${name} r order by 1`
      )
      all[name] = rows.map(({ row }) => row)
    }
    for (const [name, text] of [
      ['indexes', 'select indexdef as row from pg_indexes where schemaname in ($1, $2) order by 1'],
      [
        'constraints',
        `select conname || pg_get_constraintdef(oid) as row from pg_constraint
        where connamespace in ($1::regnamespace, $2::regnamespace) order by 1`
      ],
      [
        'triggers',
        `select tgname || tgenabled::text as row from pg_trigger where not tgisinternal
        and tgrelid in (select oid from pg_class where relnamespace in ($1::regnamespace, $2::regnamespace)) order by 1`
      ]
    ] as const) {
      const { rows } = await client.query<{ row: string }>(text, ['public', 'pgboss'])
      all[name] = rows.map(({ row }) => row).filter(row => !row.includes('queue_stats'))
    }
    return all
  })

t.test('a backup of PostgreSQL is restored embedded, and one of that into PostgreSQL', { skip }, async t => {
  const { dir, env, plugins, path, headers } = await filledDatabase(t)
  const file = join(dir, 'postgres.tar.gz')
  t.match(await trackerIn(env, 'backup', file, '--verify'), {
    code: 0,
    err: /^Saved the database and 1 files .*\n.*postgres.tar.gz is whole: \d+ rows/
  })
  t.strictSame(readdirSync(dir).toSorted(), ['data', 'other', 'postgres.tar.gz'], 'nothing else is left')
  const before = await everything(env.DATABASE_URL)
  const off = { ...env, TRACKER_PLUGINS__DEMO__ENABLED: 'false' }
  t.match(await trackerIn(off, 'backup', `${file}.off`), { code: 1, err: /has tables of demo which .* turn these/ })
  const embedded = { ...plugins, TRACKER_DATA_DIR: join(dir, 'other') }
  t.match(await trackerIn(embedded, 'restore', file), { code: 0, err: /^Restored the backup/ })
  const again = join(dir, 'embedded.tar.gz')
  t.match(await trackerIn(embedded, 'backup', again), { code: 0 })

  const url = await emptyPostgres(t)
  const back = { ...plugins, DATABASE_URL: url, ...filesIn(join(dir, 'third')) }
  t.match(await trackerIn(back, 'restore', again), { code: 0, err: /^Restored .* into the database of DATABASE_URL/ })
  const after = await everything(url)
  t.strictSame(Object.keys(after).toSorted(), Object.keys(before).toSorted())
  // The command that saved the embedded database was a start: it replaces schedules, adds and ends jobs.
  const changed = ['pgboss.schedule', 'pgboss.version', 'pgboss.job_common']
  for (const [name, rows] of Object.entries(before)) if (!changed.includes(name)) t.strictSame(after[name], rows, name)

  const server = await startProcess(back)
  t.teardown(() => server.end('SIGKILL'))
  t.equal(await (await fetch(server.url + path, { headers })).text(), 'a content')
  t.match(await trackerIn(back, 'restore', again, '--replace'), { code: 1, err: /Servers use this database/ })
  t.equal(await server.end('SIGTERM'), 0)
  t.match(await trackerIn(back, 'restore', again), { code: 1, err: /There are data in .* with --replace/ })
  t.match(await trackerIn(back, 'restore', again, '--replace'), { code: 0 })
  await refuse(t, plugins, again)
  await startMeanwhile(t, again)
  await kill(t, plugins, again)
})

/** A server that starts while the backup is unpacked and the tables are made would go on in what is replaced. */
async function startMeanwhile(t: Test, file: string): Promise<void> {
  const url = await emptyPostgres(t)
  const database = makeDatabase({ url, poolSize: 4 })
  const listening = new pg.Client({ connectionString: url, application_name: EVENTS_APPLICATION })
  t.teardown(() => Promise.all([listening.end(), database.close()]))
  const source: BackupSource = {
    database,
    folders: [{ name: 'files', path: `${file}.meanwhile`, isComplete: () => true }],
    now: () => new Date(),
    async migrate() {
      await listening.connect()
    },
    openEmbedded: async () => ({ database, close: async () => {} })
  }
  await t.rejects(restoreIntoPostgres(source, file, false), { message: /Servers use this database/ })
}

/** A damaged backup, or one with files that no plugin takes, changes nothing. */
async function refuse(t: Test, plugins: Record<string, string>, file: string): Promise<void> {
  const damaged = `${file}.damaged`
  const content = readFileSync(file)
  writeFileSync(damaged, content.fill(1, content.length >> 1, (content.length >> 1) + 64))
  const url = await emptyPostgres(t)
  const noFolder = { ...plugins, DATABASE_URL: url }
  const empty = { ...noFolder, ...filesIn(`${file}.files`) }
  t.match(await trackerIn(empty, 'restore', damaged), { code: 1, err: /is damaged/ })
  t.match(await trackerIn(noFolder, 'restore', file), { code: 1, err: /has a folder “files”, for which/ })
  t.strictSame(await relationsIn(url), [], 'not even tables were made')
}

const relationsIn = (url: string) =>
  withConnection(url, async client => {
    const text = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
    return (await client.query<{ relname: string }>(text)).rows
  })

/** A restore that is killed while it copies leaves empty tables, and can be repeated. */
async function kill(t: Test, plugins: Record<string, string>, file: string): Promise<void> {
  const url = await emptyPostgres(t)
  const env = { ...plugins, DATABASE_URL: url, ...filesIn(join(t.testdirName, 'fourth')) }
  const command = spawn(process.execPath, [...TRACKER_COMMAND, 'restore', file], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore'
  })
  const isCopying = () =>
    withConnection(url, async client => {
      const text =
        "select from pg_stat_activity where datname = current_database() and query ~ '^\\s*insert into .* overriding'"
      return (await client.query(text)).rowCount !== 0
    })
  while (command.exitCode === null && !(await isCopying())) await sleep(2)
  t.ok(command.kill('SIGKILL'), 'it was killed while it copied')
  const before = await everything(url)
  t.strictSame([before['workspace'], before['account'], before['issue']], [[], [], []])
  t.match(await trackerIn(env, 'restore', file), { code: 0 }, 'repeated without --replace')
  t.not((await everything(url))['issue']!.length, 0)
}
