/* eslint no-template-curly-in-string: "off" -- the clients' own syntax for environment variables */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parse as parseYaml } from 'yaml'
import { testServer } from '../../../test/runner/harness.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'
import { CLIENT_NAMES, type ClientName } from '../connect/names.ts'
import { ENOUGH } from './client.ts'

const run = promisify(execFile)
const URL_ = 'https://tracker.example.com/team'
const MCP = `${URL_}/v1/mcp`

/** The file with the server, where it is, and what the client's documentation wants in it. */
const FILES: Partial<Record<ClientName, { path: string; isInHome?: boolean; content: object }>> = {
  opencode: {
    path: 'opencode.json',
    content: {
      mcp: {
        tracker: {
          type: 'remote',
          url: MCP,
          enabled: true,
          oauth: false,
          headers: { Authorization: 'Bearer {env:TRACKER_TOKEN}' }
        }
      }
    }
  },
  vscode: {
    path: '.vscode/mcp.json',
    content: {
      servers: { tracker: { type: 'http', url: MCP, headers: { Authorization: 'Bearer ${input:tracker-token}' } } },
      inputs: [
        {
          type: 'promptString',
          id: 'tracker-token',
          description: 'The agent’s token of the tracker',
          password: true
        }
      ]
    }
  },
  zed: { path: '.zed/settings.json', content: { context_servers: { tracker: { url: MCP } } } },
  windsurf: {
    path: '.codeium/windsurf/mcp_config.json',
    isInHome: true,
    content: {
      mcpServers: { tracker: { serverUrl: MCP, headers: { Authorization: 'Bearer ${env:TRACKER_TOKEN}' } } }
    }
  },
  goose: {
    path: '.config/goose/config.yaml',
    isInHome: true,
    content: {
      extensions: {
        tracker: {
          type: 'streamable_http',
          uri: MCP,
          name: 'tracker',
          enabled: true,
          timeout: 300,
          env_keys: ['TRACKER_TOKEN'],
          headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' }
        }
      }
    }
  },
  amp: {
    path: '.amp/settings.json',
    content: { 'amp.mcpServers': { tracker: { url: MCP, headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' } } } }
  }
}
const clients = Object.entries(FILES) as Array<[ClientName, NonNullable<(typeof FILES)[ClientName]>]>
const read = (path: string): unknown => parseYaml(readFileSync(path, 'utf8'))

const server = await testServer({
  plugins: [...ENOUGH, 'mcp'],
  settings: { publicUrl: 'https://tracker.example.com', prefix: '/team' }
})
t.teardown(() => server.close())

function folders(t: Test): {
  dir: string
  home: string
  connect: (...args: string[]) => ReturnType<typeof runInProcess>
} {
  const [dir, home] = [temporaryFolder(t), temporaryFolder(t)]
  const connect = (...args: string[]) =>
    runInProcess(server, ['connect', ...args, '--dir', dir, '--url', URL_], { HOME: home })
  return { dir, home, connect }
}

for (const [client, { path, isInHome, content }] of clients) {
  t.test(`${client} gets the file that it reads; repeated, nothing changes`, async t => {
    const { dir, home, connect } = folders(t)
    const target = join(isInHome ? home : dir, path)
    const shown = isInHome ? `~/${path}` : path
    t.match(await connect(client, '--print'), { code: 0, out: new RegExp(`^${RegExp.escape(shown)}:\n\n`) })
    t.notOk(existsSync(target), 'printed only')
    t.match(await connect(client), { code: 0, out: `created ${shown}\n` })
    t.strictSame(read(target), content)
    t.match(await connect(client), { code: 0, out: `unchanged ${shown}\n` })
    t.match(await connect(client, '--tools', 'core'), { out: `changed ${shown}\n` })
    t.match(readFileSync(target, 'utf8'), `${MCP}?tools=core`)
  })
}

t.test('what a file of the user has already stays', async t => {
  const { home, dir, connect } = folders(t)
  const files = {
    [join(home, '.config/goose/config.yaml')]:
      '# mine\nGOOSE_MODE: auto # always\nextensions:\n  developer:\n    enabled: true\n',
    [join(dir, '.vscode/mcp.json')]: '{\n  // mine\n  "servers": { "files": { "command": "files" } }\n}\n'
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const client of ['goose', 'vscode']) t.equal((await connect(client)).code, 0)
  for (const path of Object.keys(files)) {
    t.match(readFileSync(path, 'utf8'), /\bmine\b/, 'its comments')
  }
  t.match(read(join(home, '.config/goose/config.yaml')), {
    GOOSE_MODE: 'auto',
    extensions: { developer: { enabled: true }, tracker: {} }
  })
  t.match(readFileSync(join(home, '.config/goose/config.yaml'), 'utf8'), '# always')
  t.match(readFileSync(join(dir, '.vscode/mcp.json'), 'utf8'), /"command": "files"[^]*"tracker"/)
  for (const [text, message] of [
    ['a: [', /is not valid YAML/],
    ['- a', /is not a YAML mapping/],
    ['extensions: 1', /'extensions' that are not a mapping/],
    ['extensions: {tracker: {cmd: bugs}}', /another MCP server that is called 'tracker'/]
  ] as const) {
    writeFileSync(join(home, '.config/goose/config.yaml'), text)
    t.match(await connect('goose'), { code: 1, err: message })
  }
})

t.test('amp and gemini are allowed to call the tools without asking', async t => {
  const { dir, connect } = folders(t)
  for (const client of ['amp', 'gemini']) t.equal((await connect(client, '--allow-tools')).code, 0)
  t.match(read(join(dir, '.amp/settings.json')), {
    'amp.permissions': [{ tool: 'mcp__tracker__*', action: 'allow' }]
  })
  t.match(read(join(dir, '.gemini/settings.json')), { mcpServers: { tracker: { trust: true } } })
})

t.test('everybody can read how clients are connected, and the script does so without a checkout', async t => {
  const listed = await server.app.inject('/v1/connect')
  t.strictSame(
    (listed.json() as Array<{ client: string }>).map(({ client }) => client),
    CLIENT_NAMES
  )
  t.match((await server.app.inject('/v1/connect/emacs.sh')).json(), { message: /There is no such script/ })
  for (const client of CLIENT_NAMES) {
    const { dir, home } = folders(t)
    const script = await server.app.inject(`/v1/connect/${client}.sh`)
    t.match(script.headers['content-type'], 'text/x-shellscript')
    const shell = () => run('sh', ['-c', script.body], { cwd: dir, env: { PATH: process.env['PATH'], HOME: home } })
    t.match((await shell()).stdout, /^created [^\n]+\n/)
    const byScript = FILES[client]
    if (byScript) t.strictSame(read(join(byScript.isInHome ? home : dir, byScript.path)), byScript.content)
    t.match((await shell()).stdout, /^unchanged /)
    const printed = await runInProcess(server, ['connect', client, '--dir', dir, '--url', URL_], { HOME: home })
    t.match(printed.out, /^unchanged /, 'it writes what the command writes')
  }
})

t.test('the script leaves a file that exists, and prints what to add', async t => {
  const { dir, home } = folders(t)
  writeFileSync(join(dir, '.mcp.json'), '{}')
  const script = (await server.app.inject('/v1/connect/claude-code.sh?tools=core&allowTools=true')).body
  const { stdout } = await run('sh', ['-c', script], { cwd: dir, env: { PATH: process.env['PATH'], HOME: home } })
  t.match(
    stdout,
    /\.mcp\.json exists already\. Add this to it:\n\{[^]*\?tools=core[^]*created \.claude\/settings\.json/
  )
  t.equal(readFileSync(join(dir, '.mcp.json'), 'utf8'), '{}')
})

t.test('without tools a client without hooks has nothing to connect to', async t => {
  const bare = await testServer({ plugins: ENOUGH })
  t.teardown(() => bare.close())
  t.match(await runInProcess(bare, ['connect', 'zed', '--url', URL_]), { code: 1, err: /the plugin mcp is off/ })
  t.match((await bare.app.inject('/v1/connect/zed.sh')).body, 'This server has nothing to connect Zed to.')
})
