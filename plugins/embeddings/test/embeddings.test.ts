import { execFileSync } from 'node:child_process'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { embeddingsHealth, untilEmbedded, untilEmbeddings } from '../../../test/embeddings.ts'
import { onPostgres } from '../../../test/runner/harness.ts'
import { writeModel } from '../../../test/tiny-model.ts'
import { modelIn } from '../model/files.ts'
import { load } from '../model/runtime.ts'
import { poolOf, serverWith, workspaceOf } from './helpers.ts'

const vehicles = {
  car: [1, 0, 0],
  automobile: [0.9, 0.1, 0],
  crash: [0, 1, 0],
  collision: [0.1, 0.9, 0],
  fruit: [0, 0, 1]
}
const modelDir = join(t.testdir(), 'vehicles')
await writeModel(modelDir, vehicles)

t.test('texts are found by what they mean, nearest first, by a text or by one of them', async t => {
  const server = await serverWith({ modelDir })
  t.teardown(() => server.close())
  const pool = poolOf(server, await workspaceOf(server))
  t.equal(await pool.find('car'), undefined, 'nothing could answer yet')
  await pool.put({ crash: 'Car crash', accident: 'Automobile automobile collision', apple: 'Fruit' })
  t.match(await untilEmbedded(server), { model: 'vehicles' })
  t.same(
    await pool.find('the collision of a car'),
    ['crash', 'accident'],
    'and nothing that is further away than wanted'
  )
  t.same(await pool.find('the collision of a car', { maxDistance: 2 }), ['crash', 'accident', 'apple'])
  t.same(await pool.find('automobile', { limit: 1 }), ['accident'])
  t.same(await pool.find('', { id: 'crash' }), ['accident'], 'not itself')
  t.same(await pool.find('xyzzy'), [], 'what means nothing is near nothing')
  t.equal(await pool.find(' '), undefined)

  t.test('changed texts are found as they are now, removed ones are not', async t => {
    await pool.put({ crash: 'Fruit', accident: 'Automobile collision' })
    await untilEmbedded(server)
    t.same(await pool.find('car crash'), ['accident'])
    await pool.remove('accident')
    t.same(await pool.find('car crash'), [])
    await pool.put({ apple: '' })
    t.same(await pool.find('fruit'), ['crash'])
  })

  t.test('other pools and workspaces are not affected', async t => {
    const { id } = await server.otherWorkspace()
    const [elsewhere, other] = [poolOf(server, id), poolOf(server, await workspaceOf(server), 'others')]
    await other.put({ mine: 'fruit fruit car' })
    await elsewhere.put({ theirs: 'fruit car' })
    await untilEmbedded(server)
    t.same(await elsewhere.find('fruit', { maxDistance: 2 }), ['theirs'])
    t.same(await other.find('fruit', { maxDistance: 2 }), ['mine'])
    t.same(await pool.find('fruit', { maxDistance: 2 }), ['crash'])
  })

  t.test('a long text is found by each of its parts', async t => {
    const filler = 'word '.repeat(300)
    await pool.put({ long: `automobile ${filler} collision ${filler} fruit` })
    await untilEmbedded(server)
    t.same((await pool.find('collision'))?.[0], 'long')
    t.same((await pool.find('automobile'))?.[0], 'long')
    t.same(await pool.find('', { id: 'crash' }), [], 'but like the text “Fruit” is what begins so')
    await pool.put({ long: `fruit ${filler} ${filler} automobile` })
    await untilEmbedded(server)
    t.same(await pool.find('', { id: 'crash' }), ['long'])
    await pool.put({ long: 'automobile' })
    await untilEmbedded(server)
    t.same(await pool.find('collision', { maxDistance: 0.5 }), [], 'a part that is gone is not')
  })
})

t.test('without a model the server serves, says so, and catches up when one turns up', async t => {
  const dir = join(t.testdir(), 'later')
  const server = await serverWith({ modelDir: dir })
  t.teardown(() => server.close())
  const pool = poolOf(server, await workspaceOf(server))
  await pool.put({ crash: 'car crash', apple: 'fruit' })
  t.same(await untilEmbeddings(server, { state: 'unavailable' }), { state: 'unavailable', model: null, backlog: 2 })
  t.equal(await pool.find('car'), undefined)
  await cp(modelDir, dir, { recursive: true })
  t.same(await untilEmbedded(server), { state: 'ready', model: 'later', backlog: 0 })
  t.same(await pool.find('automobile'), ['crash'])
  t.match(
    (await server.call('/metrics', { token: null })).body,
    /tracker_embeddings_searches_total{outcome="no vectors"} 1/,
    'and how often words alone had to do is counted'
  )
})

t.test('a search does not wait for long for a model that is busy', async t => {
  const server = await serverWith({ modelDir })
  t.teardown(() => server.close())
  const pool = poolOf(server, await workspaceOf(server))
  await pool.put({ crash: 'car crash' })
  await untilEmbedded(server)
  // All models of a process share a thread, which now waits for the writer of a pipe.
  const stuck = join(t.testdir(), 'stuck')
  await cp(modelDir, stuck, { recursive: true })
  const pipe = join(stuck, 'tokenizer.json')
  await rm(pipe)
  execFileSync('mkfifo', [pipe])
  const busy = t.rejects(load({ ...(await modelIn(stuck))!, maxTokens: 64 }), /no whole JSON file/)
  const answer = await Promise.race([pool.findOnce('automobile'), sleep(20_000, 'none yet', { ref: false })])
  await writeFile(pipe, 'half of a')
  await busy
  t.equal(answer, undefined, 'it went by words while the thread was held')
  t.match(
    (await server.call('/metrics', { token: null })).body,
    /tracker_embeddings_searches_total{outcome="too late"} 1/
  )
  t.same(await pool.find('automobile'), ['crash'])
})

