import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startProcess } from './runner/process.ts'
import { statusMb } from './runner/status-mb.ts'

/** Maximum megabytes of a server while it starts, and when it is idle. */
const MAX_PEAK_MB = 400
const MAX_IDLE_MB = 300

t.test('with lowMemory a server with its embedded database needs little memory', async t => {
  const env = { TRACKER_DATA_DIR: t.testdir(), TRACKER_LOW_MEMORY: 'true' }
  const first = await startProcess(env)
  // Builds the interface, once: a server that does so keeps some 60 MB more until its next start.
  t.equal((await fetch(first.url, { headers: { accept: 'text/html' } })).status, 200)
  await first.end('SIGTERM')
  const server = await startProcess(env)
  const peakMb = await statusMb(server.pid, 'VmHWM')
  // On a busy machine the work after a start takes longer than a second.
  let idleMb = Infinity
  for (let looks = 1; looks <= 30 && idleMb > MAX_IDLE_MB; looks++) {
    await sleep(1_000)
    idleMb = await statusMb(server.pid, 'VmRSS')
  }
  await server.end('SIGTERM')

  t.test('400 MB at most while it starts', async t => t.ok(peakMb <= MAX_PEAK_MB, `${peakMb} MB`))
  t.test('300 MB at most when it is idle', async t => t.ok(idleMb <= MAX_IDLE_MB, `${idleMb} MB`))
})
