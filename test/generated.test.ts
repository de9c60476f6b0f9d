import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t from 'tap'
import { makeAjv, problemsOf } from '../core/validation.ts'

const root = new URL('..', import.meta.url)
const json = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as object

interface Schema {
  properties?: Record<string, Schema>
}
/** The path of every setting. */
function* pathsOf({ properties = {} }: Schema, path: string[] = []): Generator<string[]> {
  for (const [key, schema] of Object.entries(properties)) {
    yield [...path, key]
    yield* pathsOf(schema, [...path, key])
  }
}

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

t.test('settings are judged as by their compiled schema, whatever they are', async t => {
  const schema = json('config/schema.json')
  const validate = makeAjv({ coerceTypes: false }).compile(schema)
  const values = [null, '', 'x', 'https://a.b', -1, 0, 1, 1.5, 1e12, true, [], ['x'], [1], {}, { a: 1 }]
  let accepted = 0
  const judgedOtherwise = [...pathsOf(schema)].flatMap(path =>
    values.flatMap(value => {
      const make = () => path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), structuredClone(value))
      const isValid = validate(make())
      if (isValid) accepted++
      return (problemsOf(schema, make(), '').length === 0) === isValid ? [] : [[path.join('.'), value]]
    })
  )
  t.strictSame(judgedOtherwise, [])
  t.ok(accepted > 100)
})
