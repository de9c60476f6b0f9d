import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newToken } from '../core/tokens.ts'
import { onlyPlugins, startProcess } from './process.ts'

const MIB = 1024 * 1024
const TRACKER_ADMIN_TOKEN = newToken()
const settings = { TRACKER_ADMIN_TOKEN, ...onlyPlugins('workspace', 'issues', 'comments', 'search') }

/** A disk of its own, of memory; undefined where this user may not mount one. */
function smallDisk(mebibytes: number): { dir: string; resize(mebibytes: number): void; remove(): void } | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'tracker-disk-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' })
  try {
    mount(`size=${mebibytes}m`)
  } catch {
    rmSync(dir, { recursive: true })
    return undefined
  }
  return {
    dir,
    resize: mebibytes => mount(`remount,size=${mebibytes}m`),
    remove() {
      execFileSync('umount', ['--lazy', dir])
      rmSync(dir, { recursive: true })
    }
  }
}

const disk = smallDisk(52)
t.teardown(() => disk?.remove())
const freeBytes = (dir: string) => statfsSync(dir).bavail * statfsSync(dir).bsize

function client(url: string) {
  const headers = { authorization: `Bearer ${TRACKER_ADMIN_TOKEN}`, 'content-type': 'application/json' }
  return {
    get: (path: string) => fetch(url + path, { headers }),
    /** An issue whose text is hard to compress. */
    create: (title: string) =>
      fetch(`${url}/v1/issues`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ teamId: 'ENG', title, descriptionMarkdown: randomBytes(45_000).toString('base64') })
      })
  }
}

interface Issue {
  id: string
  title: string
}

/** Creates issues until one is refused, and returns the refusal. */
async function fill(create: (title: string) => Promise<Response>, known: Issue[]): Promise<Response> {
  for (;;) {
    const answer = await create(`Issue ${known.length}`)
    if (answer.status !== 201) return answer
    const { id, title } = (await answer.json()) as Issue
    known.push({ id, title })
  }
}

async function assertReadable(t: Test, get: (path: string) => Promise<Response>, known: Issue[]): Promise<void> {
  const lost: string[] = []
  for (const { id, title } of known) {
    const answer = await get(`/v1/issues/${id}`)
    if (answer.status !== 200 || ((await answer.json()) as Issue).title !== title) lost.push(title)
  }
  t.strictSame(lost, [])
}

t.test(
  'on a disk that is nearly full nothing more is stored, reading goes on, and nothing acknowledged is lost',
  { skip: !disk && 'a small disk cannot be mounted here' },
  async t => {
    const { dir, resize } = disk!
    const env = { TRACKER_DATA_DIR: dir, ...settings }
    const server = await startProcess(env)
    t.teardown(() => server.end('SIGKILL'))
    const { get, create } = client(server.url)
    const known: Issue[] = []

    const refused = await fill(create, known)
    t.equal(refused.status, 503)
    t.match(refused.headers.get('retry-after'), /^\d+$/)
    t.match(await refused.json(), { code: 'STORAGE_FULL', message: /disk.*full.*free space/ })
    t.ok(known.length > 0, `${known.length} issues were stored before`)

    // Somebody else fills the rest.
    writeFileSync(join(dir, 'other'), Buffer.alloc(freeBytes(dir) - MIB))
    await assertReadable(t, get, known)
    t.equal((await get('/v1/search?query=issue')).status, 200)
    t.equal((await create('Refused')).status, 503)
    const health = await get('/health/ready')
    t.equal(health.status, 503)
    t.match(await health.json(), { status: 'not ready', database: { state: 'read-only' } })
    t.equal((await get('/health/live')).status, 200)

    rmSync(join(dir, 'other'))
    resize(200)
    const again = await create('Stored again')
    t.equal(again.status, 201)
    known.push((await again.json()) as Issue)
    t.equal((await get('/health/ready')).status, 200)

    await server.end('SIGKILL')
    const next = await startProcess(env)
    t.teardown(() => next.end('SIGKILL'))
    await assertReadable(t, client(next.url).get, known)
  }
)

t.test(
  'a server on a full disk says so instead of starting, and starts when there is space',
  { skip: !disk && 'a small disk cannot be mounted here' },
  async t => {
    const { dir } = disk!
    const env = { TRACKER_DATA_DIR: dir, ...settings }
    writeFileSync(join(dir, 'other'), Buffer.alloc(freeBytes(dir) - MIB))
    await t.rejects(startProcess(env), { message: /The disk of the data directory .* is full: .* Free some space/ })
    rmSync(join(dir, 'other'))
    const server = await startProcess(env)
    t.equal((await client(server.url).get('/v1/users/me')).status, 200)
    await server.end('SIGKILL')
  }
)
