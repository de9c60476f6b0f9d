import t from 'tap'
import { typeOf } from '../assets.ts'
import { readPrepared, writeCache } from '../cache.ts'

const PARTS = ['issues plugins/issues/ui/index', 'votes ../votes/ui/index']

t.test('the interface of a release has its parts, and says which one it has not', async t => {
  const folder = `${t.testdir()}/interface`
  const asset = { type: typeOf('app.js'), identity: Buffer.from('start()'), br: null, gzip: null }
  const entry = { script: 'app.js', style: 'app.css', licenses: 'licenses.txt', preloads: [], font: undefined }
  const libraries = [{ name: 'wouter', version: '3.0.0' }]
  await writeCache(folder, {
    assets: new Map([['app.js', asset]]),
    entry,
    libraries,
    parts: PARTS.slice(0, 1),
    inputs: {}
  })
  t.strictSame((await readPrepared(folder, PARTS.slice(0, 1))).assets.get('app.js'), asset)
  await t.rejects(readPrepared(folder, PARTS), {
    message: /has the parts of its own plugins, and not that of votes: .* or set plugins\.votes\.enabled to false\.$/
  })
})
