/* eslint no-template-curly-in-string: "off" -- the clients' own syntax for environment variables */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { parse } from '@decimalturn/toml-patch'
import t, { type Test } from 'tap'
import { commands } from '../../../core/api/points.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'
import { runInProcess, type Ended } from '../../../test/runner/run-in-process.ts'
import { HARNESSES, type Harness } from '../contract.ts'
import { ENOUGH, EVENTS, heard, hookServer, inputOf, type Event } from './client.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const root = new URL('../../..', import.meta.url).pathname
/** Nothing listens there. */
const URL_ = 'http://127.0.0.1:9/api'

const run = (
  file: string,
  args: string[],
  { cwd = root, env = {}, input = '' }: { cwd?: string; env?: Record<string, string>; input?: string } = {}
) =>
  new Promise<Ended>(resolve => {
    const child = execFile(file, args, { cwd, env: { PATH: process.env['PATH'], ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err })
    )
    child.stdin?.on('error', () => {}).end(input)
  })
const connectByProcess = (...args: string[]) => run(process.execPath, [...TRACKER_COMMAND, 'connect', ...args])
const connect = (...args: string[]) => runInProcess(server, ['connect', ...args])

let server: TestServer
t.before(async () => {
  server = await testServer({ plugins: [...ENOUGH, 'mcp'] })
})
t.teardown(() => {
  server.app.server.closeAllConnections()
  return server.close()
})

async function repository(t: Test, files: Record<string, string> = {}): Promise<string> {
  const dir = temporaryFolder(t)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}
async function filesIn(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.map(async path => [path.slice(dir.length + 1), await readFile(path, 'utf8')]))
  )
}
interface Handler {
  command: string
  timeout: number
}
interface Hooks {
  version?: number
  hooks: Record<string, Array<Handler & { hooks: Handler[] }>>
}
const json = <T = Hooks>(text: string | undefined) => JSON.parse(text ?? '') as T

const FILES: Record<Harness, { mcp: string; hooks: string; events: Partial<Record<string, Event>> }> = {
  'claude-code': {
    mcp: '.mcp.json',
    hooks: '.claude/settings.json',
    events: { SessionStart: 'session-start', UserPromptSubmit: 'prompt', Stop: 'stop' }
  },
  codex: {
    mcp: '.codex/config.toml',
    hooks: '.codex/hooks.json',
    events: { SessionStart: 'session-start', UserPromptSubmit: 'prompt', Stop: 'stop' }
  },
  cursor: {
    mcp: '.cursor/mcp.json',
    hooks: '.cursor/hooks.json',
    events: { sessionStart: 'session-start', stop: 'stop' }
  },
  gemini: {
    mcp: '.gemini/settings.json',
    hooks: '.gemini/settings.json',
    events: { SessionStart: 'session-start', BeforeAgent: 'prompt', AfterAgent: 'stop' }
  }
}
/** The lines that `connect` prints about the client's files. */
const outputOf = (harness: Harness, word: string): string =>
  [...new Set([FILES[harness].mcp, FILES[harness].hooks])].map(path => `${word} ${path}\n`).join('')
/** The commands of a client's hooks, by event. */
function commandsIn(harness: Harness, files: Record<string, string>): Map<Event, string> {
  const { hooks } = json(files[FILES[harness].hooks])
  return new Map(
    Object.entries(FILES[harness].events).map(([name, event]) => {
      const handlers = hooks[name]!.flatMap(entry => (harness === 'cursor' ? [entry] : entry.hooks))
      return [event!, handlers.find(({ command }) => command.includes(`/${event}?`))!.command]
    })
  )
}

