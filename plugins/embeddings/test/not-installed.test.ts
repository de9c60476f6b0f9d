import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { TEST_DATABASE_URL } from '../../../test/runner/harness.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'

/** Simulates `npm install --omit=optional` for these packages. */
const WITHOUT_OPTIONAL_PACKAGES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const missing = /^(@huggingface[/]tokenizers|tar|onnxruntime-)/
  registerHooks({
    resolve(specifier, context, next) {
      if (!missing.test(specifier)) return next(specifier, context)
      throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' })
    }
  })`)}`

t.test('without the optional packages the server starts, and says in one sentence what to install', async t => {
  const database = await migratedDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  const server = await startProcess({
    ...database.env,
    ...onlyPlugins('embeddings'),
    NODE_OPTIONS: `--import=${WITHOUT_OPTIONAL_PACKAGES}`
  })
  t.teardown(() => server.end('SIGKILL'))
  let state = 'loading'
  while (state === 'loading') {
    await sleep(50)
    const ready = (await (await fetch(`${server.url}/health/ready`)).json()) as { embeddings: { state: string } }
    state = ready.embeddings.state
  }
  t.equal(state, 'not installed')
  t.match(server.output(), /"msg":"[^".]*not installed: npm run tracker -- model install [^".]*\."/)
})
