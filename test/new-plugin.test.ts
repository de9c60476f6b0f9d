import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { copyCheckout } from './runner/checkout.ts'

const run = promisify(execFile)

/** The parts of a checkout that the generator and its checks read. */
const PARTS = [
  'core',
  'lib',
  'plugins',
  'test',
  'scripts',
  'config',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  '.taprc',
  '.npmrc',
  '.prettierrc.json',
  '.prettierignore',
  'eslint.config.js',
  '.oxlintrc.json',
  'bench',
  'examples',
  'tsconfig.browser.json',
  'tsconfig.ui.json'
]
/** Its commands see nothing of this environment, and so run on the embedded database. */
const skip = process.env['TEST_DATABASE_URL'] ? 'the same on either database' : false

t.test('generated plugins pass their tests and all checks, and run unchanged', { skip }, async t => {
  const copy = copyCheckout(t, PARTS)
  const shell = (command: string) =>
    run('bash', ['-c', command], {
      cwd: copy,
      env: { HOME: copy, PATH: `${join(copy, 'node_modules/.bin')}:${process.env['PATH']}` }
    })

  const { stdout: made } = await shell('npm run new-plugin release-notes')
  t.match(made, /Made plugins\/release-notes/)
  const [generate, check] = made
    .split('\n')
    .flatMap(line => /^ {2}(npm run (?:generate|check).*)$/.exec(line)?.[1] ?? [])
  t.match((await shell(generate!)).stdout, /config\/schema\.json.*docs\/import-format\.md.*plugins\/README\.md/)
  const { stdout } = await shell(check!)
  t.match(stdout, /# \{ total: (\d+), pass: \1 \}/, 'lint, types and its tests pass, run as the generator prints it')
  t.notMatch(stdout, /not ok/)

  // With a name of one word, other lines break.
  await shell('npm run new-plugin notes && npm run generate')
  const folders = 'plugins/release-notes plugins/notes'
  t.equal((await shell(`npx prettier --check ${folders} config plugins/index.ts`)).stderr, '')
  await shell(`eslint ${folders} && oxlint plugins && npm run types && npm run generate -- --check`)
  await t.rejects(shell('npm run check -- --plugin nowhere'), /There is no folder plugins\/nowhere/)
  await t.rejects(shell('npm run new-plugin release-notes'), /already/)
  await t.rejects(shell('npm run new-plugin No-Good'), /cannot be the name/)

  // A tool with a long description, for its own budget.
  const tools = join(copy, 'plugins/release-notes/tools.ts')
  writeFileSync(tools, readFileSync(tools, 'utf8').replace('Add an entry', `Add an entry ${'and more '.repeat(120)}`))
  // In one process: each would load and compile everything again.
  const others = [
    'plugins/mcp/test/every-tool.test.ts',
    'plugins/skills/test/guides.test.ts',
    'test/statements.test.ts'
  ]
  writeFileSync(join(copy, 'test/others.test.ts'), others.map(file => `await import('../${file}')\n`).join(''))
  const { stdout: results } = await shell('tap test/others.test.ts')
  t.match(results, /# \{ total: (\d{3,}), pass: \1 \}/, 'no test of another plugin fails because of it')
  t.notMatch(results, /not ok/)
})