t.test('connect writes the configuration that the client reads; repeated, it changes nothing', async t => {
  const dir = await repository(t)
  for (const harness of HARNESSES) {
    const { hooks, events } = FILES[harness]
    const first = await connectByProcess(harness, '--dir', dir, '--url', `${URL_}/`)
    t.match(first, { code: 0, out: outputOf(harness, 'created'), err: /TRACKER_TOKEN/ })
    const files = await filesIn(dir)
    t.strictSame(Object.keys(json(files[hooks]).hooks).sort(), Object.keys(events).sort())
    for (const [event, command] of commandsIn(harness, files)) {
      t.match(command, `'${URL_}/v1/agent-hooks/${event}?harness=${harness}'`)
    }
    t.match(await connect(harness, '--dir', dir, '--url', URL_), {
      code: 0,
      out: outputOf(harness, 'unchanged')
    })
    t.strictSame(await filesIn(dir), files)
  }
  const files = await filesIn(dir)
  const url = `${URL_}/v1/mcp`
  t.strictSame(json(files['.mcp.json']), {
    mcpServers: { tracker: { type: 'http', url, headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' } } }
  })
  t.strictSame(json(files['.cursor/mcp.json']), {
    mcpServers: { tracker: { url, headers: { Authorization: 'Bearer ${env:TRACKER_TOKEN}' } } }
  })
  t.match(parse(files['.codex/config.toml']!), {
    mcp_servers: { tracker: { url, bearer_token_env_var: 'TRACKER_TOKEN' } }
  })
  t.match(json(files['.gemini/settings.json']), {
    mcpServers: { tracker: { httpUrl: url, headers: { Authorization: 'Bearer $TRACKER_TOKEN' } } }
  })
  t.equal(json(files['.cursor/hooks.json']).version, 1)
})

t.test('with --tools core a client is listed the core tools, until it is connected with --tools all', async t => {
  const command = server.contributions(commands).find(({ item }) => item.name === 'connect')!.item
  const dir = await repository(t)
  const addresses = async () => {
    const files = await filesIn(dir)
    return [
      json<{ mcpServers: { tracker: { url: string } } }>(files['.mcp.json']).mcpServers.tracker.url,
      (parse(files['.codex/config.toml']!) as { mcp_servers: { tracker: { url: string } } }).mcp_servers.tracker.url,
      json<{ mcpServers: { tracker: { url: string } } }>(files['.cursor/mcp.json']).mcpServers.tracker.url,
      json<{ mcpServers: { tracker: { httpUrl: string } } }>(files['.gemini/settings.json']).mcpServers.tracker.httpUrl
    ]
  }
  const all = `${URL_}/v1/mcp`
  for (const [args, address] of [
    [['--tools', 'core'], `${all}?tools=core`],
    [[], `${all}?tools=core`],
    [['--tools', 'all'], all]
  ] as const) {
    for (const harness of HARNESSES) await command.run([harness, '--dir', dir, '--url', URL_, ...args])
    t.strictSame(
      await addresses(),
      HARNESSES.map(() => address),
      args.join(' ')
    )
  }
  await t.rejects(command.run(['codex', '--dir', dir, '--tools', 'few']), { message: /--tools is all or core/ })
})

t.test('with --allow-tools a client may call the tools without asking, and again nothing changes', async t => {
  const dir = await repository(t, { '.claude/settings.json': '{ "permissions": { "allow": ["Bash(ls:*)"] } }' })
  for (const times of ['once', 'again']) {
    for (const [harness, flags] of [
      ['claude-code', '--mcp-config .mcp.json --allowedTools mcp__tracker'],
      ['codex', 'codex exec --trust'],
      ['cursor', '--approve-mcps --force'],
      ['gemini', 'GEMINI_CLI_TRUST_WORKSPACE=true']
    ] as const) {
      const { code, err } = await connect(harness, '--dir', dir, '--url', URL_, '--allow-tools')
      t.equal(code, 0)
      t.ok(err.includes(flags), `${harness} says what a machine needs on which nobody trusted the folder`)
    }
    const files = await filesIn(dir)
    t.match(json(files['.claude/settings.json']), { permissions: { allow: ['Bash(ls:*)', 'mcp__tracker'] } }, times)
    t.match(parse(files['.codex/config.toml']!), {
      mcp_servers: { tracker: { default_tools_approval_mode: 'approve' } }
    })
    t.match(files['.codex/config.toml'], /^\[mcp_servers\.tracker\]\n[^[]*\n$/, 'one table, and no empty one around it')
    t.match(json(files['.cursor/mcp.json']), { mcpServers: { tracker: {} } })
  }
})

t.test('without --allow-tools no permission is given, and the option is offered', async t => {
  const dir = await repository(t)
  for (const harness of HARNESSES) {
    t.match((await connect(harness, '--dir', dir, '--url', URL_)).err, /--allow-tools/)
  }
  const files = await filesIn(dir)
  t.notMatch(files['.claude/settings.json'], 'permissions')
  t.notMatch(files['.codex/config.toml'], 'approval')
})

t.test('the token is in no command’s arguments, which everybody on the machine may see', async t => {
  const dir = await repository(t)
  await writeFile(join(dir, 'curl'), '#!/bin/sh\necho "$@" > arguments; cat /dev/fd/3 > config\n', { mode: 0o755 })
  for (const harness of HARNESSES) {
    t.equal((await connect(harness, '--dir', dir, '--url', 'http://127.0.0.1:9')).code, 0)
    const command = commandsIn(harness, await filesIn(dir)).get('session-start')!
    await run('sh', ['-c', command], {
      cwd: dir,
      env: { TRACKER_TOKEN: 'trk_secret', PATH: `${dir}:${process.env['PATH']}` },
      input: '{}'
    })
    t.match(await readFile(join(dir, 'arguments'), 'utf8'), /session-start/)
    t.notMatch(await readFile(join(dir, 'arguments'), 'utf8'), /trk_secret/)
    t.match(await readFile(join(dir, 'config'), 'utf8'), /^header = "Authorization: Bearer trk_secret"$/)
  }
})

t.test('the commands print the answer of the server, or {} without one', async t => {
  const hooks = await hookServer({ plugins: ENOUGH })
  t.teardown(() => {
    hooks.app.server.closeAllConnections()
    return hooks.close()
  })
  await hooks.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(hooks.app.server.address() as AddressInfo).port}`
  const dir = await repository(t)
  for (const harness of HARNESSES) {
    t.equal((await connect(harness, '--dir', dir, '--url', url)).code, 0)
    const worker = await hooks.worker(harness)
    const key = await worker.begin()
    const written = commandsIn(harness, await filesIn(dir))
    const say = async (event: Event, { token = worker.token, hereDocument = false } = {}) => {
      const input = JSON.stringify(inputOf(harness, event))
      const command = written.get(event)!
      const { out, code } = await run(
        'sh',
        hereDocument ? ['-c', `${command} <<'EOF'\n${input}\nEOF\n`] : ['-c', command],
        { env: { TRACKER_TOKEN: token }, input: hereDocument ? '' : input }
      )
      t.equal(code, 0)
      return heard(harness, event, JSON.parse(out))
    }
    t.match(await say('session-start'), key)
    hooks.clock.pass(20)
    t.equal(await say('stop', { token: 'nonsense' }), undefined, 'refused')
    for (const token of ['nonsense', '']) {
      const text = await say('session-start', { token })
      t.match(text, /^The tracker refuses the token in TRACKER_TOKEN, or there is none: tell the user [^\n]+$/)
    }
    t.match(await say('stop', { hereDocument: true }), key, 'the input may be appended to the command')
    if (harness === HARNESSES.at(-1)) {
      hooks.app.server.closeAllConnections()
      await hooks.app.close()
      for (const event of EVENTS) if (written.has(event)) t.equal(await say(event), undefined, 'nobody there')
    }
  }
})

t.test('the address that was written is printed, and it and the token are checked', async t => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const dir = await repository(t)
  const { token } = await server.agent('Robin')
  const said = async (address: string, env: Record<string, string> = {}) =>
    (await runInProcess(server, ['connect', 'codex', '--dir', dir, '--url', address], env)).err.split('\n').slice(0, 2)
  t.match(await said(url, { TRACKER_TOKEN: token }), [`The server is ${url}.`, /accepts the token: it is Robin’s/])
  t.match(await said(url, { TRACKER_TOKEN: 'trk_old' }), [`The server is ${url}.`, /refuses the token/])
  t.match(await said(url), [`The server is ${url}.`, /answers.*not checked/])
  t.match(await said(`${url}/docs`), [/docs/, /is not tracker/])
  t.match(await said(URL_), [`The server is ${URL_}.`, /Nothing answers/])
})

t.test('what a repository has already stays', async t => {
  const settings = [
    '{',
    '\t// mine',
    '\t"permissions": { "allow": ["Bash(ls:*)"] },',
    '\t"hooks": {',
    '\t\t"Stop": [',
    '\t\t\t{ "matcher": "", "hooks": [{ "type": "command", "command": "say done" }] }',
    '\t\t]',
    '\t}',
    '}',
    ''
  ].join('\r\n')
  const servers = '{ "mcpServers": { "files": { "command": "files", "args": ["."] } }, "other": [1] }'
  const toml = `# mine
model = "m" # the best

[mcp_servers.files] # keep
command = "files"
args = [ "a",   "b" ]

# the end
[profiles.x]
when = 2024-01-15
`
  const dir = await repository(t, {
    '.claude/settings.json': settings,
    '.mcp.json': servers,
    '.codex/config.toml': toml,
    '.cursor/hooks.json':
      '{"version":1,"hooks":{"stop":[{"command":"./mine.sh"}],"afterFileEdit":[{"command":"./fmt.sh"}]}}'
  })
  for (const harness of HARNESSES) t.equal((await connect(harness, '--dir', dir, '--url', URL_)).code, 0)
  const files = await filesIn(dir)

  const changed = files['.claude/settings.json']!
  t.ok(
    changed.startsWith('{\r\n\t// mine\r\n\t"permissions": { "allow": ["Bash(ls:*)"] },\r\n\t"hooks": {\r\n'),
    'comments, indentation and line ends'
  )
  t.notMatch(changed, /[^\r]\n/)
  const { hooks } = json(changed.replace('// mine', ''))
  t.strictSame(hooks['Stop']![0], { matcher: '', hooks: [{ type: 'command', command: 'say done' }] })
  t.strictSame(
    Object.entries(hooks).map(([event, groups]) => [event, groups.length]),
    [
      ['Stop', 2],
      ['SessionStart', 1],
      ['UserPromptSubmit', 1]
    ]
  )
  t.match(json(files['.mcp.json']), {
    mcpServers: { files: { command: 'files', args: ['.'] }, tracker: { type: 'http' } },
    other: [1]
  })
  t.match(json(files['.cursor/hooks.json']).hooks, {
    stop: [{ command: './mine.sh' }, { timeout: 15 }],
    afterFileEdit: [{ command: './fmt.sh' }]
  })
  const lines = files['.codex/config.toml']!.split('\n')
  for (const line of toml.split('\n')) t.ok(lines.includes(line), line)
  t.match(parse(files['.codex/config.toml']!), {
    model: 'm',
    mcp_servers: { files: { args: ['a', 'b'] }, tracker: { url: `${URL_}/v1/mcp` } }
  })
})

t.test('files stay files that clients read', async t => {
  const dir = await repository(t, {
    // TOML allows trailing commas only in lists.
    '.codex/config.toml': '[mcp_servers.other]\ncommand = "y"\nargs = [\n  "a", # first\n]\n',
    '.claude/settings.json': '\uFEFF{"model": "x"}\n'
  })
  t.equal((await connect('codex', '--dir', dir, '--url', URL_)).code, 0)
  t.equal((await connect('claude-code', '--dir', dir, '--url', URL_)).code, 0)
  const files = await filesIn(dir)
  t.match(files['.codex/config.toml'], /bearer_token_env_var = "TRACKER_TOKEN" ?\}?\n/)
  t.match(files['.claude/settings.json'], /^\uFEFF\{\n/)
})

t.test('of files that cannot be written back as they are, or not at all, none is written', async t => {
  const dir = await repository(t)
  const settings = join(dir, '.claude/settings.json')
  await mkdir(dirname(settings))
  await writeFile(settings, Buffer.from('{"name": "Gr\u00fcn"}', 'latin1'))
  t.match(await connect('claude-code', '--dir', dir, '--url', URL_), { code: 1, err: /settings\.json is not UTF-8/ })
  t.same(await readdir(dir), ['.claude'])
  if (process.getuid?.() === 0) return // who may write everything
  await writeFile(settings, '{}')
  await chmod(settings, 0o444)
  t.match(await connect('claude-code', '--dir', dir, '--url', URL_), { code: 1, err: /cannot be written \(EACCES\)/ })
  t.same(await readdir(dir), ['.claude'])
})

t.test('a server that has moved is followed; what the user made of an entry stays', async t => {
  const stop = {
    type: 'http',
    url: 'https://old.example.com/v1/agent-hooks/stop?harness=claude-code',
    timeout: 3
  }
  const prompt = {
    type: 'command',
    command: 'curl -d @- $TRACKER_URL/v1/agent-hooks/prompt?harness=claude-code'
  }
  const mine = JSON.stringify({ hooks: { Stop: [{ hooks: [stop] }], UserPromptSubmit: [{ hooks: [prompt] }] } })
  const dir = await repository(t, {
    '.claude/settings.json': mine,
    '.mcp.json': JSON.stringify({
      mcpServers: {
        tracker: {
          url: 'https://old.example.com/v1/mcp',
          headers: { Authorization: 'Bearer ${MINE}' },
          alwaysLoad: true
        }
      }
    }),
    '.codex/config.toml':
      '[mcp_servers.tracker]\nurl = "https://old.example.com/v1/mcp" # ours\nstartup_timeout_sec = 3\n',
    '.cursor/mcp.json': '{"mcpServers":{"tracker":{"url":"${env:TRACKER_URL}/v1/mcp","headers":{}}}}'
  })
  for (const harness of HARNESSES) t.equal((await connect(harness, '--dir', dir, '--url', URL_)).code, 0)
  const files = await filesIn(dir)
  t.match(json(files['.mcp.json']), {
    mcpServers: { tracker: { url: `${URL_}/v1/mcp`, headers: { Authorization: 'Bearer ${MINE}' }, alwaysLoad: true } }
  })
  t.match(files['.codex/config.toml'], `url = "${URL_}/v1/mcp" # ours\nstartup_timeout_sec = 3\n`)
  t.match(files['.cursor/mcp.json'], '"url":"${env:TRACKER_URL}/v1/mcp","headers":{}')
  const { hooks } = json(files['.claude/settings.json'])
  t.strictSame(hooks['Stop'], [
    { hooks: [{ type: 'http', url: `${URL_}/v1/agent-hooks/stop?harness=claude-code`, timeout: 3 }] }
  ])
  t.match(hooks['UserPromptSubmit'], [
    { hooks: [{ command: 'curl -d @- $TRACKER_URL/v1/agent-hooks/prompt?harness=claude-code' }] }
  ])
  t.equal(hooks['SessionStart']?.length, 1)
})

t.test('a file that cannot be changed is reported, and nothing is written', async t => {
  const command = server.contributions(commands).find(({ item }) => item.name === 'connect')!.item
  const cases: Array<[Harness, string, string, RegExp]> = [
    ['claude-code', '.claude/settings.json', '{"hooks":{"Stop":{}}}', /'Stop' that are not a list/],
    ['claude-code', '.mcp.json', '[]', /\.mcp\.json is not a JSON object/],
    [
      'claude-code',
      '.mcp.json',
      '{"mcpServers":{"tracker":{"command":"bugs"}}}',
      /another MCP server that is called 'tracker'/
    ],
    ['codex', '.codex/config.toml', 'a = = 1\n', /\.codex\/config\.toml is not valid TOML \(.+\)/],
    ['codex', '.codex/config.toml', 'mcp_servers = 1\n', /not a table/],
    ['cursor', '.cursor/mcp.json', '{"mcpServers":[]}', /'mcpServers' that is not an object/],
    ['cursor', '.cursor/hooks.json', '{"hooks":1}', /'hooks' that are not an object/]
  ]
  for (const [harness, path, text, message] of cases) {
    const dir = await repository(t, { [path]: text })
    await t.rejects(command.run([harness, '--dir', dir, '--url', URL_]), { message }, `${path} ${text}`)
    t.strictSame(await filesIn(dir), { [path]: text })
  }
  const dir = await repository(t, { 'a-file': '' })
  const wrong: Array<[string[], RegExp]> = [
    [[], /claude-code \| codex \| cursor/],
    [['emacs'], /claude-code \| codex \| cursor/],
    [['codex', '--dir', join(dir, 'a-file')], /There is no folder .*--dir/],
    [['codex', '--dir', dir, '--url', "http://x/'; rm -rf ."], /not the address of a server/],
    [['codex', '--dir', dir, '--url', 'ftp://x'], /not the address of a server/]
  ]
  for (const [args, message] of wrong) await t.rejects(command.run(args), { message }, args.join(' '))
  t.strictSame(await filesIn(dir), { 'a-file': '' })

  const broken = { '.claude/settings.json': '{\n "hooks": {\n' }
  const repo = await repository(t, broken)
  t.match(
    await connectByProcess('claude-code', '--dir', repo, '--url', URL_),
    {
      code: 1,
      out: '',
      err: /^\.claude\/settings\.json is not valid JSON \(\w+ in line 3\)\. Mend it .*nothing was written\.\n$/
    },
    'as its user sees it'
  )
  t.strictSame(await filesIn(repo), broken)
})

t.test('from npm, the folder is the one it was called in, and the server this one', async t => {
  const dir = await repository(t)
  const env = {
    npm_lifecycle_event: 'tracker',
    INIT_CWD: dir,
    PORT: '4711',
    TRACKER_PLUGINS__MCP__ENABLED: 'false',
    TRACKER_PLUGINS__SKILLS__ENABLED: 'false'
  }
  const { code, out } = await run(process.execPath, [...TRACKER_COMMAND, 'connect', 'codex'], { env })
  t.strictSame([code, out], [0, 'created .codex/hooks.json\n'], 'no MCP server where it is off')
  t.match((await filesIn(dir))['.codex/hooks.json'], 'http://127.0.0.1:4711/v1/agent-hooks/stop')
})
