import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { startProcess, TRACKER_COMMAND } from '../test/runner/process.ts'
import { statusMb } from '../test/runner/status-mb.ts'

/*
 * `npm run bench:memory`: the resident memory of a server with its embedded database and without a model, on Linux: the
 * peak while it starts, the first time and again with the sample board, and half a minute later; then with lowMemory.
 */
const IDLE_MS = 30_000
const run = promisify(execFile)

for (const lowMemory of [false, true]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tracker-memory-'))
  const env = {
    TRACKER_DATA_DIR: dataDir,
    TRACKER_LOW_MEMORY: String(lowMemory),
    TRACKER_ADMIN_TOKEN: newToken()
  }
  try {
    for (const start of ['first', 'later']) {
      const server = await startProcess(env)
      // Deferred work of a start runs right after it.
      await sleep(IDLE_MS)
      const [peakMb, idleMb] = await Promise.all((['VmHWM', 'VmRSS'] as const).map(name => statusMb(server.pid, name)))
      process.stdout.write(`lowMemory ${lowMemory}, ${start} start: ${peakMb} MB at most, ${idleMb} MB idle\n`)
      if (start === 'first') {
        await run(process.execPath, [...TRACKER_COMMAND, 'demo'], {
          cwd: fileURLToPath(new URL('..', import.meta.url)),
          env: { PATH: process.env['PATH'], ...env }
        })
      }
      await server.end('SIGTERM')
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}
