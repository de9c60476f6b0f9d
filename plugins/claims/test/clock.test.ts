import t from 'tap'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onPostgres, TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'

const HOUR = 3_600_000
/** A module that puts the clock of its process ahead. */
const AHEAD = `data:text/javascript,${encodeURIComponent(`
  const Real = Date, ahead = ${3 * HOUR}
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given) }
    static now() { return Real.now() + ahead }
  }`)}`

interface Answer {
  status: number
  body: { id: string; token: string; createdAt: string; issue: null; issues: object[]; claim: { expiresAt: string } }
}
async function ask(url: string, token: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

const skip = onPostgres ? false : 'the embedded database has the clock of its process'
t.test("claims are judged by the database's clock, also by a process whose own is hours ahead", { skip }, async t => {
  const database = await migratedDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  const admin = newToken()
  const env = {
    TRACKER_ADMIN_TOKEN: admin,
    ...database.env,
    ...onlyPlugins('workspace', 'agents', 'events', 'issues', 'claims')
  }
  const right = await startProcess(env)
  t.teardown(() => right.end('SIGKILL'))
  const [holder, other] = await Promise.all(
    ['Holder', 'Other'].map(async name => (await ask(right.url, admin, '/v1/users/agents', { name })).body)
  )
  const file = async () => {
    const descriptionMarkdown = 'The exporter loses the zone of every date.\n\n- [ ] dates keep their zone'
    return (await ask(right.url, admin, '/v1/issues', { teamId: 'ENG', title: 'Zones', descriptionMarkdown })).body.id
  }
  const id = await file()
  t.equal((await ask(right.url, holder!.token, `/v1/issues/${id}/pick_up`, {})).status, 200)

  // It announces what has lapsed when it starts.
  const ahead = await startProcess({ ...env, NODE_OPTIONS: `--import ${AHEAD}` })
  t.teardown(() => ahead.end('SIGKILL'))
  const { createdAt } = (await ask(ahead.url, admin, '/v1/issues', { teamId: 'ENG', title: 'Later' })).body
  t.ok(Date.parse(createdAt) > Date.now() + 2 * HOUR, 'its clock is ahead')
  t.equal((await ask(ahead.url, other!.token, `/v1/issues/${id}/pick_up`, {})).status, 409, 'the claim has not lapsed')
  t.strictSame((await ask(ahead.url, other!.token, '/v1/issues/ready')).body.issues, [])
  t.equal((await ask(ahead.url, other!.token, '/v1/issues/pick_up_next', {})).body.issue, null)
  const { body } = await ask(ahead.url, admin, `/v1/events?issueId=${id}`)
  t.notMatch(JSON.stringify(body), /claim\.lapsed/)

  const next = await file()
  t.equal((await ask(ahead.url, other!.token, `/v1/issues/${next}/pick_up`, {})).status, 200)
  const { claim } = (await ask(right.url, admin, `/v1/issues/${next}/context`)).body
  t.ok(Date.parse(claim.expiresAt) < Date.now() + 2.1 * HOUR, 'what it gives ends when it should')
})
