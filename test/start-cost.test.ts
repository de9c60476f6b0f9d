import t from 'tap'
import { loadedModules } from './loaded-modules.ts'

/** Maximum modules of a start: half of its processor time is finding, reading and linking them. */
const MAX_MODULES = 2_420
/** Modules that only some requests or commands need, or a start that has to build something. */
const LAZY = new RegExp(
  '/node_modules/(@aws-sdk|@smithy|@modelcontextprotocol|zod|undici|esbuild|ioredis|gpt-tokenizer|onnxruntime-node)/' +
    '|/node_modules/@opentelemetry/(?!api/)|/telemetry/(?!command|examination|load|telemetry)|/migrations/'
)

t.test('a start loads few modules', async t => {
  const modules = await loadedModules()
  t.ok(modules.length > 1_000 && modules.length <= MAX_MODULES, `${modules.length} modules`)
  t.strictSame(
    modules.filter(url => LAZY.test(url)),
    []
  )
})
