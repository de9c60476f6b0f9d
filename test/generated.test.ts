import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t from 'tap'
import { installed } from '../plugins/index.ts'

const root = new URL('..', import.meta.url)
const json = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as object

t.test('what follows from the code is fresh', async t => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/generate.ts', '--check'], {
    cwd: root
  })
  t.equal(stdout + stderr, '')
})

t.test('the default configuration fits the schema that editors use; a misspelt setting does not', async t => {
  const ajv = new Ajv({ strict: false })
  ;(addFormats as unknown as typeof addFormats.default)(ajv)
  const validate = ajv.compile(json('config/schema.json'))
  t.ok(validate(json('config/default.json')), JSON.stringify(validate.errors))
  t.notOk(validate({ plugins: { issues: { enable: true } } }))
})

t.test('the default configuration says of every installed plugin whether it is on', async t => {
  const { plugins } = json('config/default.json') as { plugins: Record<string, { enabled: boolean }> }
  t.strictSame(Object.keys(plugins), Object.keys(installed))
  const off = Object.keys(plugins).filter(name => !plugins[name]!.enabled)
  t.strictSame(off, ['oidc', 'oauth'], 'they need an identity provider, and an address of the server')
})
