import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'

const plugins = ['workspace', 'issues', 'comments', 'transfer', 'events']
const issue = { kind: 'issue', externalId: 'i-1', team: 'ENG', title: 'Task', state: 'Todo' }
const comment = { kind: 'comment', externalId: 'c-1', issue: 'i-1', bodyMarkdown: 'Which zone?' }

t.test('the event of an imported question names its addressees', async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  await server.ok('/v1/users', { body: { email: 'ada@example.org', fullname: 'Ada', role: 'MEMBER' } })
  const { read } = await transferOf(server)
  const question = { status: 'OPEN', to: ['ada@example.org'] }
  t.strictSame((await read([issue, { ...comment, question }])).skipped, [])
  const { events } = await server.ok<{ events: object[] }>('/v1/events?types=question.asked')
  t.match(events, [{ data: { to: [{ fullname: 'Ada' }] } }])
})

const skip = onPostgres ? false : 'the embedded database has one connection'
t.test('an import that changes a comment waits for other changes of its issue', { skip }, async t => {
  const server = await testServer({ plugins })
  t.teardown(() => server.close())
  const { readAs } = await transferOf(server)
  await readAs('jira', [issue, comment])
  const { db } = server.database
  let isDone = false
  const waits = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }
  const { reading } = await db.transaction().execute(async trx => {
    await sql`select from issue for no key update`.execute(trx)
    const reading = readAs('jira', [issue, { ...comment, bodyMarkdown: 'Which time zone?' }]).then(report => {
      isDone = true
      return report
    })
    while (!(await waits())) {
      if (isDone) break
      await sleep(20)
    }
    t.equal(isDone, false)
    return { reading }
  })
  t.match(await reading, { updated: { comment: 1 } })
})
