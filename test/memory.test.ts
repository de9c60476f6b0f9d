import { readFile } from 'node:fs/promises'
import t from 'tap'
import { startProcess } from './process.ts'

/** Megabytes that a server may need while it starts. */
const MAX_PEAK_MB = 400
/** What is not collected yet when memory is at its highest differs from start to start: the lowest peak is needed. */
const STARTS = 3

t.test('with lowMemory a server with its embedded database needs 400 MB at most while it starts', async t => {
  const env = { TRACKER_DATA_DIR: t.testdir(), TRACKER_LOW_MEMORY: 'true', TRACKER_PLUGINS__UI__ENABLED: 'false' }
  const first = await startProcess(env)
  await first.end('SIGTERM')
  let lowestMb = Infinity
  for (let n = 0; n < STARTS && lowestMb > MAX_PEAK_MB; n++) {
    const server = await startProcess(env)
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
    await server.end('SIGTERM')
    lowestMb = Math.min(lowestMb, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
  }
  t.ok(lowestMb <= MAX_PEAK_MB, `${Math.round(lowestMb)} MB`)
})