t.test('a model follows another: the old one answers until the new one has everything', async t => {
  const dir = join(t.testdir(), 'model')
  await writeModel(dir, vehicles)
  const server = await serverWith({ modelDir: dir })
  t.teardown(() => server.close())
  const pool = poolOf(server, await workspaceOf(server))
  await pool.put({ crash: 'car crash', apple: 'fruit' })
  await untilEmbedded(server)
  t.same(await pool.find('automobile'), ['crash'])
  // To the new model a car is a fruit, in two dimensions.
  await writeModel(dir, { automobile: [1, 0], fruit: [1, 0], car: [0, 1], crash: [0, 1] })
  let answer: Array<string | undefined> | undefined
  do {
    answer = await pool.find('automobile')
    if (answer?.length !== 1) t.fail(`no answer: ${answer}`)
  } while (answer?.[0] !== 'apple')
  await untilEmbedded(server)
  t.same(await pool.find('automobile'), ['apple'])
  t.same(await pool.find('', { id: 'crash', maxDistance: 2 }), ['apple'])
})

t.test(
  'after a restart in between, too',
  { skip: !onPostgres && 'a second server needs a database that outlives the first' },
  async t => {
    const dir = t.testdir()
    await writeModel(join(dir, 'old'), { automobile: [1, 0], car: [1, 0], fruit: [0, 1] })
    await writeModel(join(dir, 'new'), { automobile: [0, 1], car: [1, 0], fruit: [0, 1] })
    const before = await serverWith({ modelDir: dir, modelUrl: 'http://127.0.0.1/old.tar.gz' })
    const workspaceId = await workspaceOf(before)
    await poolOf(before, workspaceId).put({ crash: 'car' })
    await untilEmbedded(before)
    const after = await serverWith(
      { modelDir: dir, modelUrl: 'http://127.0.0.1/new.tar.gz' },
      { on: before, settings: { jobs: false } }
    )
    t.match(await untilEmbeddings(after, { state: 'ready' }), { model: 'new' })
    const pool = poolOf(after, workspaceId)
    while ((await pool.find('automobile'))?.length !== 1) await sleep(20)
    t.pass('the old model embeds the query, as long as its vectors answer')
    await after.close()
    await before.close()
  }
)

t.test(
  'what one replica cannot embed another one does',
  { skip: !onPostgres && 'several servers need a database that they share' },
  async t => {
    const first = await serverWith({ modelDir: join(t.testdir(), 'absent') })
    const workspaceId = await workspaceOf(first)
    const pool = poolOf(first, workspaceId)
    await pool.put({ crash: 'car crash' })
    const second = await serverWith({ modelDir }, { on: first })
    await untilEmbedded(second)
    t.same(await embeddingsHealth(first), { state: 'unavailable', model: null, backlog: 0 })
    t.equal((await poolOf(second, workspaceId).find('automobile'))?.length, 1)
    t.equal(await pool.find('automobile'), undefined, 'a replica without the model goes by words')
    await pool.put({ accident: 'automobile' })
    await untilEmbedded(second)
    t.equal(await pool.find('', { id: 'crash' }), undefined, 'for a text that has its vector, too')
    await second.close()
    await first.close()
  }
)

t.test(
  'of replicas with different models the last one decides, and vectors are never mixed',
  { skip: !onPostgres && 'several servers need a database that they share' },
  async t => {
    const first = await serverWith({ modelDir })
    t.teardown(() => first.close())
    const workspaceId = await workspaceOf(first)
    await poolOf(first, workspaceId).put({ crash: 'car crash' })
    await untilEmbedded(first)
    const otherDir = join(t.testdir(), 'others')
    await writeModel(otherDir, { automobile: [1, 0], fruit: [1, 0], car: [0, 1], crash: [0, 1] })
    const second = await serverWith({ modelDir: otherDir }, { on: first })
    t.teardown(() => second.close())
    await untilEmbeddings(second, { state: 'ready' })
    // Both replicas may take the job of this text.
    await poolOf(first, workspaceId).put({ apple: 'fruit' })
    await untilEmbedded(second)
    const { rows } = await sql<{ model: string; texts: number; dimensions: number[] }>`
      select model, count(*)::integer as texts, array_agg(distinct vector_dims(vector)) as dimensions
      from embedding where workspace_id = ${workspaceId} group by model order by texts desc`.execute(second.database.db)
    t.match(rows[0], { model: /^others:/, texts: 2, dimensions: [2] }, 'the later model has all texts')
    t.match(rows.slice(1), [{ model: /^vehicles:/, dimensions: [3] }].slice(0, rows.length - 1))
    t.equal((await poolOf(second, workspaceId).find('automobile'))?.length, 1)
    t.equal(await poolOf(first, workspaceId).find('automobile'), undefined, 'without that model it goes by words')
  }
)
