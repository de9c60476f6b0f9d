/*
 * `npm run check`: lint, types and generated files of the project.
 * `npm run check -- --plugin FOLDER`: lint, types and tests of one plugin, and the generated files.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { readOptions } from './read-options.ts'

const { plugin } = readOptions('npm run check [-- --plugin FOLDER]', { options: { plugin: { type: 'string' } } }).values

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function run(...[command, ...args]: [string, ...string[]]): Promise<void> {
  const [code] = (await once(spawn(command, args, { stdio: 'inherit' }), 'exit')) as [number | null]
  if (code !== 0) fail(`This check failed: ${[command, ...args].join(' ')}`)
}

async function checkPlugin(folder: string): Promise<void> {
  const path = `plugins/${folder}`
  if (!/^[a-z-]+$/.test(folder) || !existsSync(path)) {
    fail(`There is no folder ${path}: name a folder of plugins/, e.g. npm run check -- --plugin comments`)
  }
  await run('eslint', path)
  await run('oxlint', path)
  await run('prettier', '--check', path)
  await run('tsc')
  if (existsSync(`${path}/contract.ts`)) await run('tsc', '-p', 'tsconfig.browser.json')
  if (existsSync(`${path}/ui`)) await run('tsc', '-p', 'tsconfig.ui.json')
  const tests = globSync(`${path}/**/*.test.ts`).sort()
  if (tests.length === 0) fail(`${path} has no tests: add ${path}/test/${folder}.test.ts`)
  await run('npm', 'test', '--', ...tests)
  await run('npm', 'run', 'generate', '--', '--check')
}

async function checkProject(): Promise<void> {
  await run('npm', 'run', 'lint')
  await run('npm', 'run', 'types')
  await run('npm', 'run', 'generate', '--', '--check')
}

await (plugin === undefined ? checkProject() : checkPlugin(plugin))
