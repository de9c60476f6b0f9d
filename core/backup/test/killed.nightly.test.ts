import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { onPostgres } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess, TRACKER_COMMAND, trackerIn } from '../../../test/runner/process.ts'
import { fillDataDirectory } from '../../../test/runner/templates.ts'
import { newToken } from '../../auth/tokens.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const environment = { ...onlyPlugins('workspace', 'issues'), TRACKER_ADMIN_TOKEN: newToken() }
/** Milliseconds after the first trace of the work. */
const DELAYS = [100, 1000]

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2)
}

t.test('a server that is killed while it makes a backup leaves no half file', { skip: onPostgres }, async t => {
  const dir = t.testdir({ data: {} })
  const data = join(dir, 'data')
  await fillDataDirectory(data)
  const env = { ...environment, TRACKER_DATA_DIR: data }
  for (const [n, delay] of DELAYS.entries()) {
    const server = await startProcess(env)
    t.teardown(() => server.end('SIGKILL'))
    const file = join(dir, `${n}.tar.gz`)
    const command = trackerIn(env, 'backup', file)
    await until(() => existsSync(join(data, 'backup.unfinished')))
    await sleep(delay)
    await server.end('SIGKILL')
    await command
    if (existsSync(file)) {
      t.match(await trackerIn(env, 'backup', 'verify', file), { code: 0 }, `whole after ${delay} ms`)
    }
  }
  const last = join(dir, 'last.tar.gz')
  t.match(await trackerIn(env, 'backup', last, '--verify'), { code: 0 })
  t.notMatch(readdirSync(data).join(), 'unfinished')
})

t.test('a restore that is killed loses nothing', { skip: onPostgres }, async t => {
  const dir = t.testdir({ data: {} })
  const data = join(dir, 'data')
  await fillDataDirectory(data)
  const env = { ...environment, TRACKER_DATA_DIR: data }
  const file = join(dir, 'backup.tar.gz')
  t.match(await trackerIn(env, 'backup', file), { code: 0 })
  for (const delay of DELAYS) {
    const command = spawn(process.execPath, [...TRACKER_COMMAND, 'restore', file, '--replace'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'ignore'
    })
    await until(() => existsSync(join(data, 'restore.unfinished')))
    await sleep(delay)
    command.kill('SIGKILL')
    await once(command, 'close')
    const server = await startProcess(env).catch((error: Error) => error)
    if (server instanceof Error) t.match(server.message, /A restore into .* was cut off/)
    else t.equal(await server.end('SIGTERM'), 0, `the database works after ${delay} ms`)
    if (server instanceof Error) t.match(await trackerIn(env, 'restore', file), { code: 0 })
  }
})
