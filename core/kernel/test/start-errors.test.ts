import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { emptyDatabase } from '../../../test/runner/empty-database.ts'
import { TEST_DATABASE_URL, testServer } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'
import { configure } from '../../config/config.ts'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { explainConnectError, explainDamage, explainFullDisk } from '../../db/start-errors.ts'

const root = new URL('../../..', import.meta.url)

t.test('a data directory that cannot be written is named, with the setting', async t => {
  const dir = join(t.testdir({ 'a-file': '' }), 'a-file', 'data')
  await t.rejects(startProcess({ TRACKER_DATA_DIR: dir, ...onlyPlugins() }), {
    message: /data directory \S+a-file\/data cannot be written \(ENOTDIR\): let .*, or set TRACKER_DATA_DIR to another/
  })
})

t.test('a PostgreSQL server that does not answer is named, with the setting', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await t.rejects(startProcess({ DATABASE_URL: `postgres://tracker@127.0.0.1:${port}/tracker`, ...onlyPlugins() }), {
    message: new RegExp(
      `PostgreSQL at 127.0.0.1:${port} does not answer \\(ECONNREFUSED\\): start it, or correct DATABASE_URL`
    )
  })
})

t.test('an error explains how to percent-encode a password, without showing it', async t => {
  const expected = /databaseUrl is not of the form \S+; .* percent-encoded, most often in the password: # as %23, /
  for (const password of ['hush#hush', '12#hush', 'hush/hush', '12/hush', 'hush?hush', '12?hush', 'hush%ffhush']) {
    const refused = { databaseUrl: `postgres://tracker:${password}@127.0.0.1:1/tracker` }
    const { message } = await configure({}, refused).then(
      () => new Error('It was taken.'),
      (error: Error) => error
    )
    t.match(message, expected, password)
    t.notMatch(message, /hush|12/, password)
  }
  const url = 'postgres://tracker:hush#hush@127.0.0.1:1/tracker'
  await t.rejects(startProcess({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, ...onlyPlugins() }), {
    message:
      /databaseUrl \(DATABASE_URL\) is not of the form [^]*databaseDirectUrl \(DATABASE_DIRECT_URL\) is not of the form/
  })
})

t.test('URLs that PostgreSQL accepts are accepted', async t => {
  for (const url of [
    ...['postgres://tracker@/tracker', 'postgres:///tracker?user=a@b', 'postgres://h:1/tracker?user=a@b'],
    ...[
      'postgres://a:b@c@h/tracker',
      'postgres://a:100%@h/tracker',
      'postgres://50%a@h/tracker',
      'postgres://a:%23%2F%C3%A4@h/tracker'
    ],
    'postgres://%2Frun%2Fpostgresql/tracker'
  ]) {
    t.match(await configure({}, { databaseUrl: url }), { settings: { databaseUrl: url } })
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    t.match(explainConnectError(refused, url), { message: /does not answer \(ECONNREFUSED\)/, cause: refused }, url)
  }
})

t.test('a command that the database refuses because its disk is full says so, and what to do', async t => {
  for (const code of ['25006', '53100']) {
    const refused = Object.assign(new Error('cannot execute INSERT'), { code })
    t.match(explainFullDisk(refused), {
      message: /disk of the database is full: free some space, .* again/,
      cause: refused
    })
  }
  const other = new Error('something else')
  t.equal(explainFullDisk(other), other)
})

t.test('a database that cannot be opened is called damaged, but not for a full disk', async t => {
  t.match(explainDamage(new Error('Aborted()'), '/data'), { message: /database in \/data cannot be opened/ })
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  t.equal(explainDamage(full, '/data'), full)
})

t.test('a port that is in use is named, with the setting', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const database = await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  const env = { LOG_LEVEL: 'silent', PORT: String(port), ...database.env, ...onlyPlugins() }
  await t.rejects(startProcess(env), {
    message: new RegExp(`The port ${port} of 127.0.0.1 is in use: .*set PORT to another`)
  })
})

t.test('a first start with a wrong setting says so, and makes no database', async t => {
  const env = { TRACKER_DATA_DIR: t.testdir(), ...onlyPlugins() }
  await t.rejects(startProcess({ ...env, TRACKER_EVENTS_KEEP_DAYS: 'x' }), {
    message: /eventsKeepDays \(TRACKER_EVENTS_KEEP_DAYS\) must be integer/
  })
  t.strictSame(readdirSync(env.TRACKER_DATA_DIR), [])
  const server = await startProcess(env)
  t.equal((await fetch(`${server.url}/health/ready`)).status, 200)
  await server.end('SIGTERM')
})

t.test('an extension that PostgreSQL does not have is named, with how to get it', async t => {
  const plugin = definePlugin(dependsOn(contract()('needy')), {
    summary: 'Needs what is not there',
    migrations: {
      '001': async () => ({
        async up(db) {
          await sql`create extension not_to_be_had`.execute(db)
        }
      })
    }
  })
  await t.rejects(testServer({ plugins: [], also: { needy: async () => ({ default: plugin }) } }), {
    message: /^PostgreSQL does not have the extension not_to_be_had: install it on the database server/
  })
})

t.test(
  'a user who may not create pgvector is told what a superuser must do',
  { skip: !TEST_DATABASE_URL && 'needs a PostgreSQL server' },
  async t => {
    const name = `tracker_owner_${randomBytes(6).toString('hex')}`
    const admin = new pg.Client(TEST_DATABASE_URL)
    await admin.connect()
    t.teardown(async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.query(`drop role ${name}`)
      await admin.end()
    })
    await admin.query(`create role ${name} login`)
    await admin.query(`create database ${name} owner ${name}`)
    const url = Object.assign(new URL(TEST_DATABASE_URL!), { username: name, pathname: name }).href
    await t.rejects(startProcess({ DATABASE_URL: url }), {
      message: /may not create the extension pgvector: have a superuser run "create extension vector" in this database/
    })
  }
)

t.test('on a version of Node that is too old the error names the one that is needed', async t => {
  const old = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  )}`
  await t.rejects(
    promisify(execFile)(process.execPath, ['--import', old, '--import', './core/start/preload.cjs', 'core/main.ts'], {
      cwd: root
    }),
    { message: /^tracker needs Node 24\S* or newer, and this is v.*: install it from .*$/m }
  )
})
