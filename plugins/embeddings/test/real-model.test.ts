import t from 'tap'
import { modelIn } from '../model/files.ts'
import { load } from '../model/runtime.ts'

/** Real weights: `TEST_MODEL_DIR=$(scripts/model.sh) npx tap plugins/embeddings/test/real-model.test.ts`. */
const modelDir = process.env['TEST_MODEL_DIR']
const skip = modelDir === undefined && 'TEST_MODEL_DIR names no folder of a model'

t.test('a vector is that of its text, whatever was embedded beside it', { skip }, async t => {
  const model = await load({ ...(await modelIn(modelDir!))!, maxTokens: 256 })
  const odd = [
    'car',
    'car '.repeat(2_000),
    '日本語 APIエラー',
    '👩‍👩‍👧 straße',
    '\u0000\u200b',
    'x'.repeat(100_000),
    '[SEP]'
  ]
  const together = await model.embed(odd)
  for (const [n, text] of odd.entries()) t.same(together[n], (await model.embed([text]))[0])
  for (const vector of together) t.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  const [crash, collision, fruit] = await model.embed([
    'The car crashes',
    'Automobile collision',
    'Fruit in the cellar'
  ])
  const cosine = (a: number[], b: number[]) => a.reduce((sum, value, n) => sum + value * b[n]!, 0)
  t.ok(cosine(crash!, collision!) > cosine(crash!, fruit!) + 0.1)
})
