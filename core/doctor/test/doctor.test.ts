import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { freePort } from '../../../test/runner/process.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'
import { examinations } from '../../api/points.ts'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'

/** The findings of `doctor` by part, and its exit code. */
async function examine(t: Test, settings: Record<string, unknown>, options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({ plugins: [], ...options, settings })
  t.teardown(() => server.close())
  const { code, out, err } = await runInProcess(server, ['doctor'])
  const lines = out
    .trim()
    .split('\n')
    .map(line => line.split('\t') as [string, string, string])
  const of = (name: string) => lines.filter(([, part]) => part === name).map(([state, , says]) => `${state}: ${says}`)
  return { code, err, of }
}

t.test('a part that is well says so; the exit code is 0 when all are', async t => {
  const folder = temporaryFolder(t)
  const name = `tracker-${new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.tar.gz`
  await writeFile(join(folder, name), '')
  const { code, err, of } = await examine(t, onPostgres ? {} : { backupFolder: folder })
  t.match(of('database'), [onPostgres ? /^well: PostgreSQL \(\d+/ : /^well: The embedded database \(\d+/])
  t.match(of('clock'), [/^well: The clocks .* agree\.$/])
  t.match(of('events'), [/^well: Every event/])
  if (!onPostgres) t.match(of('disk').at(-1), new RegExp(`: (Only )?\\d+ MiB are free on the disk of ${folder}`))
  t.match(of('address'), [/^well: The server is for this machine only/])
  if (!onPostgres) t.match(of('backups'), [/^well: The newest backup is of/])
  t.equal(code === 0, /^Nothing is wrong/m.test(err), err)
})

t.test('a clock that differs, an address that is not known, and a late backup are named', async t => {
  const folder = temporaryFolder(t)
  await mkdir(join(folder, 'old'))
  await writeFile(join(folder, 'tracker-2026-01-01T00-00-00Z.tar.gz'), '')
  const now = () => new Date(Date.now() + 60_000)
  const settings = { host: '0.0.0.0', ...(!onPostgres && { backupFolder: folder }) }
  const { code, err, of } = await examine(t, settings, { now })
  t.equal(code, 2)
  t.match(err, /things are wrong/)
  t.match(of('clock'), [/^wrong: The clock of the database differs by 60 seconds from this machine's: set both by NTP/])
  t.match(of('address'), [/^wrong: .* set TRACKER_PUBLIC_URL/])
  if (!onPostgres) t.match(of('backups'), [/^wrong: The newest backup is of 2026-01-01T00:00:00.000Z, although/])
})

t.test('the public address is tried, and the proxy in front of it must be known', async t => {
  const other = createServer((_, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await new Promise(resolve => other.once('listening', resolve))
  const publicUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  t.match((await examine(t, { publicUrl })).of('address'), [/^wrong: .*\/health\/live answers with 404/])

  const below = (await examine(t, { publicUrl, prefix: '/tracker' })).of('address')
  t.match(below, [/^wrong: .*:\d+\/tracker\/health\/live answers with 404/])

  for (const [path, prefix] of [
    ['/tracker', ''],
    ['/tracker', '/board']
  ] as const) {
    t.match((await examine(t, { publicUrl: publicUrl + path, prefix })).of('address'), [
      new RegExp(`^wrong: TRACKER_PUBLIC_URL has the path /tracker, and links lead to ${publicUrl}${prefix}: set `),
      /^wrong: .*answers with 404/
    ])
  }
  t.equal((await examine(t, { publicUrl: `${publicUrl}/tracker/`, prefix: '/tracker' })).of('address').length, 1)

  const behind = (await examine(t, { publicUrl: `https://127.0.0.1:${await freePort()}` })).of('address')
  t.match(behind, [
    /^wrong: All requests .* TRACKER_TRUST_PROXY/,
    /^wrong: .* is not reached from here \(.*ECONNREFUSED/
  ])
})

t.test('an examination that fails is a finding, and the others go on', async t => {
  const broken = definePlugin(dependsOn(contract()('broken')), {
    summary: 'Fails',
    register(ctx) {
      ctx.contribute(examinations, { part: 'broken', examine: async () => Promise.reject(new Error('It is broken.')) })
    }
  })
  const { code, of } = await examine(t, {}, { also: { broken: async () => ({ default: broken }) } })
  t.strictSame(of('broken'), ['wrong: It is broken.'])
  t.equal(of('database').length, 1)
  t.equal(code, 2)
})

t.test('plugins look at what they need', async t => {
  const { of } = await examine(
    t,
    { plugins: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'tracker' } } },
    {
      plugins: ['workspace', 'issues', 'files', 'webhooks', 'oidc', 'ui']
    }
  )
  t.match(of('files'), [/^well: (The store folder takes files|Files are in the database)/])
  t.strictSame(of('webhooks'), ['well: Every delivery arrives.'])
  t.match(of('oidc'), [/^wrong: The provider http:\/\/127\.0\.0\.1:1 is not reached/])
})
