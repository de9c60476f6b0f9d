import t from 'tap'
import { delegate, isOver, PLUGINS, reaches, readyIssue, serverWith, type RunAnswer } from './helpers.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { assertRunners, matchingRunners, runnersOf, type Runner } from '../runners/runners.ts'

const runner = (more: Partial<Runner> = {}): Runner => ({
  command: ['true'],
  env: {},
  timeoutSeconds: 60,
  concurrency: 1,
  ...more
})
const of = (labels: string[], team = 'ENG', requester = 'Ada') => ({ labels, team: [team, `${team} team`], requester })

t.test('an issue may get the runners whose conditions all hold, those with most conditions first', async t => {
  const runners = runnersOf({
    runner: runner(),
    runners: {
      back: runner({ labels: ['backend', 'api'] }),
      ops: runner({ teams: ['OPS'] }),
      both: runner({ labels: ['Backend'], teams: ['eng'] }),
      named: runner({ teams: ['OPS team'], agents: ['ada'] })
    }
  })
  t.strictSame(matchingRunners(runners, of([])), ['default'])
  t.strictSame(matchingRunners(runners, of(['API'])), ['back', 'default'])
  t.strictSame(matchingRunners(runners, of(['backend'])), ['both', 'back', 'default'])
  t.strictSame(matchingRunners(runners, of([], 'OPS')), ['named', 'ops', 'default'])
  t.strictSame(matchingRunners(runners, of([], 'OPS', 'Ben')), ['ops', 'default'])
  const { default: _, ...rest } = Object.fromEntries(runners)
  t.strictSame(matchingRunners(runnersOf({ runners: rest }), of([])), [], 'without a default one')
})

t.test('settings that contradict each other are refused with a sentence', async t => {
  t.throws(
    () => assertRunners({ runner: runner(), runners: { default: runner() } }),
    /rename plugins.delegation.runners/
  )
  t.throws(() => assertRunners({ runners: { 'Co dex': runner() } }), /'Co dex' is no name of a runner/)
  t.doesNotThrow(() => assertRunners({ runners: { default: runner() } }))
  const start = (delegation: object) => testServer({ plugins: PLUGINS, settings: { plugins: { delegation } } })
  await t.rejects(start({ runners: { x: { command: [] } } }), /runners/)
  await t.rejects(start({ runners: { x: { command: ['true'], label: ['a'] } } }), /runners/)
  await t.rejects(start({ runners: { 'X y': { command: ['true'] } } }), /is no name of a runner/)
})

const said = (words: string) => ({ command: ['sh', '-c', words], env: {} })

t.test('a run gets the runner that matches best, or the one that is named, and keeps it', async t => {
  const runners = {
    back: { ...said('echo "of back"'), labels: ['backend'] },
    slow: { ...said('sleep 600'), labels: ['slow'] }
  }
  const server = await serverWith('echo "of default"', { delegation: { leaseSeconds: 60, runners } })
  t.teardown(() => server.close())
  const make = async (label?: string) => (await readyIssue(server, label === undefined ? {} : { labels: [label] })).key
  for (const name of ['backend', 'slow']) await server.ok('/v1/labels', { body: { name } })
  const [slow, back] = [await make('slow'), await make('backend')]
  t.strictSame(await server.ok(`/v1/agent_runners?issueId=${back}`), [{ name: 'back' }, { name: 'default' }])
  const stuck = await delegate(server, slow)
  await reaches(server, stuck.id, 'RUNNING')
  const first = await delegate(server, back)
  t.match(first, { runner: 'back' })
  t.match(await isOver(server, first.id), { runner: 'back', summary: 'of back' }, 'it does not wait for another runner')

  const other = await make('backend')
  const refused = await server.call('/v1/agent_runs', { body: { issueId: other, runner: 'slow' } })
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), { message: `${other} may get these runners: back, default.` })
  const chosen = await server.ok<RunAnswer>('/v1/agent_runs', { body: { issueId: other, runner: 'default' } })
  t.match(await isOver(server, chosen.id), { runner: 'default', summary: 'of default' })
  const again = await server.ok<RunAnswer>(`/v1/agent_runs/${chosen.id}/retry`, { body: {} })
  t.match(again, { runner: 'default' }, 'another attempt keeps it')
  await isOver(server, again.id)
})

t.test('without a runner for an issue nothing is requested', async t => {
  const runners = { ops: { ...said('true'), teams: ['OPS'] } }
  const server = await testServer({ plugins: PLUGINS, settings: { plugins: { delegation: { runners } } } })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const refused = await server.call('/v1/agent_runs', { body: { issueId: key } })
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'NOT_CONFIGURED', message: new RegExp(`^No runner is for ${key}`) })
})
