import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { emptyDatabase, migratedDatabase } from './runner/empty-database.ts'
import { freePort, onlyPlugins, startProcess, TRACKER_COMMAND, type ServerProcess } from './runner/process.ts'

const run = promisify(execFile)

/** @param make the database of the first start; default: one that has tables already */
async function environment(t: Test, make = migratedDatabase): Promise<Record<string, string>> {
  const database = await make(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  return { ...database.env }
}

/** Starts a server, and waits until it has printed a token, which it does after it listens. */
async function shownToken(t: Test, env: Record<string, string>): Promise<{ server: ServerProcess; token: string }> {
  const server = await startProcess(env)
  t.teardown(() => server.end('SIGKILL'))
  for (;;) {
    const token = /TRACKER_TOKEN=(trk_\w+)/.exec(server.output())?.[1]
    if (token !== undefined) return { server, token }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function assertTokenWorks(t: Test, env: Record<string, string>): Promise<void> {
  const { server, token } = await shownToken(t, env)
  const answer = await fetch(`${server.url}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
  t.match(await answer.json(), { email: 'admin@localhost', role: 'ADMIN' })
}

t.test('a first start whose port is in use says so, and the next start shows the token', async t => {
  const env = { ...(await environment(t, emptyDatabase)), ...onlyPlugins('workspace') }
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await t.rejects(startProcess({ ...env, PORT: String(port) }), {
    message: new RegExp(`exit code 1: The port ${port} of 127.0.0.1 is in use: .* set PORT`)
  })
  await assertTokenWorks(t, env)
})

t.test('a command before the first start leaves the token to be shown by it', async t => {
  const env = { ...(await environment(t)), ...onlyPlugins('workspace', 'transfer') }
  const root = new URL('..', import.meta.url)
  const empty = join(t.testdir({ 'empty.jsonl': '' }), 'empty.jsonl')
  await run(process.execPath, [...TRACKER_COMMAND, 'import', empty], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env }
  })
  await assertTokenWorks(t, env)
})

t.test('the token is shown by the first start only', async t => {
  const env = { ...(await environment(t)), ...onlyPlugins('workspace') }
  const { server } = await shownToken(t, env)
  t.match(server.output(), 'tracker is ready. The administrator', 'without the web interface, no word of a browser')
  await server.end('SIGTERM')
  const again = await startProcess(env)
  t.equal((await fetch(`${again.url}/health/ready`)).status, 200)
  await again.end('SIGTERM')
  t.notMatch(again.output(), /trk_/)
})

t.test('a signal to npm ends the server that `npm start` has started', async t => {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: new URL('..', import.meta.url),
    env: { PATH, HOME, PORT: String(port), LOG_LEVEL: 'warn', ...(await environment(t)), ...onlyPlugins('workspace') },
    stdio: 'ignore',
    detached: true
  })
  t.teardown(() => {
    try {
      process.kill(-npm.pid!, 'SIGKILL')
    } catch {
      /* all of its processes have ended */
    }
  })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      answer => answer.ok,
      () => false
    )
  while (!(await isUp())) await sleep(50)
  npm.kill('SIGTERM')
  await once(npm, 'close')
  t.equal(await isUp(), false)
})
