import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { emptyDatabase } from '../../../test/runner/empty-database.ts'
import { TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'
import { newToken } from '../../auth/tokens.ts'

t.test('SIGHUP takes over what may change, names what may not, and keeps the former when it is invalid', async t => {
  const dir = t.testdir()
  const file = join(dir, 'tracker.json')
  const configure = (settings: object) => writeFile(file, JSON.stringify(settings))
  const database = TEST_DATABASE_URL ? await emptyDatabase(TEST_DATABASE_URL) : undefined
  if (database) t.teardown(database.remove)
  const token = newToken()
  await configure({ logLevel: 'error', plugins: { trash: { trashKeepDays: 3 } } })
  const server = await startProcess({
    ...onlyPlugins('workspace', 'agents', 'mcp', 'trash'),
    ...(database?.env ?? { TRACKER_DATA_DIR: join(dir, 'data') }),
    TRACKER_CONFIG: file,
    TRACKER_ADMIN_TOKEN: token,
    LOG_LEVEL: ''
  })
  t.teardown(() => server.end('SIGKILL'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ping = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const accept = 'application/json, text/event-stream'
    return (await fetch(`${server.url}/v1/mcp`, { method: 'POST', headers: { ...headers, accept }, body })).status
  }
  const keepDays = async () => {
    const answer = await fetch(`${server.url}/v1/trash`, { headers })
    return ((await answer.json()) as { keepDays: number }).keepDays
  }
  async function logs(line: RegExp, from = 0): Promise<void> {
    for (let looks = 0; looks < 500 && !line.test(server.output().slice(from)); looks++) await sleep(20)
    t.match(server.output().slice(from), line)
  }
  async function hangUp(settings: object, logged: RegExp): Promise<void> {
    await configure(settings)
    const from = server.output().length
    process.kill(server.pid, 'SIGHUP')
    await logs(logged, from)
  }
  t.equal(await keepDays(), 3)
  t.notMatch(server.output(), /request completed/)

  const changed = { logLevel: 'info', plugins: { trash: { trashKeepDays: 5 }, mcp: { rateLimit: 1 } } }
  // The level of the log is one of the changes: without it, this line would not be there.
  await hangUp(changed, /"changed":\["logLevel","plugins.trash.trashKeepDays","plugins.mcp.rateLimit"\]/)
  t.equal(await keepDays(), 5)
  await logs(/request completed/)
  t.strictSame([await ping(), await ping()], [200, 429])

  const other = { databasePool: 3, plugins: { ...changed.plugins, trash: { trashKeepDays: 6 } } }
  await hangUp({ ...changed, ...other }, /"settings":\["databasePool"\].*change with the next start/)
  t.equal(await keepDays(), 6, 'the rest is taken over')

  const invalid = { ...changed, plugins: { trash: { trashKeepDays: 'many' } } }
  await hangUp(invalid, /trashKeepDays .*must be integer.*the server goes on with the former one/)
  t.equal(await keepDays(), 6)
  t.equal(await server.end('SIGTERM'), 0)
})
