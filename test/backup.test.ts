import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { onPostgres, TEST_DATABASE_URL, testServer } from './runner/harness.ts'
import { withConnection } from './runner/templates.ts'

t.test('a backup is restored into a new database as its page says', { skip: !onPostgres }, async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const issue = { teamId: 'ENG', title: 'It is kept', descriptionMarkdown: '- [ ] it is restored' }
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: issue })
  const name = `tracker_restored_${randomBytes(6).toString('hex')}`
  const restored = Object.assign(new URL(server.databaseUrl!), { pathname: name })
  const drop = `drop database if exists ${name} with (force)`
  t.teardown(() => withConnection(TEST_DATABASE_URL!, client => client.query(drop)))

  const section = readFileSync(new URL('../docs/backup-and-upgrade.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .find(part => part.startsWith('Backup\n'))!
  const commands = [...section.matchAll(/`((?:pg_dump|createdb|pg_restore) [^`]+)`/g)].map(match =>
    match[1]!.replace('postgres://…/restored', restored.href).replace('createdb restored', `createdb ${name}`)
  )
  t.equal(commands.length, 3)
  const { stderr } = await promisify(execFile)('sh', ['-euc', commands.join('\n')], {
    cwd: t.testdir(),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: server.databaseUrl,
      PGHOST: restored.hostname,
      PGPORT: restored.port || '5432',
      PGUSER: decodeURIComponent(restored.username),
      PGPASSWORD: decodeURIComponent(restored.password)
    }
  })
  t.equal(stderr, '', 'no command warns')

  const after = await testServer({ on: { ...server, databaseUrl: restored.href } })
  t.teardown(() => after.close())
  t.match(await after.ok(`/v1/issues/${key}/context`), {
    title: issue.title,
    descriptionMarkdown: issue.descriptionMarkdown
  })
  t.match(await after.ok('/v1/issues', { body: { ...issue, title: 'The next one' } }), { key: 'ENG-2' })
})
