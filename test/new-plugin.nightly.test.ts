import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { generatorCheckout } from './runner/generator-checkout.ts'

/** Maximum files and lines of a generated plugin. */
const MAX_FILES = 8
const MAX_LINES = 200

const skip = process.env['TEST_DATABASE_URL'] ? 'the same on either database' : false

t.test('generated plugins pass their tests and all checks, and run unchanged', { skip }, async t => {
  const { copy, shell } = generatorCheckout(t)

  const { stdout: output } = await shell('npm run new-plugin release-notes')
  t.match(output, /Made plugins\/release-notes/)
  const [generate, check] = output
    .split('\n')
    .flatMap(line => /^ {2}(npm run (?:generate|check).*)$/.exec(line)?.[1] ?? [])
  t.match((await shell(generate!)).stdout, /config\/schema\.json.*docs\/import-format\.md.*plugins\/README\.md/)
  // With a name of one word, other lines break. Its types are checked with those of the first.
  await shell('npm run new-plugin notes && npm run generate')
  const folders = 'plugins/release-notes plugins/notes'
  t.equal((await shell(`npx prettier --check ${folders} config plugins/index.ts`)).stderr, '')
  await shell('eslint plugins/notes')
  t.strictSame([...oversized(copy, 'release-notes'), ...oversized(copy, 'notes')], [])
  const { stdout } = await shell(check!)
  t.match(stdout, /# \{ total: (\d+), pass: \1 \}/, 'lint, types and its tests pass, run as the generator prints it')
  t.notMatch(stdout, /not ok/)
  await shell('npm run generate -- --check')
  await t.rejects(shell('npm run check -- --plugin nowhere'), /There is no folder plugins\/nowhere/)
  await t.rejects(shell('npm run new-plugin release-notes'), /already/)
  await t.rejects(shell('npm run new-plugin No-Good'), /cannot be the name/)
  await t.rejects(shell('npm run new-plugin event-log'), /The core uses the name/)
  await t.rejects(shell('npm run new-plugin jobs'), /The core uses the name/)
})

/** @returns the sizes of the plugin that are too large */
function oversized(copy: string, plugin: string): string[] {
  const files = globSync(`plugins/${plugin}/**/*.{ts,tsx,md}`, { cwd: copy })
  const lines = files.reduce((sum, file) => sum + readFileSync(join(copy, file), 'utf8').split('\n').length - 1, 0)
  return [
    ...(files.length > MAX_FILES ? [`${files.length} files`] : []),
    ...(lines > MAX_LINES ? [`${lines} lines`] : [])
  ]
}
