import { randomUUID } from 'node:crypto'
import t from 'tap'
import { runCommand } from '../core/api/command.ts'
import { contract } from '../core/api/contract.ts'
import { listDeadLetters, noteAttempt, storeDeadLetter } from '../core/events/consumers/dead-letters.ts'
import { readLog } from '../core/events/read.ts'
import { definePlugin, dependsOn } from '../core/api/plugin.ts'
import { commands } from '../core/api/points.ts'
import { makeTerminal, processTerminal } from '../core/cli/terminal.ts'
import { testServer, type TestServer } from './runner/harness.ts'
import { runInProcess } from './runner/run-in-process.ts'

/* The command line of the event log. */

let server: TestServer
t.before(async () => {
  server = await testServer({
    plugins: ['workspace', 'events', 'issues', 'comments', 'search'],
    // Commands need no background workers.
    settings: { jobs: false }
  })
  for (const title of ['First', 'Second']) await server.ok('/v1/issues', { body: { teamId: 'ENG', title } })
})
t.teardown(() => server.close())

const tracker = (...args: string[]) => runInProcess(server, args)

/** Makes a dead letter of an event, as if search had failed to index it. @returns its id */
async function failIndexing(title: string): Promise<string> {
  const { db } = server.database
  const events = await readLog(db, { after: 0, upTo: 1_000, limit: 1_000 }, { types: ['issue.created'] })
  const event = events.find(({ data }) => 'title' in data && data.title === title)!
  const error = new Error('the index\nwas away')
  await storeDeadLetter(db, { consumer: 'search/index', event, attempts: 5, error, at: new Date() })
  return (await listDeadLetters(db)).find(letter => letter.event.id === event.id)!.id
}

t.test('events prints what has happened, of the types and since the time that are asked for', async t => {
  const { code, out, err } = await tracker('events', '--since', '1h', '--types', 'issue.*')
  t.match({ code, err }, { code: 0, err: '' })
  const events = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as object)
  t.match(events, [
    { workspaceId: String, type: 'issue.created', subject: { key: 'ENG-1' }, data: { title: 'First' } },
    { workspaceId: String, type: 'issue.created', subject: { key: 'ENG-2' }, data: { title: 'Second' } }
  ])
  t.equal(events.length, 2)
})

t.test('a time without its unit is refused, which JavaScript reads as a month of 2001', async t => {
  t.match(await tracker('events', '--since', '12'), { code: 1, out: '', err: /'12' is no time: write 2026-11-22/ })
})

t.test('a failed event is listed, and handled again until that succeeds', async t => {
  t.strictSame(await tracker('events', 'failed'), { code: 0, out: '', err: 'No event has failed.\n' })
  const id = await failIndexing('First')
  t.strictSame(await tracker('events', 'failed'), {
    code: 0,
    out: `${id}\tsearch/index\tissue.created\t5\tError: the index was away\n`,
    err: ''
  })
  const { schema } = server.database.db
  await schema.alterTable('issue_resolution').renameTo('gone').execute()
  t.match(await tracker('events', 'retry', id), { code: 1, out: '', err: /search\/index failed again: .*resolution/ })
  t.match(await listDeadLetters(server.database.db), [{ id, attempts: 6, reason: /issue_resolution/ }])
  await schema.alterTable('gone').renameTo('issue_resolution').execute()
  t.match(await tracker('events', 'retry', id), { code: 0, out: '', err: 'search/index has handled the event.\n' })
  t.strictSame(await listDeadLetters(server.database.db), [])
})

t.test('a failed event is stored as release 0.2.0 does, which may handle it, or have stored it', async t => {
  const id = await failIndexing('Second')
  const { db } = server.database
  const stored = db.selectFrom('eventDeadLetter').select('event').where('id', '=', id)
  const { event } = await stored.executeTakeFirstOrThrow()
  const [letter] = await listDeadLetters(db)
  t.match(event, { issueId: letter!.event.subject.id })
  t.notOk('parentId' in event)
  t.equal(letter!.event.parentId, letter!.event.subject.id)
  t.match(await tracker('events', 'retry', id), { code: 0 })
})

t.test('an event that has ended a process is not handled again by a server that others use', async t => {
  const id = await failIndexing('First')
  const { db } = server.database
  const [letter] = await listDeadLetters(db)
  await noteAttempt(db, letter!, new Date())
  let said = ''
  const inServer = makeTerminal({
    ...processTerminal(),
    isInServer: true,
    hasScreen: false,
    async write(text) {
      said += text
    },
    writeError(text) {
      said += text
    },
    assertThere() {}
  })
  const known = server.contributions(commands).map(({ item }) => item)
  await t.rejects(
    runCommand(known, ['events', 'retry', id], async () => {}, inServer),
    {
      message: /has ended a process, and would end the server .*: stop the server and run the command again/
    }
  )
  t.equal(said, '')
  t.match(await listDeadLetters(db), [{ id, attempts: 6, reason: /^ProcessEnded: / }], 'nothing was tried')
  t.match(await tracker('events', 'retry', id), { code: 0, err: 'search/index has handled the event.\n' }, 'by itself')
})

t.test('that an event is being handled again is stored before: it may end the process', async t => {
  const names: string[] = []
  const following = definePlugin(dependsOn(contract()('following')), {
    summary: 'Looks at its dead letters',
    register(ctx) {
      ctx.consume('look', {
        events: 'all',
        onGap: 'skip',
        async handle(_events, { db }) {
          names.push(...(await listDeadLetters(db)).map(({ reason }) => reason))
          throw new Error('It fails.')
        }
      })
    }
  })
  const own = await testServer({
    plugins: ['workspace'],
    settings: { jobs: false },
    also: { following: async () => ({ default: following }) }
  })
  t.teardown(() => own.close())
  const { db } = own.database
  const [event] = await readLog(db, { after: 0, upTo: 1_000, limit: 1 })
  await storeDeadLetter(db, {
    consumer: 'following/look',
    event: event!,
    attempts: 5,
    error: new Error('before'),
    at: new Date()
  })
  const [letter] = await listDeadLetters(db)
  t.match(await runInProcess(own, ['events', 'retry', letter!.id]), { code: 1, err: /failed again: It fails/ })
  t.match(names, [/^ProcessEnded: /])
  t.match(await listDeadLetters(db), [{ attempts: 6, reason: 'Error: It fails.' }])
})

t.test('a failed event that is discarded is forgotten', async t => {
  const id = await failIndexing('Second')
  t.match(await tracker('events', 'discard', id), { code: 0, err: 'It is forgotten.\n' })
  t.strictSame(await listDeadLetters(server.database.db), [])
})

t.test('an event that has not failed is neither handled again nor discarded', async t => {
  for (const action of ['retry', 'discard']) {
    t.match(await tracker('events', action, randomUUID()), {
      code: 1,
      err: /No failed event has the id.*events failed/
    })
  }
})
