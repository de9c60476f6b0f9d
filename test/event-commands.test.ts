import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { makeDatabase, type Database } from '../core/db/database.ts'
import { listDeadLetters, putAside } from '../core/events/dead-letters.ts'
import { readLog } from '../core/events/read.ts'
import { newToken } from '../core/tokens.ts'
import { migratedDatabase } from './empty-database.ts'
import { onlyPlugins, startProcess, TRACKER_COMMAND } from './process.ts'

/*
 * The command line of the event log, as its user runs it: each command in a process of its own.
 */

const token = newToken()
let env: Record<string, string>
t.before(async () => {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  env = { TRACKER_ADMIN_TOKEN: token, ...onlyPlugins('workspace', 'issues', 'comments', 'search'), ...database.env }
  const server = await startProcess(env)
  for (const title of ['First', 'Second']) {
    const answer = await fetch(`${server.url}/v1/issues`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ teamId: 'ENG', title })
    })
    t.equal(answer.status, 201)
  }
  await server.end('SIGTERM')
})

function tracker(...args: string[]): Promise<{ code: number | string; out: string; err: string }> {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [...TRACKER_COMMAND, ...args],
      { cwd: new URL('..', import.meta.url), env: { PATH: process.env['PATH'], ...env } },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err })
    )
  })
}

/** Works on the database while no process has it. */
async function onDatabase<T>(work: (db: Database['db']) => Promise<T>): Promise<T> {
  const database = makeDatabase({ url: env['DATABASE_URL'], dataDir: env['TRACKER_DATA_DIR'], poolSize: 2 })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
/** Puts an event aside that search failed to index. @returns the id that the commands know it by */
const failIndexing = (title: string): Promise<string> =>
  onDatabase(async db => {
    const events = await readLog(db, { after: 0, upTo: 1_000, limit: 1_000 }, { types: ['issue.created'] })
    const event = events.find(({ data }) => 'title' in data && data.title === title)!
    const error = new Error('the index\nwas away')
    await putAside(db, { consumer: 'search/index', event, attempts: 5, error, at: new Date() })
    return (await listDeadLetters(db)).find(letter => letter.event.id === event.id)!.id
  })

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

t.test('a failed event is listed, and handled again until that succeeds', async t => {
  const id = await failIndexing('First')
  t.strictSame(await tracker('events', 'failed'), {
    code: 0,
    out: `${id}\tsearch/index\tissue.created\t5\tError: the index was away\n`,
    err: ''
  })
  await onDatabase(db => db.schema.alterTable('issue_resolution').renameTo('gone').execute())
  t.match(await tracker('events', 'retry', id), { code: 1, out: '', err: /search\/index failed again: .*resolution/ })
  t.match(await onDatabase(listDeadLetters), [{ id, attempts: 6, reason: /issue_resolution/ }])
  await onDatabase(db => db.schema.alterTable('gone').renameTo('issue_resolution').execute())
  t.match(await tracker('events', 'retry', id), { code: 0, out: '', err: 'search/index has handled the event.\n' })
  t.strictSame(await onDatabase(listDeadLetters), [])
})

t.test('a failed event that is discarded is forgotten', async t => {
  const id = await failIndexing('Second')
  t.match(await tracker('events', 'discard', id), { code: 0, err: 'It is forgotten.\n' })
  t.strictSame(await onDatabase(listDeadLetters), [])
})

t.test('an event that has not failed is neither handled again nor discarded', async t => {
  for (const action of ['retry', 'discard']) {
    t.match(await tracker('events', action, randomUUID()), {
      code: 1,
      err: /No failed event has the id.*events failed/
    })
  }
})
