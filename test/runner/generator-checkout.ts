import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { copyCheckout } from './checkout.ts'

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

/** A copy of the project in which a test generates plugins, and runs commands. */
export interface GeneratorCheckout {
  copy: string
  /** @throws with `stdout` and `stderr` when the command fails */
  shell(command: string): Promise<{ stdout: string; stderr: string }>
}

/** The commands see nothing of this environment, and so run on the embedded database. */
export function generatorCheckout(t: Test): GeneratorCheckout {
  const copy = copyCheckout(t, PARTS)
  return {
    copy,
    shell: command =>
      run('bash', ['-c', command], {
        cwd: copy,
        env: { HOME: copy, PATH: `${join(copy, 'node_modules/.bin')}:${process.env['PATH']}` }
      })
  }
}
