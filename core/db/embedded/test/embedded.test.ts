import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { embeddedPool } from '../embedded-pool.ts'
import { openEmbedded, startEmbedded } from '../embedded.ts'

const { pool, close } = embeddedPool(await openEmbedded({}), undefined, {})
t.teardown(async () => {
  await pool.end()
  await close()
})

t.test('the event loop turns while a statement runs', async t => {
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  await pool.query('select count(*) from generate_series(1, 300000) as a (n) where md5(n::text) = $1', [''])
  clearInterval(counting)
  t.ok(turns > 20, `${turns} turns`)
})

t.test('a failed statement does not affect those queued behind it', async t => {
  const [refused, answered] = await Promise.allSettled([
    pool.query('select $1::int / 0', [1]),
    pool.query('select $1::int + 1 as n', [1])
  ])
  t.match(refused, { status: 'rejected', reason: { code: '22012' } })
  t.match(answered, { status: 'fulfilled', value: { rows: [{ n: 2 }] } })
})

t.test('a connection inherits neither transactions nor prepared statements of the previous one', async t => {
  await pool.query('create table kept (n int)')
  const statement = { name: 'add', text: 'insert into kept values ($1)', values: [1] }
  const first = await pool.connect()
  await first.query('begin')
  await first.query(statement)
  first.release(new Error('it is not used again'))
  await pool.query(statement)
  t.strictSame((await pool.query('select n from kept')).rows, [{ n: 1 }])
})

t.test('a database that was started opens while the event loop is busy', async t => {
  const dataDir = t.testdir()
  const { opened } = await startEmbedded({ dataDir })
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let n = 0; n < 1_000 && !existsSync(join(dataDir, 'pgdata', 'PG_VERSION')); n++) Atomics.wait(never, 0, 0, 100)
  t.ok(existsSync(join(dataDir, 'pgdata', 'PG_VERSION')))
  await (await opened).close()
})

t.test('a database that was restored in part is neither overwritten nor opened', async t => {
  const dataDir = t.testdir()
  const pgdata = join(dataDir, 'pgdata')
  await (await openEmbedded({ dataDir })).close()
  await rename(join(pgdata, 'PG_VERSION'), join(dataDir, 'version'))
  const control = readFileSync(join(pgdata, 'global', 'pg_control'))
  await t.rejects(openEmbedded({ dataDir }), { message: /has only a part of a database: restore .*TRACKER_DATA_DIR/ })
  t.same(readFileSync(join(pgdata, 'global', 'pg_control')), control)
})

t.test('a database whose files are missing says where it is, and what to do', async t => {
  const dataDir = t.testdir()
  await (await openEmbedded({ dataDir })).close()
  await rm(join(dataDir, 'pgdata', 'base'), { recursive: true })
  await t.rejects(openEmbedded({ dataDir }), {
    message: /The database in .* cannot be opened.*restore the whole folder/
  })
})

t.test('a database one folder too high is not overlooked', async t => {
  const dataDir = t.testdir({ PG_VERSION: '17' })
  await t.rejects(openEmbedded({ dataDir }), { message: /which belong into .*pgdata: move them there/ })
  t.notOk(existsSync(join(dataDir, 'pgdata')))
})

t.test('a database one folder too deep is not overlooked', async t => {
  for (const name of ['data', 'pgdata']) {
    const dataDir = t.testdir({ [name]: { pgdata: { PG_VERSION: '17' } } })
    await t.rejects(openEmbedded({ dataDir }), {
      message: new RegExp(`has no database, but \\S+/${name} in it has one: set TRACKER_DATA_DIR to \\S+/${name}, or`)
    })
    t.notOk(existsSync(join(dataDir, 'pgdata', 'base')))
  }
})

t.test('a start that was refused leaves the directory to the next one', async t => {
  const dataDir = t.testdir({ pgdata: { base: {} } })
  await t.rejects(openEmbedded({ dataDir }), { message: /has only a part of a database/ })
  await rm(join(dataDir, 'pgdata'), { recursive: true })
  await (await openEmbedded({ dataDir })).close()
})

t.test('a start replaces the incomplete files of one that was killed', async t => {
  const dataDir = t.testdir()
  await mkdir(join(dataDir, 'pgdata', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'pgdata.unfinished'), '')
  await (await openEmbedded({ dataDir })).close()
  t.notOk(existsSync(join(dataDir, 'pgdata.unfinished')))
})
