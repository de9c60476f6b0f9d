import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

t.test('a new plugin is tested, checked and runs as it is made', async t => {
  const copy = mkdtempSync(join(tmpdir(), 'tracker-new-plugin-'))
  t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of [
    'core',
    'plugins',
    'test',
    'scripts',
    'config',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md'
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const node = (...args: string[]) => run(process.execPath, args, { cwd: copy, env: { ...process.env, TAP: '' } })

  t.match((await node('scripts/new-plugin.ts', 'notes')).stdout, /Made plugins\/notes/)
  t.match((await node('scripts/generate.ts')).stdout, /config\/schema\.json.*plugins\/README\.md/)
  const { stdout } = await node('plugins/notes/test/notes.test.ts')
  t.match(stdout, /# \{ total: \d+, pass: \d+ \}|\n1\.\.5\n/)
  t.notMatch(stdout, /not ok/)
  await t.rejects(node('scripts/new-plugin.ts', 'notes'), /already/)
  await t.rejects(node('scripts/new-plugin.ts', 'No-Good'), /cannot be the name/)
})
