import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import { ENOUGH } from './client.ts'

/** Nothing listens there. */
const ADDRESS = 'http://127.0.0.1:9'
const endpoint = (event: string) => `${ADDRESS}/v1/agent-hooks/${event}?harness=cursor`

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: [...ENOUGH, 'mcp'] })
})
t.teardown(() => server.close())

/** Writes hooks for Cursor, connects, and reads the result. */
async function reconnected(dir: string, hooks: Record<string, Array<{ command: string }>>) {
  const path = join(dir, '.cursor/hooks.json')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify({ version: 1, hooks }))
  const { code, err } = await runInProcess(server, ['connect', 'cursor', '--dir', dir, '--url', ADDRESS])
  if (code !== 0) throw new Error(err)
  return (JSON.parse(await readFile(path, 'utf8')) as { hooks: typeof hooks }).hooks
}

t.test('the commands that version 0.1 has written are replaced', async t => {
  const command =
    `{ { printf 'header = "Authorization: Bearer %s"' "$TRACKER_TOKEN" | curl -sf --max-time 10 -K /dev/fd/3 ` +
    "-H 'Content-Type: application/json' --data-binary @- " +
    `'${endpoint('session-start')}' 3<&0 0<&4; } 4<&0 || echo '{}'; }`
  const { sessionStart } = await reconnected(t.testdir(), { sessionStart: [{ command }] })
  t.equal(sessionStart?.length, 1)
  t.match(sessionStart?.[0]?.command, '401)', 'it tells that the token is refused')
})

t.test('a command of one’s own that calls the server stays', async t => {
  const command = `./my-hook.sh '${endpoint('stop')}' || echo '{}'`
  t.strictSame((await reconnected(t.testdir(), { stop: [{ command }] }))['stop'], [{ command }])
})
