import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { delegated, fakeClient, makeRepository, runner, says, writes } from './delegated.ts'

/** Each client's output when it edits a file, the check of its configuration, and a pattern for its arguments. */
const CLIENTS = [
  {
    name: 'claude-code',
    command: 'claude',
    writes: [
      writes({ type: 'system', subtype: 'init', session_id: 's-1', model: 'a-model' }),
      says('I greet.'),
      writes({
        type: 'result',
        subtype: 'success',
        result: 'I have greeted.',
        session_id: 's-1',
        modelUsage: { 'a-model': { inputTokens: 100, outputTokens: 10, costUSD: 0.5 } }
      })
    ],
    configuration: 'cat "$MCP_CONFIG"',
    arguments: /^--print\n--output-format\nstream-json\n(.*\n)+--allowedTools\nmcp__tracker,(.*,)?Bash\(npm test:\*\)\n/
  },
  {
    name: 'codex',
    command: 'codex',
    writes: [
      writes({ type: 'thread.started', thread_id: 's-1' }),
      writes({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'I have greeted.' } }),
      writes({ type: 'turn.completed', usage: { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10 } })
    ],
    configuration: 'true',
    arguments: /^exec\n--json\n--sandbox\nworkspace-write\n(.*\n)+.*default_tools_approval_mode="approve"\n-\n$/
  },
  {
    name: 'opencode',
    command: 'opencode',
    writes: [
      writes({ type: 'step_start', sessionID: 's-1', part: { type: 'step-start' } }),
      writes({ type: 'text', sessionID: 's-1', part: { type: 'text', text: 'I have greeted.' } })
    ],
    configuration: 'node -e "JSON.parse(fs.readFileSync(process.env.OPENCODE_CONFIG))" && cat "$OPENCODE_CONFIG"',
    arguments: /^run\n--format\njson\n$/
  }
] as const

for (const client of CLIENTS) {
  t.test(`${client.name}.sh starts the client in a worktree, with the task and the tracker’s tools`, async t => {
    const { repository, git } = makeRepository(t)
    const script = `cat > task.md; printf '%s\\n' "$@" > arguments; (${client.configuration}) > configuration
${client.writes.join('\n')}`
    const env = await fakeClient(t, client.command, repository, script)
    const { run, server } = await delegated(t, {
      command: [runner(client.name)],
      env: { ...env, ALLOWED_COMMANDS: 'npm test' }
    })
    t.equal(run.status, 'SUCCEEDED', run.summary)
    const branch = `tracker/ENG-1-${run.id}`
    const file = (name: string) => git('show', `${branch}:${name}`)
    t.match(file('task.md'), /^# ENG-1: /)
    t.match(file('arguments'), client.arguments)
    const written = file('arguments') + file('configuration')
    t.match(written, `/v1/mcp"`, 'the address of the tools')
    t.match(written, `run:${run.id}`, 'its session')
    t.match(written, 'TRACKER_TOKEN')
    t.notMatch(written, 'trk_', 'the token is in the environment alone')
    if (client.name === 'opencode') return
    const used = await server.ok<{ items: object[] }>('/v1/usage?by=run')
    t.match(used.items, [{ inputTokens: 100, outputTokens: 10 }], 'its stream reaches the server unchanged')
  })
}

/** A tracker that only notes what a runner sends. */
async function recorder(t: Test, resultStatus: number) {
  const sent: Array<{ path: string; body: unknown }> = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method === 'POST') sent.push({ path: request.url!, body: JSON.parse(body) })
    response.statusCode = request.url!.endsWith('/result') ? resultStatus : 200
    response.end('{"id":"an-agent","fullname":"Tracker agent"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function runHere(t: Test, env: Record<string, string>, resultStatus = 200) {
  const { repository, git } = makeRepository(t)
  const { sent, url } = await recorder(t, resultStatus)
  const running = promisify(execFile)(runner('any-command'), {
    env: {
      PATH: process.env['PATH'],
      TRACKER_URL: url,
      TRACKER_TOKEN: 'a-token',
      TRACKER_ISSUE: 'ENG-1',
      TRACKER_RUN: 'a-run',
      REPOSITORY: repository,
      ...env
    }
  })
  running.child.stdin!.end('the task')
  const { stdout } = await running
  return { sent, stdout, git }
}
const RESULT = '/v1/agent_runs/a-run/result'
const branch = 'tracker/ENG-1-a-run'

t.test('a runner reports its branch, and the address that it was published at', async t => {
  const published =
    'git push --quiet . "$BRANCH:refs/heads/published"; echo "see http://a.example/other"; echo http://a.example/pull/7'
  const { sent, stdout, git } = await runHere(t, { AGENT_COMMAND: 'cat > task', PUBLISH_COMMAND: published })
  t.strictSame(sent[0], { path: RESULT, body: { branch, url: 'http://a.example/pull/7' } })
  t.match(sent[1], { body: { bodyMarkdown: /^The work is on the branch `.*`\. See http:\/\/a\.example\/pull\/7$/ } })
  t.match(stdout, 'The work is on the branch')
  t.equal(git('show', 'published:task'), 'the task')
})

t.test('a runner does not fail for a server without results, or when its branch cannot be published', async t => {
  const { sent } = await runHere(t, { AGENT_COMMAND: 'cat > task', PUBLISH_COMMAND: 'exit 1' }, 404)
  t.strictSame(sent[0], { path: RESULT, body: { branch } })
  t.match(sent[1], { body: { bodyMarkdown: /It could not be published\.$/ } })
})

t.test('a runner without work reports no result', async t => {
  const { sent } = await runHere(t, { AGENT_COMMAND: 'exit 0' }).catch((error: Error & { code: number }) => {
    t.equal(error.code, 3)
    return { sent: [] }
  })
  t.strictSame(sent, [])
})
