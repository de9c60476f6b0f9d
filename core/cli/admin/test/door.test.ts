import { execFile } from 'node:child_process'
import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { newToken } from '../../../auth/tokens.ts'
import { onPostgres, testServer } from '../../../../test/runner/harness.ts'
import { onlyPlugins, startProcess, TRACKER_COMMAND } from '../../../../test/runner/process.ts'
import { fillDataDirectory } from '../../../../test/runner/templates.ts'
import { temporaryFolder } from '../../../../test/runner/temporary-folder.ts'
import { defineCommand } from '../../../api/command.ts'
import { contract } from '../../../api/contract.ts'
import { definePlugin, dependsOn } from '../../../api/plugin.ts'
import { commands } from '../../../api/points.ts'
import { version } from '../../../../lib/packages/version.ts'
import { openDoor } from '../door.ts'
import { prepareSocket } from '../folder.ts'

const skip = onPostgres && 'on PostgreSQL a command opens the database itself'
const token = newToken()
const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8)

const plugins = onlyPlugins('workspace', 'passwords', 'agents', 'events', 'issues', 'comments', 'transfer', 'importers')

async function startServer(t: Test, dataDir: string) {
  const env = { ...plugins, TRACKER_DATA_DIR: dataDir, TRACKER_ADMIN_TOKEN: token, LOG_LEVEL: 'info' }
  const pointer = join(dataDir, 'admin.folder')
  const pointed = () => (existsSync(pointer) ? readFileSync(pointer, 'utf8') : undefined)
  const former = pointed()
  const server = await startProcess(env)
  t.teardown(() => server.end('SIGKILL'))
  // The socket is opened right after the server begins to listen, unless it says that it takes no commands.
  const isOpen = () =>
    /commands are not taken/.test(server.output()) ||
    (existsSync(join(pointed() ?? dataDir, 'admin.sock')) && (former === undefined || pointed() !== former))
  for (let n = 0; n < 500 && !isOpen(); n++) await sleep(20)
  return { ...server, tracker: (...args: string[]) => tracker(env, ...args) }
}

function tracker(env: object, ...args: string[]): Promise<{ code: number | string; out: string; err: string }> {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [...TRACKER_COMMAND, ...args],
      { cwd: fileURLToPath(new URL('../../../..', import.meta.url)), env: { PATH: process.env['PATH'], ...env } },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err })
    )
  })
}

async function send(socketPath: string, path: string, body: object, method = 'POST') {
  const sent = request({ socketPath, path, method, agent: false })
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sent.once('error', reject).once('response', answer => {
      text(answer).then(body => resolve({ status: answer.statusCode, body }), reject)
    })
  })
  sent.end(JSON.stringify(body))
  return { sent, answered }
}

async function filled(t: Test, ...path: string[]): Promise<string> {
  const dataDir = join(temporaryFolder(t), ...path)
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  await fillDataDirectory(dataDir)
  return dataDir
}

