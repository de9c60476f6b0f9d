import { sql, type RawBuilder, type Transaction } from 'kysely'
import t, { type Test } from 'tap'
import { runsOnCitus, testServer, type TestServer } from '../../../../test/runner/harness.ts'
import { SHORT_READ_CONNECTIONS } from '../../limits.ts'
import { statement, writeInWorkspace } from '../../statements/statement.ts'
import type { CoreTables, Id } from '../../../api/database/types.ts'
import { makeWorkerFunctions } from '../worker-statements.ts'

const isOnCitus = await runsOnCitus()
const onlyOnCitus = { skip: !isOnCitus && 'needs TEST_DATABASE_URL of a Citus cluster' }

const teams = statement<{ workspaceId: Id; name: string | null }, { identifier: string; isNamed: boolean }>(
  import.meta,
  'teams',
  ({ workspaceId, name }) => sql`
  select team.identifier, team.name = coalesce(${name}, 'Engineering') as "isNamed" from team
  where team.workspace_id = ${workspaceId}`,
  { identifier: 'text', isNamed: 'boolean' }
)
/** The statements that the worker's session has prepared for a shard. */
const prepared = statement<{ workspaceId: Id }, { text: string }>(
  import.meta,
  'prepared',
  ({ workspaceId }) => sql`
  select p.statement as text from pg_prepared_statements p
  where p.name ~ '^(read|write)_' and ${workspaceId}::uuid is not null`,
  { text: 'text' }
)

const echo = statement<
  { workspaceId: Id; texts: Array<string | null>; bytes: Buffer; none: null },
  { texts: Array<string | null>; bytes: Buffer; isAbsent: boolean; numbers: number[] }
>(
  import.meta,
  'echo',
  ({ workspaceId, texts, bytes, none }) => sql`
  select ${texts}::text[] as texts, ${bytes}::bytea as bytes, ${none}::text is null as "isAbsent",
    array[1, 2] as numbers
  where ${workspaceId}::uuid is not null`,
  { texts: 'text[]', bytes: 'bytea', isAbsent: 'boolean', numbers: 'integer[]' }
)

async function serverOf(t: Test): Promise<{ server: TestServer; workspaceId: Id }> {
  const server = await testServer({ plugins: ['workspace', 'issues'], settings: { jobs: false } })
  t.teardown(() => server.close())
  const { id } = await server.database.db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  return { server, workspaceId: id }
}

t.test('a read in one workspace is prepared once by a session of its worker', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  const expected = [{ identifier: 'ENG', isNamed: true }]
  for (let n = 0; n < 4 * SHORT_READ_CONNECTIONS; n++) {
    t.strictSame(await teams(db, { workspaceId, name: null }), expected)
  }
  // In a transaction, because short reads use any of their connections.
  await db.transaction().execute(async trx => {
    for (let n = 0; n < 4; n++) t.strictSame(await teams(trx, { workspaceId, name: null }), expected)
    const texts = (await prepared(trx, { workspaceId })).map(({ text }) => text)
    const ofTeams = texts.filter(text => text.includes('team.identifier'))
    t.equal(ofTeams.length, 1)
    t.match(ofTeams[0], /with .*team as not materialized \(select \* from team_\d+\)/)
  })
})

t.test('the same session reads each workspace in its own shard', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  const others = [await server.otherWorkspace(), await server.otherWorkspace(), await server.otherWorkspace()]
  for (const { id } of others) t.strictSame(await teams(db, { workspaceId: id, name: 'x' }), [])
  t.strictSame(await teams(db, { workspaceId, name: 'x' }), [{ identifier: 'ENG', isNamed: false }])
})

t.test('quotes in parameters are escaped', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const name = `', 1); drop table team; --`
  t.match(await teams(server.database.db, { workspaceId, name }), [{ isNamed: false }])
})

t.test('parameters arrive unchanged: arrays, quotes, bytes and nulls', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const sent = { workspaceId, texts: ['a "b"', "c, '{d}\\", '', null], bytes: Buffer.from([0, 255]), none: null }
  t.strictSame(await echo(server.database.db, sent), [
    { texts: sent.texts, bytes: sent.bytes, isAbsent: true, numbers: [1, 2] }
  ])
})

t.test('in a transaction, too, where it sees what that has written', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await db.transaction().execute(async trx => {
    await sql`update team set name = 'Changed' where workspace_id = ${workspaceId}`.execute(trx)
    t.strictSame(await teams(trx, { workspaceId, name: 'Changed' }), [{ identifier: 'ENG', isNamed: true }])
    const texts = (await prepared(trx, { workspaceId })).map(({ text }) => text)
    t.equal(texts.filter(text => text.includes('team.identifier')).length, 1, 'prepared by the worker')
    t.strictSame(await teams(db, { workspaceId, name: 'Changed' }), [{ identifier: 'ENG', isNamed: false }])
  })
  t.strictSame(await teams(db, { workspaceId, name: 'Changed' }), [{ identifier: 'ENG', isNamed: true }])
})

