import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { create } from 'tar'
import t, { type Test } from 'tap'
import { untilEmbedded, untilEmbeddings } from '../../../test/embeddings.ts'
import { writeModel } from '../../../test/tiny-model.ts'
import { ModelSource } from '../model/model-source.ts'
import { poolOf, serverWith, workspaceOf } from './helpers.ts'

const folder = t.testdir()
await writeModel(join(folder, 'source'), { car: [1, 0], automobile: [1, 0], fruit: [0, 1] })
await create({ gzip: true, cwd: folder, file: join(folder, 'tiny.tar.gz') }, ['source'])
const archive = await readFile(join(folder, 'tiny.tar.gz'))
const sha256 = createHash('sha256').update(archive).digest('hex')

/** Answers requests with these in turn, then with the last one. */
async function serve(t: Test, ...answers: RequestListener[]): Promise<{ url: string; requests: () => number }> {
  let requests = 0
  const server = createServer((request, response) =>
    answers[Math.min(requests++, answers.length - 1)]!(request, response)
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/models/tiny.tar.gz?version=1`,
    requests: () => requests
  }
}
const whole: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': archive.length }).end(archive)
}
const absent: RequestListener = (_, response) => {
  response.writeHead(404).end('<html>not here</html>')
}
const interrupted: RequestListener = (_, response) => {
  response
    .writeHead(200, { 'content-length': archive.length })
    .write(archive.subarray(0, 200), () => response.destroy())
}
const short: RequestListener = (_, response) => {
  response.writeHead(200).end(archive.subarray(0, 200))
}
const damaged: RequestListener = (_, response) => {
  response.writeHead(200, { 'x-goog-hash': 'crc32c=AAAAAA==, md5=AAAAAAAAAAAAAAAAAAAAAA==' }).end(archive)
}
const page: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in first</html>')
}

t.test('a download that failed is tried again, though the clock was set back', async t => {
  const { url } = await serve(t, absent)
  const source = new ModelSource(
    { modelDir: t.testdir(), modelUrl: url, download: true, maxTokens: 256 },
    pino({ level: 'silent' }),
    new AbortController().signal
  )
  const download = () => source.download(() => {})
  await t.rejects(download(), /answered 404/)
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() - 86_400_000
  const isTried = () =>
    download().then(
      () => false,
      () => true
    )
  while (!(await isTried())) await sleep(20)
  t.pass()
})

t.test('a model is fetched while the server serves, and used when it is whole', async t => {
  const dir = t.testdir()
  const begun = Promise.withResolvers<() => void>()
  const { url } = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 200))
    begun.resolve(() => {
      response.end(archive.subarray(200))
    })
  })
  const server = await serverWith({ modelDir: dir, modelUrl: url, modelSha256: sha256.toUpperCase(), download: true })
  t.teardown(() => server.close())
  const pool = poolOf(server, await workspaceOf(server))
  await pool.put({ vehicle: 'car' })
  t.same(await untilEmbeddings(server, { state: 'downloading' }), { state: 'downloading', model: null, backlog: 1 })
  t.equal(await pool.find('automobile'), undefined)
  const finish = await begun.promise
  t.not((await readdir(dir)).length, 0)
  t.notOk((await readdir(dir)).includes('tiny'), 'what is not whole has not its name yet')
  finish()
  t.match(await untilEmbedded(server), { model: 'tiny' })
  t.same(await pool.find('automobile'), ['vehicle'])
  t.same(await readdir(dir), ['tiny'], 'nothing else is left')

  const next = await serverWith({ modelDir: dir, modelUrl: url })
  t.teardown(() => next.close())
  t.match(await untilEmbedded(next), { model: 'tiny' }, 'the next start finds it, without a download')
})

t.test('a failed download is restarted; no part of it is used', async t => {
  const dir = t.testdir()
  const { url, requests } = await serve(t, absent, interrupted, whole)
  const server = await serverWith({ modelDir: dir, modelUrl: url, download: true })
  t.teardown(() => server.close())
  await untilEmbeddings(server, { state: 'unavailable' })
  t.same(await readdir(dir), [])
  await untilEmbedded(server)
  t.equal(requests(), 3)
  t.same(await readdir(dir), ['tiny'])
})

t.test('a folder that is no whole model is not downloaded into, and named', async t => {
  const dir = t.testdir({ tiny: { 'model.onnx': 'half of one' } })
  const { url, requests } = await serve(t, whole)
  const source = new ModelSource(
    { modelDir: dir, modelUrl: url, download: true, maxTokens: 16 },
    pino({ enabled: false }),
    new AbortController().signal
  )
  await t.rejects(
    source.download(() => {}),
    { message: `${join(dir, 'tiny')} is no whole model: remove it, and it is downloaded anew.` }
  )
  t.equal(requests(), 0)
})

for (const [what, answer] of Object.entries({ short, damaged, page })) {
  t.test(`an answer that is ${what} is not used`, async t => {
    const dir = t.testdir()
    const { url } = await serve(t, answer)
    const server = await serverWith({ modelDir: dir, modelUrl: url, download: true })
    t.teardown(() => server.close())
    t.match(await untilEmbeddings(server, { state: 'unavailable' }), { model: null })
    t.same(await readdir(dir), [])
  })
}

t.test('an archive with another checksum than wanted is not used', async t => {
  const dir = t.testdir()
  const { url } = await serve(t, whole)
  const server = await serverWith({ modelDir: dir, modelUrl: url, modelSha256: '0'.repeat(64), download: true })
  t.teardown(() => server.close())
  await untilEmbeddings(server, { state: 'unavailable' })
  t.same(await readdir(dir), [])
})

t.test('a server that is stopped while it downloads leaves nothing behind', async t => {
  const dir = t.testdir()
  const { url } = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 200))
  })
  const server = await serverWith({ modelDir: dir, modelUrl: url, download: true })
  await untilEmbeddings(server, { state: 'downloading' })
  await server.close()
  t.same(await readdir(dir), [])
})
