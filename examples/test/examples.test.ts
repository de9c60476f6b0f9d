import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../test/runner/harness.ts'

const root = new URL('..', import.meta.url).pathname

interface Run {
  id: string
  status: string
  summary: string
  finishedAt: string | null
}
type Watch = (server: TestServer, runId: string) => Promise<void>

/** Delegates an issue to the runner, waits for the end, and returns the run and the issue's context. */
async function delegated(
  t: Test,
  runner: { command: string[]; env?: Record<string, string> },
  watch: Watch = async () => {}
) {
  const server = await testServer({ settings: { plugins: { delegation: { runner } } } })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const issue = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Greet',
      descriptionMarkdown: 'A file with a greeting is missing.\n\n- [ ] there is one'
    }
  })
  const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { body: { issueId: issue.key } })
  await watch(server, id)
  for (;;) {
    const run = await server.ok<Run>(`/v1/agent_runs/${id}`)
    if (run.finishedAt !== null) {
      return {
        run,
        issue,
        context: await server.ok<{ state: object; comments: Array<{ bodyMarkdown: string }> }>(
          `/v1/issues/${issue.id}/context`
        )
      }
    }
    await sleep(50)
  }
}

async function makeRepository(t: Test) {
  const repository = await mkdtemp(join(tmpdir(), 'tracker-repository-'))
  t.teardown(() => rm(repository, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      encoding: 'utf8'
    })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  return { repository, git }
}

/** The environment in which `claude` is this script, which gets its arguments and the task as the real one does. */
async function fakeClaude(t: Test, repository: string, script: string): Promise<Record<string, string>> {
  const folder = t.testdir()
  await writeFile(join(folder, 'claude'), `#!/bin/sh\nset -eu\n${script}\n`, { mode: 0o755 })
  return { REPOSITORY: repository, PATH: `${folder}:${process.env['PATH']}` }
}
const says = (text: string) =>
  `echo '${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}'`
const uses = (name: string, input: object) =>
  `echo '${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', name, input }] } })}'`
const ends = (result: string) => `echo '${JSON.stringify({ type: 'result', subtype: 'success', result })}'`
/** What the tool add_note does. */
const NOTE = `curl -sf -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json' \\
  "$TRACKER_URL/v1/issue_comments?issueId=$TRACKER_ISSUE" -d '{"bodyMarkdown": "It stands well."}' > /dev/null`
const eventsOf = async (server: TestServer, runId: string) => (await server.call(`/v1/agent_runs/${runId}/events`)).body

t.test('note-and-close.sh posts a note and closes the issue', async t => {
  const { run, context } = await delegated(t, { command: [join(root, 'note-and-close.sh')] })
  t.match(run, { status: 'SUCCEEDED', summary: 'Closed ENG-1.' })
  t.match(context, {
    state: { category: 'COMPLETED' },
    comments: [{ author: { fullname: 'Tracker agent' }, bodyMarkdown: /^Read all \d+ lines of the task/ }]
  })
})

