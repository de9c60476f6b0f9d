import { existsSync } from 'node:fs'
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

t.test('kinds of the data are no names of files', async t => {
  const folder = t.testdir({ spool: {} })
  const spool = new Spool(join(folder, 'spool'), undefined)
  const kinds = ['../outside', 'a/b', 'label', 'x'.repeat(300), '\0', 'other', 'milestone']
  for (const [n, kind] of kinds.entries()) await spool.add({ kind, name: `Name ${n}` }, `line ${n}`)
  t.equal(await spool.end(), kinds.length)
  t.notOk(existsSync(join(folder, 'outside.jsonl')))
  const lines: string[] = []
  for await (const { text } of spool.lines(() => {})) lines.push((JSON.parse(text) as { kind: string }).kind)
  t.strictSame(lines.toSorted(), kinds.toSorted())
})
