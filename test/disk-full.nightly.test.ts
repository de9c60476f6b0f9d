import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freeBytes } from '../lib/util/free-bytes.ts'
import { newToken } from '../core/auth/tokens.ts'
import { onlyPlugins, startProcess, trackerIn } from './runner/process.ts'
import { smallDisk } from './runner/small-disk.ts'

const MIB = 1024 * 1024
const TRACKER_ADMIN_TOKEN = newToken()
const settings = { TRACKER_ADMIN_TOKEN, ...onlyPlugins('workspace', 'issues', 'comments', 'search') }

const disk = smallDisk(52)
const indexedDisk = smallDisk(54)
t.teardown(() => {
  disk?.remove()
  indexedDisk?.remove()
})

function client(url: string) {
  const headers = { authorization: `Bearer ${TRACKER_ADMIN_TOKEN}`, 'content-type': 'application/json' }
  return {
    get: (path: string) => fetch(url + path, { headers }),
    create: (title: string, descriptionMarkdown = oneWord()) =>
      fetch(`${url}/v1/issues`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ teamId: 'ENG', title, descriptionMarkdown })
      })
  }
}

/** Texts that are hard to compress: one word takes its length, many words ten times that to be indexed. */
const oneWord = () => manyWords().replace(/[+/]/g, 'a')
const manyWords = () => randomBytes(45_000).toString('base64')

interface Health {
  status: string
  events: { lag: { 'search/index': { events: number } } }
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

    // Another process fills the rest.
    writeFileSync(join(dir, 'other'), Buffer.alloc(freeBytes(dir) - MIB))
    await assertReadable(t, get, known)
    t.equal((await get('/v1/search?query=issue')).status, 200)
    t.equal((await create('Refused')).status, 503)
    const health = await get('/health/ready')
    t.equal(health.status, 503)
    t.match(await health.json(), { status: 'not ready', database: { state: 'read-only' } })
    t.equal((await get('/health/live')).status, 200)
    const examined = await trackerIn(env, 'doctor')
    t.equal(examined.code, 2)
    t.match(examined.out, /^wrong\tdisk\tOnly \d+ MiB are free/m)

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
    const afterKill = await trackerIn(env, 'doctor')
    t.match(afterKill.out, /^well\tdatabase\t/m, 'a killed server leaves nothing wrong')
    t.match(afterKill.out, /^well\tevents\t/m)
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

t.test(
  'indexing that needs more space than there is leaves the database working, and is done when there is space',
  { skip: !indexedDisk && 'a small disk cannot be mounted here' },
  async t => {
    const { dir, resize } = indexedDisk!
    const server = await startProcess({ TRACKER_DATA_DIR: dir, ...settings })
    t.teardown(() => server.end('SIGKILL'))
    const { get, create } = client(server.url)
    const health = async () => (await (await get('/health/ready')).json()) as Health
    const words: string[] = []
    for (let { status, events } = await health(); status === 'ready'; { status, events } = await health()) {
      // Indexing must begin before the disk is read-only: afterwards it would be refused as a whole.
      if (freeBytes(dir) < 18 * MIB && events.lag['search/index'].events > 0) continue
      const text = manyWords()
      const answer = await create('Indexed', text)
      if (answer.status === 201) words.push(text.split(/[+/]/).find(({ length }) => length > 10 && length < 40)!)
    }
    t.ok(words.length > 1, `${words.length} issues were stored`)
    const isFound = async (word: string) => {
      const hits = (await (await get(`/v1/search?query=${word}`)).json()) as Array<{ descriptionMarkdown: string }>
      return hits[0]?.descriptionMarkdown.includes(word)
    }

    t.ok(freeBytes(dir) > 4 * MIB, 'the write-ahead log has space')
    resize(400)
    while (!(await isFound(words.at(-1)!))) await sleep(100)
    for (const word of words) t.ok(await isFound(word), `${word} is found`)
  }
)
