import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../../../../test/runner/temporary-folder.ts'
import { holdDirectory } from '../directory-lock.ts'

const ROUNDS = 10
const STARTERS = 3
const SCRIPT = fileURLToPath(new URL('holding-process.ts', import.meta.url))

interface Holder {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The next line of its output. */
  next(): Promise<string>
  kill(): Promise<void>
}

/** A process that has loaded its modules, and waits for `try`. */
async function startHolder(t: Test, dir: string): Promise<Holder> {
  const child = spawn(process.execPath, [SCRIPT, dir], { stdio: 'pipe' })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const closed = once(child, 'close')
  async function kill() {
    child.kill('SIGKILL')
    await closed
  }
  t.teardown(kill)
  const next = async () => String((await lines.next()).value)
  await next()
  return { child, next, kill }
}

t.test('a folder is held by one process, until it ends', async t => {
  const dir = temporaryFolder(t)
  const release = await holdDirectory(dir)
  await t.rejects(holdDirectory(dir), /in use by another tracker process.*TRACKER_DATA_DIR/)
  await release()
  const again = await holdDirectory(dir)
  await again()
})

t.test('of those that start at once after a kill exactly one holds the folder', async t => {
  const dir = temporaryFolder(t)
  let holder: Holder | undefined
  for (let round = 1; round <= ROUNDS; round++) {
    const starters = await Promise.all(Array.from({ length: STARTERS }, () => startHolder(t, dir)))
    await holder?.kill()
    for (const { child } of starters) child.stdin.write('try\n')
    const outcomes = await Promise.all(starters.map(({ next }) => next()))
    const holding = starters.filter((_, at) => outcomes[at] === 'held')
    if (holding.length !== 1) return t.fail(`${holding.length} held it in round ${round}: ${outcomes.join('\n')}`)
    for (const refused of outcomes.filter(outcome => outcome !== 'held')) t.match(refused, /is in use by another/)
    for (const other of starters) if (other !== holding[0]) await other.kill()
    holder = holding[0]
  }
  t.strictSame(
    readdirSync(dir).filter(name => name !== 'lock'),
    ['server.lock'],
    'kills leave no other files behind'
  )
})

t.test('a process of release 0.1, which listens on a socket, is respected; one that was killed is not', async t => {
  const dir = temporaryFolder(t)
  const older = createServer(socket => socket.end())
  await new Promise<void>(resolve => older.listen(join(dir, 'lock'), resolve))
  await t.rejects(holdDirectory(dir), /in use by another tracker process/)
  await new Promise<unknown>(resolve => older.close(resolve))
  writeFileSync(join(dir, 'lock'), '')
  const release = await holdDirectory(dir)
  t.ok(readdirSync(dir).includes('lock'), 'it listens where release 0.1 looks')
  await release()
})

t.test('holding a folder prints nothing', async t => {
  const { child, next, kill } = await startHolder(t, temporaryFolder(t))
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stdin.write('try\n')
  t.equal(await next(), 'held')
  await kill()
  t.equal(printed, '')
})