t.test('commands beside a running server are done by it', { skip }, async t => {
  const dataDir = await filled(t)
  const { url, tracker, output, end } = await startServer(t, dataDir)
  const get = async (path: string, bearer = token) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${bearer}` } })).json() as Promise<unknown>
  const socket = join(dataDir, 'admin.sock')

  t.equal(modeOf(dataDir), '700')
  t.equal(modeOf(socket), '600')

  const added = await tracker('workspaces', 'add', 'Research')
  t.match(added, { code: 0, out: /^trk_\w+\n$/, err: /^The workspace Research has the administrator admin@localhost/ })
  t.match(await get('/v1/users/me', added.out.trim()), { workspace: { name: 'Research' } })
  t.match(await tracker('workspaces', 'list'), { code: 0, out: /\tTracker\n.*\tResearch\n$/, err: '' })

  const answer = await tracker('token', '--email', 'admin@localhost')
  t.match(answer, { code: 0, out: /^trk_\w+\ntrk_\w+\n$/ })
  t.match(await get('/v1/users/me', answer.out.split('\n')[0]), { fullname: 'Administrator' })
  t.match(await get('/v1/events?types=token.created'), { events: [{ actor: null, origin: 'system' }] })
  t.match(await tracker('password', '--email', 'admin@localhost'), { code: 0, out: /^\S{20}\n\S{20}\n$/ })
  t.match(await tracker('password', '--email', 'nobody@x'), { code: 1, out: '', err: 'Nobody here has' })

  await fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId: 'ENG', title: 'Filed before the export' })
  })
  const exported = await tracker('export', '--workspace', 'Tracker')
  t.match(exported, { code: 0, out: /"title":"Filed before the export"/, err: '' })
  const file = join(dataDir, 'board.jsonl')
  writeFileSync(file, exported.out)
  t.match(await tracker('import', file, '--workspace', 'Research'), { code: 0, err: /^Added: .*1 issue/ })
  t.match(await get('/v1/issues/ENG-1', added.out.trim()), { title: 'Filed before the export' })
  t.match(await tracker('import', '/dev/null', '--workspace', 'Research'), { code: 1, err: 'name a regular file' })
  t.match(await tracker('import', file, '--dry-run', '--workspace', 'Research'), { code: 1, err: 'stop it first' })
  const folder = join(dataDir, 'markdown')
  t.match(await tracker('export', '--to', 'markdown', folder, '--workspace', 'Tracker'), { code: 0, err: 'Wrote 1' })
  t.ok(existsSync(folder))
  const events = await tracker('events', '--types', 'issue.created')
  t.match(events, { code: 0, out: /"type":"issue.created"/, err: '' })

  t.equal((await fetch(`${url}/commands`, { method: 'POST' })).status, 404, 'no network leads to it')
  t.equal((await (await send(socket, '/v1/users/me', {}, 'GET')).answered).status, 404, 'nothing else is there')
  const other = await (await send(socket, '/commands', { version: '0.0.1', args: ['workspaces', 'list'] })).answered
  t.match(other, { status: 409, body: /tracker \d.* this command is of 0\.0\.1: use the command of the same version/ })

  t.match(output(), /"command":"workspaces add","actor":"system","exit":0/)
  t.equal(await end('SIGTERM'), 0)
  t.notOk(existsSync(socket))
  t.match(await tracker('workspaces', 'list'), { code: 0, out: /Research/ }, 'without a server it opens the database')
})

t.test('where the path of the socket would be too long, it is in a private folder', { skip }, async t => {
  const dataDir = await filled(t, 'long'.repeat(25))
  const pointer = join(dataDir, 'admin.folder')
  const first = await startServer(t, dataDir)
  const folder = readFileSync(pointer, 'utf8')
  t.equal(modeOf(pointer), '600')
  t.equal(modeOf(folder), '700')
  t.equal(modeOf(join(folder, 'admin.sock')), '600')
  t.match(await first.tracker('workspaces', 'list'), { code: 0, out: /Tracker/ })
  await first.end('SIGKILL')
  t.match(await first.tracker('workspaces', 'list'), { code: 0, out: /Tracker/ }, 'nobody listens there any more')

  const second = await startServer(t, dataDir)
  t.notOk(existsSync(folder), 'what a killed server has left is removed')
  const next = readFileSync(pointer, 'utf8')
  t.match(await second.tracker('workspaces', 'list'), { code: 0, out: /Tracker/ })
  t.equal(await second.end('SIGTERM'), 0)
  t.notOk(existsSync(next) || existsSync(pointer))
})

t.test('a server whose folder is a link serves, and takes no commands', { skip }, async t => {
  const dataDir = await filled(t, 'data')
  const link = join(dataDir, '..', 'link')
  symlinkSync(dataDir, link)
  const server = await startServer(t, link)
  t.match(server.output(), /commands are not taken while the server runs/)
  t.match(server.output(), /is a link: set TRACKER_DATA_DIR to the folder itself/)
  t.match(await server.tracker('workspaces', 'list'), { code: 1, out: '', err: /in use by another tracker process/ })
  t.notOk(existsSync(join(dataDir, 'admin.sock')))
})

t.test(
  'a folder of another user is refused',
  { skip: process.getuid?.() !== 0 && 'only root can give it away' },
  async t => {
    const dataDir = temporaryFolder(t)
    chownSync(dataDir, 1, 1)
    await t.rejects(prepareSocket(dataDir), /belongs to another user/)
  }
)

t.test('a command ends when its user has gone, and when the server stops', async t => {
  const dataDir = temporaryFolder(t)
  const ends: string[] = []
  let began = Promise.withResolvers<void>()
  const endless = defineCommand({
    name: 'endless',
    summary: 'Works',
    database: true,
    async run(_, terminal) {
      began.resolve()
      try {
        for (;;) {
          terminal.progress('working')
          await sleep(5)
        }
      } catch (error) {
        ends.push((error as Error).message)
        throw error
      }
    }
  })
  const local = defineCommand({ name: 'local', summary: 'Is of the user’s process', database: false, async run() {} })
  const plugin = definePlugin(dependsOn(contract()('endless')), {
    summary: 'x',
    register(ctx) {
      ctx.contribute(commands, endless)
      ctx.contribute(commands, local)
    }
  })
  const server = await testServer({ plugins: [], also: { endless: async () => ({ default: plugin }) } })
  t.teardown(() => server.close())
  const door = await openDoor(server, dataDir)
  const socket = join(dataDir, 'admin.sock')
  const body = { version, folder: '/', env: {}, hasScreen: true }

  const { sent, answered } = await send(socket, '/commands', { ...body, args: ['endless'] })
  await began.promise
  sent.destroy()
  await answered.catch(() => {})
  while (ends.length === 0) await sleep(5)

  t.match(await (await send(socket, '/commands', { ...body, args: ['local'] })).answered, {
    body: /"failure":"There is no command 'local'/
  })
  t.match(await (await send(socket, '/commands', { ...body, args: 'x' })).answered, { status: 400 })

  began = Promise.withResolvers()
  const second = await send(socket, '/commands', { ...body, args: ['endless'] })
  const cutOff = second.answered.catch(() => 'cut off')
  await began.promise
  await door.close()
  t.equal(ends.length, 2)
  t.equal(await cutOff, 'cut off')
  t.notOk(existsSync(socket))
})