t.test('a function of an earlier version is replaced', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await sql`
    select create_distributed_function(
      'read_in_workspace(uuid, text, text[])', 'workspace_id', colocate_with => 'workspace', force_delegation => false)
  `.execute(db)
  await makeWorkerFunctions(db)
  await db.transaction().execute(async trx => {
    await teams(trx, { workspaceId, name: null })
    const texts = (await prepared(trx, { workspaceId })).map(({ text }) => text)
    t.ok(
      texts.some(text => / from team_\d+/.test(text)),
      'it reads in the shards of the worker'
    )
  })
})

t.test('dropping a table does not affect reads of other tables', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  const read = async () => {
    for (let n = 0; n < 2 * SHORT_READ_CONNECTIONS; n++) await teams(db, { workspaceId, name: null })
  }
  await read()
  await db.schema.alterTable('label').renameTo('gone').execute()
  await t.resolves(read())
  await db.schema.alterTable('gone').renameTo('label').execute()
  await t.resolves(read())
})

t.test('a session keeps only so many prepared', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await db.transaction().execute(async one => {
    const ask = async (text: string) => {
      const { rows } = await sql<{ n: number }>`
        select * from read_in_workspace(${workspaceId}, ${`${text} where $1::uuid is not null`}, array[${workspaceId}])
          as read (n integer)`.execute(one)
      return rows[0]?.n
    }
    for (let n = 0; n < 70; n++) t.equal(await ask(`select ${n}`), n)
    t.equal(await ask('select count(*)::integer from pg_prepared_statements'), 64)
  })
})

/** Runs a statement that writes, in the workspace's shard, and returns one text of each row. */
const write = async (trx: Transaction<CoreTables>, workspaceId: Id, statement: RawBuilder<{ text: string }>) => {
  const rows = await writeInWorkspace(trx, statement.compile(trx), { workspaceId, columns: { text: 'text' } })
  return rows.map(({ text }) => text)
}
const rename = (workspaceId: Id, name: string) => sql<{ text: string }>`
  with before as materialized (
    select name from team where workspace_id = ${workspaceId} for no key update),
  changed as (
    update "team" set name = ${name} from workspace as w join account a on a.workspace_id = w.id
    where team.workspace_id = ${workspaceId} and w.id = team.workspace_id
    returning team.identifier)
  select changed.identifier || ' ' || before.name as text from before cross join changed`

t.test(
  'a statement that writes is prepared on the tables of the shard, whatever their aliases',
  onlyOnCitus,
  async t => {
    const { server, workspaceId } = await serverOf(t)
    await server.database.db.transaction().execute(async trx => {
      t.strictSame(await write(trx, workspaceId, rename(workspaceId, 'Once')), ['ENG Engineering'])
      t.strictSame(await write(trx, workspaceId, rename(workspaceId, 'Twice')), ['ENG Once'])
      const texts = (await prepared(trx, { workspaceId })).map(({ text }) => text)
      const written = texts.filter(text => text.includes('update'))
      t.equal(written.length, 1)
      t.match(written[0], /from team_\d+ as team where .* for no key update/)
      t.match(written[0], /update team_\d+ as team set name = \$2 from workspace_\d+ as w join account_\d+ a on/)
    })
    t.strictSame(await teams(server.database.db, { workspaceId, name: 'Twice' }), [
      { identifier: 'ENG', isNamed: true }
    ])
  }
)

t.test('what it has written is undone with its transaction', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const undone = server.database.db.transaction().execute(async trx => {
    await write(trx, workspaceId, rename(workspaceId, 'Never'))
    throw new Error('enough')
  })
  await t.rejects(undone, { message: 'enough' })
  t.strictSame(await teams(server.database.db, { workspaceId, name: null }), [{ identifier: 'ENG', isNamed: true }])
})

t.test('the rows that it locks are those that every other statement sees', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  const { db } = server.database
  await db.transaction().execute(async trx => {
    const locking = sql<{ text: string }>`
      select name as text from team where workspace_id = ${workspaceId} for update`
    t.strictSame(await write(trx, workspaceId, locking), ['Engineering'])
    const other = sql`select name from team where workspace_id = ${workspaceId} for update nowait`.execute(db)
    await t.rejects(other, { code: '55P03' })
  })
})

t.test('a long statement does not stay prepared', onlyOnCitus, async t => {
  const { server, workspaceId } = await serverOf(t)
  await server.database.db.transaction().execute(async trx => {
    const long = sql<{ text: string }>`
      select name as text from team where workspace_id = ${workspaceId} ${sql.raw(' '.repeat(20_000))} for update`
    t.strictSame(await write(trx, workspaceId, long), ['Engineering'])
    t.strictSame(await write(trx, workspaceId, long), ['Engineering'])
    const texts = (await prepared(trx, { workspaceId })).map(({ text }) => text)
    t.notOk(texts.some(text => text.includes('for update')))
  })
})
