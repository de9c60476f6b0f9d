import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t from 'tap'
import { configure } from '../../config/config.ts'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { makeDueBackup, newestBackup } from '../schedule.ts'

const cutOff = 'tracker-2026-02-01T00-00-00Z.tar.gz.unfinished'

t.test('a backup is made when it is due, and the oldest are removed', async t => {
  const folder = join(t.testdir({ backups: { 'tracker.sql': 'of somebody else', [cutOff]: '' } }), 'backups')
  const make = (file: string) => writeFile(file, '')
  const at = (time: string) => makeDueBackup({ folder, everyHours: 24, keep: 2 }, new Date(time), make)
  t.equal(await at('2026-03-01T02:07:00.123Z'), join(folder, 'tracker-2026-03-01T02-07-00Z.tar.gz'))
  t.equal(await at('2026-03-01T12:07:00Z'), undefined, 'not yet')
  t.ok(await at('2026-03-02T02:06:58Z'), 'not an hour later each day')
  t.ok(await at('2026-03-09T03:07:00Z'))
  const kept = ['tracker-2026-03-02T02-06-58Z.tar.gz', 'tracker-2026-03-09T03-07-00Z.tar.gz', 'tracker.sql']
  t.strictSame(readdirSync(folder).toSorted(), kept)
  const failing = makeDueBackup({ folder, everyHours: 1, keep: 1 }, new Date('2026-04-01T00:00:00Z'), () =>
    Promise.reject(new Error('full'))
  )
  await t.rejects(failing, { message: 'full' })
  t.strictSame(readdirSync(folder).toSorted(), kept, 'nothing is removed without a new one')
  t.ok(await at('2026-03-08T00:00:00Z'), 'the last one is from the future: the clock was wrong')
})

t.test('backups from the future, of a time when the clock was wrong, take no place and hide no age', async t => {
  const future = ['tracker-2036-01-01T00-00-00Z.tar.gz', 'tracker-2036-01-02T00-00-00Z.tar.gz']
  const folder = t.testdir(Object.fromEntries(future.map(name => [name, ''])))
  const now = new Date('2026-03-01T02:07:00Z')
  const plan = { folder, everyHours: 24, keep: 2 }
  const file = await makeDueBackup(plan, now, path => writeFile(path, ''))
  t.strictSame(readdirSync(folder).toSorted(), [basename(file!), ...future], 'the new one is kept')
  t.strictSame(await newestBackup(folder, now), now)
})

t.test('a folder for backups is refused beside PostgreSQL', async t => {
  const settings = { backupFolder: '/backups', databaseUrl: 'postgres://db/tracker' }
  await t.rejects(configure({}, settings), { message: /backupFolder is for the embedded database/ })
})

t.test('requests wait for a database that stands still, at most 5 s', { skip: onPostgres }, async t => {
  const server = await testServer({ plugins: ['workspace', 'issues'], settings: { jobs: false } })
  t.teardown(() => server.close())
  const body = { teamId: 'ENG', title: 'Task' }
  const post = () => server.call('/v1/issues', { body })
  const short = await server.database.whileStill(async () => ({ answered: post() }))
  t.equal((await short.answered).statusCode, 201)
  const refused = await server.database.whileStill(post)
  t.match(refused.json(), { code: 'OVERLOADED', message: /A backup is being made/ })
  t.equal(refused.statusCode, 503)
  t.ok(refused.headers['retry-after'])
  t.equal((await post()).statusCode, 201)
})
