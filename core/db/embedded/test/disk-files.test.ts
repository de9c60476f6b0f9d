import t from 'tap'
import { smallDisk } from '../../../../test/runner/small-disk.ts'
import { freeBytes } from '../../../../lib/util/free-bytes.ts'
import { logReserveBytes } from '../disk-space.ts'
import { embeddedPool } from '../embedded-pool.ts'
import { openEmbedded } from '../embedded.ts'

const disk = smallDisk(60)
t.teardown(() => disk?.remove())
const skip = !disk && 'a small disk cannot be mounted here'

t.test('a statement that needs more than the disk fails before the write-ahead log has no space', { skip }, async t => {
  const { dir, resize } = disk!
  const { pool, close } = embeddedPool(await openEmbedded({ dataDir: dir }), undefined, {})
  t.teardown(async () => {
    await pool.end()
    await close()
  })
  const fill = (rows: number) =>
    pool.query(`insert into filler select md5(n::text) from generate_series(1, ${rows}) as n`)
  await pool.query('create table filler (text text)')
  await fill(1000)

  await t.rejects(fill(1_000_000), { code: '53100', message: /could not extend file/ })
  t.ok(freeBytes(dir) > logReserveBytes(`${dir}/pgdata`) / 2, 'the write-ahead log has space')
  t.strictSame((await pool.query('select count(*)::int as count from filler')).rows, [{ count: 1000 }])
  await pool.query('update filler set text = text where text = md5($1)', ['1'])

  resize(400)
  await fill(1_000_000)
  t.strictSame((await pool.query('select count(*)::int as count from filler')).rows, [{ count: 1_001_000 }])
})
