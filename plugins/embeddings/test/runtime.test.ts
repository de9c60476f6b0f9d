import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeModel } from '../../../test/tiny-model.ts'
import { modelIn } from '../model/files.ts'
import { isInstalled, runtimePackages } from '../model/packages.ts'
import { load } from '../model/runtime.ts'
import { threadsOn } from '../model/threads.ts'

const dir = t.testdir()
await writeModel(dir, { car: [1, 0], automobile: [3, 0], fruit: [0, 1] })
const files = { ...(await modelIn(dir))!, maxTokens: 64 }

t.test('a real model makes vectors of length 1 of texts', async t => {
  const model = await load(files)
  t.equal(model.dimensions, 2)
  const [car, automobile, fruit, unknown] = await model.embed(['car', 'Automobile', 'fruit', 'xyzzy'])
  t.same(car, automobile, 'what means the same, whatever the other texts are')
  t.same(fruit, [0, 1])
  t.same(unknown, [0, 0])
  t.same(await model.embed([]), [])
})

t.test('half of the cores are left to requests', async t => {
  t.same([1, 2, 3, 4, 8, 16].map(threadsOn), [1, 1, 1, 2, 4, 4])
})

t.test('a model gets as many threads as it should, on fewer cores, too, with the same vectors', async t => {
  // A process of its own, because onnxruntime can be loaded by one thread of a process; each model adds its threads.
  const content = `
    import { existsSync, readdirSync } from 'node:fs'
    const { OnnxModel } = await import(${JSON.stringify(new URL('../onnx-model.ts', import.meta.url).href)})
    const threads = () => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : null)
    const load = n => OnnxModel.load(${JSON.stringify(files)}, 64, n)
    await load(1)
    const results = []
    for (const n of [1, 2, 4, 16]) {
      const before = threads()
      const vector = await (await load(n)).embed('car fruit car')
      results.push({ n, vector, more: before === null ? n - 1 : threads() - before })
    }
    console.log(JSON.stringify(results))`
  const script = join(t.testdir({ 'threads.mjs': content }), 'threads.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  const vector = [2 / Math.hypot(2, 1), 1 / Math.hypot(2, 1)]
  t.same(
    JSON.parse(stdout || 'null'),
    [1, 2, 4, 16].map(n => ({ n, vector, more: n - 1 })),
    stderr
  )
})

t.test('the vectors of the words become one as the files say it', async t => {
  const meanings = { car: [1, 0], fruit: [0, 1] }
  const vectorBy = async (pooling: 'first' | 'mean') => {
    const dir = t.testdir({ [pooling]: {} })
    await writeModel(join(dir, pooling), meanings, pooling)
    const model = await load({ ...(await modelIn(join(dir, pooling)))!, maxTokens: 64 })
    return { fingerprint: model.fingerprint, vectors: await model.embed(['car fruit car car']) }
  }
  const [first, mean] = [await vectorBy('first'), await vectorBy('mean')]
  t.same(first.vectors, [[1, 0]])
  t.same(mean.vectors, [[3 / Math.sqrt(10), 1 / Math.sqrt(10)]])
  t.not(first.fingerprint, mean.fingerprint, 'and others cannot be compared with them')
})

t.test('of a long text its beginning is read', async t => {
  const model = await load(files)
  t.same(await model.embed([`${'car '.repeat(63)}${'xyzzy '.repeat(20_000)}${'fruit '.repeat(2)}`]), [
    [63 / Math.hypot(63, 1), 1 / Math.hypot(63, 1)]
  ])
})

t.test('a half or foreign tokenizer is refused by name, and the others go on', async t => {
  const dir = t.testdir()
  await writeModel(dir, { car: [1] })
  const path = join(dir, 'tokenizer.json')
  const whole = await readFile(path, 'utf8')
  const foreign = whole.replace('"continuing_subword_prefix":"##",', '').replace('"WordPiece"', '"WordLevel"')
  for (const [content, message] of [
    [whole.slice(0, 100), /tokenizer\.json is no whole JSON file/],
    [foreign, /tokenizer\.json is of a kind that cannot be used/]
  ] as const) {
    await writeFile(path, content)
    await t.rejects(load({ ...(await modelIn(dir))!, maxTokens: 64 }), { message })
  }
  t.same(await (await load(files)).embed(['car']), [[1, 0]])
})

t.test('the same files have the same fingerprint, others another', async t => {
  const other = t.testdir()
  await writeModel(other, { car: [0, 1] })
  const [first, second, third] = await Promise.all([
    load(files),
    load(files),
    load({ ...(await modelIn(other))!, maxTokens: 64 })
  ])
  t.equal(first!.fingerprint, second!.fingerprint)
  t.not(first!.fingerprint, third!.fingerprint)
  t.same(await third!.embed(['car']), [[0, 1]], 'each model answers for itself')
})

t.test('urgent texts are embedded first, aborted ones never', async t => {
  const model = await load(files)
  const order: string[] = []
  const ask = (name: string, options = {}) =>
    model.embed(['car'], options).then(
      () => order.push(name),
      () => order.push(`not ${name}`)
    )
  const controller = new AbortController()
  const all = [
    ask('first'),
    ask('second'),
    ask('third', { signal: controller.signal }),
    ask('urgent', { urgent: true }),
    ask('urgent, too', { urgent: true })
  ]
  controller.abort()
  await Promise.all(all)
  t.same(order, ['not third', 'first', 'urgent', 'urgent, too', 'second'])
})

t.test('a process may exit once the model is released, whatever it was doing', async t => {
  const content = `
    const { load } = await import(${JSON.stringify(new URL('../model/runtime.ts', import.meta.url).href)})
    const model = await load(${JSON.stringify(files)})
    model.embed(new Array(20_000).fill('car')).catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 50))
    await model.release()
    process.exit(0)`
  const script = join(t.testdir({ 'exit.mjs': content }), 'exit.mjs')
  // Without the wait about one of three aborts.
  for (let n = 0; n < 3; n++) {
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    t.equal(status, 0, stderr)
  }
})

t.test('a file that is no model is refused, and the others go on', async t => {
  const broken = t.testdir()
  await writeModel(broken, { car: [1] })
  await writeFile(join(broken, 'model.onnx'), 'half of a mod')
  await t.rejects(load({ ...(await modelIn(broken))!, maxTokens: 64 }), { message: /load|parse|protobuf/i })
  t.same(await (await load(files)).embed(['car']), [[1, 0]])
})

t.test('a folder without all of the files holds no model', async t => {
  t.equal(await modelIn(join(dir, 'absent')), undefined)
  const partial = t.testdir()
  await writeFile(join(partial, 'model.onnx'), '')
  t.equal(await modelIn(partial), undefined)
})

t.test('the packages are those of package.json, at one version of onnxruntime', t => {
  t.ok(runtimePackages().every(isInstalled), 'the lock file has onnxruntime-common at this version')
  t.notOk(isInstalled({ name: 'onnxruntime-node', version: '0.0.1' }))
  t.notOk(isInstalled({ name: 'no-such-package', version: '0.0.1' }))
  t.end()
})
