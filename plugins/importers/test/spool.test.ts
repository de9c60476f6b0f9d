import { join } from 'node:path'
import t from 'tap'
import { Spool } from '../io/spool.ts'

t.test('a record that cannot be stored ends the import, not the process', async t => {
  const issue = { kind: 'issue', externalId: 'a', team: 'ENG', title: 'x'.repeat(100_000) }
  const spool = new Spool(join(t.testdir(), 'removed'), undefined)
  await t.rejects(
    async () => {
      await spool.add(issue, 'line 1')
      await spool.end()
    },
    { code: 'ENOENT' }
  )
  await t.rejects(spool.add({ ...issue, externalId: 'b' }, 'line 2'), { code: 'ENOENT' })
  await spool.close()

  const quiet = new Spool(join(t.testdir(), 'removed'), undefined)
  await quiet.add({ kind: 'label', name: 'Bug' }, 'line 1')
  await t.rejects(quiet.end(), { code: 'ENOENT' })
  await quiet.close()
})
