import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { onPostgres, type TestServer } from '../../../test/runner/harness.ts'
import { isOver, readyIssue, serverWith } from './helpers.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

interface Row {
  id: string
  issueKey: string
  status: string
  requestedBy: { fullname: string }
}
const AUTOMATIC = { filters: { label: { filterType: 'INCLUDES', value: ['auto'] } } }

const listRuns = (server: TestServer) => server.ok<Row[]>('/v1/agent_runs')

/** Waits until `n` runs have ended, and for possible further ones. */
async function runsOver(server: TestServer, n: number): Promise<Row[]> {
  while ((await listRuns(server)).length < n) await sleep(50)
  for (const { id } of await listRuns(server)) await isOver(server, id)
  await server.idle()
  return listRuns(server)
}

async function labelled(server: TestServer): Promise<string[]> {
  const { id } = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'auto' } })
  return [id]
}

t.test('a ready issue that the filters select is taken up by itself, once, and no other', async t => {
  const server = await serverWith('echo could not do it', { delegation: { automatic: AUTOMATIC } })
  t.teardown(() => server.close())
  const labelIds = await labelled(server)
  await readyIssue(server)
  await readyIssue(server, { labelIds, descriptionMarkdown: 'Without a criterion it is not ready, whatever it says.' })
  const { key } = await readyIssue(server, { labelIds })
  const runs = await runsOver(server, 1)
  t.match(runs, [{ issueKey: key, status: 'SUCCEEDED', requestedBy: { fullname: 'Tracker agent' } }])
  await server.ok(`/v1/issues/${key}`, { body: { priority: 1 } })
  await server.idle()
  t.equal((await listRuns(server)).length, 1, 'though it was left open and changed, it is not taken up again')
})

t.test('the best issues come first, as many at once as the runner takes', async t => {
  const dir = temporaryFolder(t)
  const script = `[ ! -f ${dir}/busy ] || echo overlap >> ${dir}/order; touch ${dir}/busy
    echo "$TRACKER_ISSUE" >> ${dir}/order; rm ${dir}/busy`
  const server = await serverWith(script, { delegation: { automatic: AUTOMATIC } })
  t.teardown(() => server.close())
  const [first, ...others] = await Promise.all([0, 3, 1, 2].map(priority => readyIssue(server, { priority })))
  const body = {
    issues: [others[1]!, others[2]!, others[0]!, first!].map(({ id }) => ({ issueId: id, labels: ['auto'] }))
  }
  await labelled(server)
  await server.ok('/v1/issues/bulk_change', { body })
  await runsOver(server, 4)
  const order = (await readFile(join(dir, 'order'), 'utf8')).trim().split('\n')
  t.strictSame(
    order,
    [others[1], others[2], others[0], first].map(issue => issue!.key)
  )
})

t.test('no more runs begin in a day than the setting allows', async t => {
  const server = await serverWith('true', { delegation: { automatic: { ...AUTOMATIC, maxRunsPerDay: 2 } } })
  t.teardown(() => server.close())
  const labelIds = await labelled(server)
  await Promise.all([1, 2, 3].map(() => readyIssue(server, { labelIds })))
  t.equal((await runsOver(server, 2)).length, 2)
})

t.test(
  'two replicas take each issue up once',
  { skip: !onPostgres && 'needs TEST_DATABASE_URL: several servers share one database' },
  async t => {
    const delegation = { leaseSeconds: 60, automatic: AUTOMATIC }
    const one = await serverWith('true', { delegation, runner: { concurrency: 4 } })
    t.teardown(() => one.close())
    const two = await serverWith('true', { delegation, on: one, runner: { concurrency: 4 } })
    t.teardown(() => two.close())
    const labelIds = await labelled(one)
    const issues = await Promise.all(
      Array.from({ length: 8 }, (_, n) => readyIssue(n % 2 === 0 ? one : two, { labelIds }))
    )
    const runs = await runsOver(one, 8)
    t.strictSame(runs.map(({ issueKey }) => issueKey).sort(), issues.map(({ key }) => key).sort())
  }
)

t.test('without a runner the setting is refused at the start', async t => {
  await t.rejects(
    serverWith('true', { delegation: { automatic: AUTOMATIC, runner: undefined } }),
    /plugins\.delegation\.automatic needs plugins\.delegation\.runner/
  )
})
