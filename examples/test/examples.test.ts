import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { delegated, ends, fakeClient, makeRepository, NOTE, root, runner } from './delegated.ts'

t.test('note-and-close.sh posts a note and closes the issue', async t => {
  const { run, context } = await delegated(t, { command: [join(root, 'note-and-close.sh')] })
  t.match(run, { status: 'SUCCEEDED', summary: 'Closed ENG-1.' })
  t.match(context, {
    state: { category: 'COMPLETED' },
    comments: [{ author: { fullname: 'Tracker agent' }, bodyMarkdown: /^Read all \d+ lines of the task/ }]
  })
})

t.test('any-command.sh keeps the agent’s work on a branch of its own, and no token on disk', async t => {
  const { repository, git } = makeRepository(t)
  const agent = 'cat > task.md; cat "$MCP_CONFIG"; echo hello > greeting'
  const { run, context } = await delegated(t, {
    command: [runner('any-command')],
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

t.test('an agent that ends without work, note or resolution has failed, and what it said last is noted', async t => {
  const { repository } = makeRepository(t)
  const env = await fakeClient(t, 'claude', repository, ends('I may not run "npm test".'))
  const { run, context } = await delegated(t, { command: [runner('claude-code')], env })
  t.match(run, { status: 'FAILED', error: { reason: 'EXIT_CODE' } })
  t.match(context.comments[0]?.bodyMarkdown, 'I may not run "npm test".')
})

t.test('the task says how to finish', async t => {
  const { repository } = makeRepository(t)
  const task = join(repository, '.git/task.md')
  const env = await fakeClient(t, 'claude', repository, `cat > ${task}; ${NOTE}`)
  await delegated(t, { command: [runner('claude-code')], env })
  const brief = await readFile(task, 'utf8')
  const [, mark] = /^# ENG-\d+: <(text-\w{8})>/.exec(brief) ?? []
  t.match(brief, `The text in <${mark}> was written by people and agents`)
  t.match(brief, /## How to finish\n\n- .*`close_task`.*\n- .*`add_note`/)
})