t.test('coding-agent.sh keeps the agent’s work on a branch of its own, and no token on disk', async t => {
  const { repository, git } = await makeRepository(t)
  const agent = 'cat > task.md; cat "$MCP_CONFIG"; echo hello > greeting'
  const { run, context } = await delegated(t, {
    command: [join(root, 'coding-agent.sh')],
    env: { REPOSITORY: repository, AGENT_COMMAND: agent }
  })
  t.equal(run.status, 'SUCCEEDED', run.summary)
  const branch = `tracker/ENG-1-${run.id}`
  t.equal(git('show', `${branch}:greeting`), 'hello\n')
  t.match(git('show', `${branch}:task.md`), /^# ENG-1: <text-\w{8}>Greet</)
  t.match(run.summary, /"Authorization": "Bearer \$\{TRACKER_TOKEN\}"/, 'the client puts the token in')
  t.equal(context.comments[0]?.bodyMarkdown, `The work is on the branch \`${branch}\`.`)
  t.strictSame(
    (await readdir(repository)).filter(name => name !== '.git'),
    []
  )
  t.equal(git('worktree', 'list').trim().split('\n').length, 1, 'the worktree is gone')
})

t.test('coding-agent.sh leaves nothing behind when the agent did nothing', async t => {
  const { repository, git } = await makeRepository(t)
  const { run } = await delegated(t, {
    command: [join(root, 'coding-agent.sh')],
    env: { REPOSITORY: repository, AGENT_COMMAND: 'exit 7' }
  })
  t.match(run, { status: 'FAILED', error: { reason: 'EXIT_CODE', message: /7/ } })
  t.equal(git('branch', '--list', 'tracker/*'), '')
  t.equal(git('worktree', 'list').trim().split('\n').length, 1)
})

t.test('coding-agent.sh lets the agent run what the deployer allows, and commit', async t => {
  const { repository, git } = await makeRepository(t)
  const env = await fakeClaude(
    t,
    repository,
    `printf '%s\\n' "$@" > arguments; git add arguments; git commit --quiet --message 'By the agent'; ${NOTE}`
  )
  const { run } = await delegated(t, {
    command: [join(root, 'coding-agent.sh')],
    env: { ...env, ALLOWED_COMMANDS: 'npm test, npm run lint' }
  })
  t.equal(run.status, 'SUCCEEDED', run.summary)
  const branch = `tracker/ENG-1-${run.id}`
  t.match(git('log', '--format=%s', branch), /^By the agent\nfirst/)
  const allowed = /--allowedTools\n(.*)/.exec(git('show', `${branch}:arguments`))?.[1]?.split(',')
  t.strictSame(
    allowed?.filter(tool => !tool.includes('git')),
    ['mcp__tracker', 'Bash(npm test:*)', 'Bash(npm run lint:*)']
  )
  t.ok(allowed?.includes('Bash(git commit:*)'))
  t.notOk(allowed?.includes('Bash(git push:*)'))
})

t.test('coding-agent.sh shows what the agent says and does while it does it', async t => {
  const { repository } = await makeRepository(t)
  const go = join(repository, '.git/go')
  const env = await fakeClaude(
    t,
    repository,
    `${says('I look at the tests.')}; ${uses('Bash', { command: 'npm test' })}
while [ ! -f ${go} ]; do sleep 0.1; done; ${NOTE}; ${ends('All is done.')}`
  )
  let log = ''
  const { run } = await delegated(t, { command: [join(root, 'coding-agent.sh')], env }, async (server, runId) => {
    while (!log.includes('npm test')) log = await eventsOf(server, runId)
    await writeFile(go, '')
  })
  t.match(log, 'I look at the tests.')
  t.match(log, '> Bash {')
  t.notMatch(log, 'tool_use', 'it is readable, not the stream itself')
  t.equal(run.status, 'SUCCEEDED')
})

t.test('an agent that ends without work, note or resolution has failed, and what it said last is noted', async t => {
  const { repository } = await makeRepository(t)
  const env = await fakeClaude(t, repository, ends('I may not run "npm test".'))
  const { run, context } = await delegated(t, { command: [join(root, 'coding-agent.sh')], env })
  t.match(run, { status: 'FAILED', error: { reason: 'EXIT_CODE' } })
  t.match(context.comments[0]?.bodyMarkdown, 'I may not run "npm test".')
})

t.test('the task says how to finish', async t => {
  const { repository } = await makeRepository(t)
  const task = join(repository, '.git/task.md')
  const env = await fakeClaude(t, repository, `cat > ${task}; ${NOTE}`)
  await delegated(t, { command: [join(root, 'coding-agent.sh')], env })
  const brief = await readFile(task, 'utf8')
  const [, mark] = /^# ENG-\d+: <(text-\w{8})>/.exec(brief) ?? []
  t.match(brief, `The text in <${mark}> was written by people and agents`)
  t.match(brief, /## How to finish\n\n- .*`close_task`.*\n- .*`add_note`/)
})
