import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testServer } from '../../test/harness.ts'

const root = new URL('..', import.meta.url).pathname

/** Delegates an issue to the runner, waits for the end, and returns the run and the issue's context. */
async function delegated(t: Test, runner: { command: string[]; env?: Record<string, string> }) {
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
  const { id } = await server.ok('/v1/agent_runs', { body: { issueId: issue.key } })
  for (;;) {
    const run = await server.ok<{ id: string; status: string; summary: string; finishedAt: string | null }>(
      `/v1/agent_runs/${id}`
    )
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

t.test('note-and-close.sh posts a note and closes the issue', async t => {
  const { run, context } = await delegated(t, { command: [join(root, 'note-and-close.sh')] })
  t.match(run, { status: 'SUCCEEDED', summary: 'Closed ENG-1.' })
  t.match(context, {
    state: { category: 'COMPLETED' },
    comments: [{ author: { fullname: 'Tracker agent' }, bodyMarkdown: /^Read all \d+ lines of the task/ }]
  })
})

t.test('coding-agent.sh keeps the agent’s work on a branch of its own, and no token on disk', async t => {
  const repository = await mkdtemp(join(tmpdir(), 'tracker-repository-'))
  t.teardown(() => rm(repository, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      encoding: 'utf8'
    })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  const agent = 'cat > task.md; cat "$MCP_CONFIG"; echo hello > greeting'
  const { run, context } = await delegated(t, {
    command: [join(root, 'coding-agent.sh')],
    env: { REPOSITORY: repository, AGENT_COMMAND: agent }
  })
  t.equal(run.status, 'SUCCEEDED', run.summary)
  const branch = `tracker/ENG-1-${run.id}`
  t.equal(git('show', `${branch}:greeting`), 'hello\n')
  t.match(git('show', `${branch}:task.md`), /^# ENG-1: Greet/)
  t.match(run.summary, /"Authorization": "Bearer \$\{TRACKER_TOKEN\}"/, 'the client puts the token in')
  t.equal(context.comments[0]?.bodyMarkdown, `The work is on the branch \`${branch}\`.`)
  t.strictSame(
    (await readdir(repository)).filter(name => name !== '.git'),
    []
  )
  t.equal(git('worktree', 'list').trim().split('\n').length, 1, 'the worktree is gone')
})

t.test('coding-agent.sh leaves nothing behind when the agent did nothing', async t => {
  const repository = await mkdtemp(join(tmpdir(), 'tracker-repository-'))
  t.teardown(() => rm(repository, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      encoding: 'utf8'
    })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  const { run } = await delegated(t, {
    command: [join(root, 'coding-agent.sh')],
    env: { REPOSITORY: repository, AGENT_COMMAND: 'exit 7' }
  })
  t.match(run, { status: 'FAILED', error: { reason: 'EXIT_CODE', message: /7/ } })
  t.equal(git('branch', '--list', 'tracker/*'), '')
  t.equal(git('worktree', 'list').trim().split('\n').length, 1)
})
