import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { delegated, ends, eventsOf, fakeClient, makeRepository, NOTE, runner, says, uses } from './delegated.ts'

t.test('any-command.sh leaves nothing behind when the agent did nothing', async t => {
  const { repository, git } = makeRepository(t)
  const { run } = await delegated(t, {
    command: [runner('any-command')],
    env: { REPOSITORY: repository, AGENT_COMMAND: 'exit 7' }
  })
  t.match(run, { status: 'FAILED', error: { reason: 'EXIT_CODE', message: /7/ } })
  t.equal(git('branch', '--list', 'tracker/*'), '')
  t.equal(git('worktree', 'list').trim().split('\n').length, 1)
})

t.test('claude-code.sh lets the agent run what the deployer allows, and commit', async t => {
  const { repository, git } = makeRepository(t)
  const env = await fakeClient(
    t,
    'claude',
    repository,
    `printf '%s\\n' "$@" > arguments; git add arguments; git commit --quiet --message 'By the agent'; ${NOTE}`
  )
  const { run } = await delegated(t, {
    command: [runner('claude-code')],
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

t.test('claude-code.sh shows what the agent says and does while it does it', async t => {
  const { repository } = makeRepository(t)
  const go = join(repository, '.git/go')
  const env = await fakeClient(
    t,
    'claude',
    repository,
    `${says('I look at the tests.')}; ${uses('Bash', { command: 'npm test' })}
while [ ! -f ${go} ]; do sleep 0.1; done; ${NOTE}; ${ends('All is done.')}`
  )
  let log = ''
  const { run } = await delegated(t, { command: [runner('claude-code')], env }, async (server, runId) => {
    while (!log.includes('npm test')) log = await eventsOf(server, runId)
    await writeFile(go, '')
  })
  t.match(log, 'I look at the tests.')
  t.equal(run.status, 'SUCCEEDED')
})
