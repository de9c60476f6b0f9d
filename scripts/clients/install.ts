import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './world.ts'

const runFile = promisify(execFile)

/** The path with this Node first: npm chooses versions of packages by the Node that runs it. */
export const pathWithNode = (): string => [dirname(process.execPath), process.env['PATH']].join(delimiter)

/** Installs the newest versions of packages from npm. @returns the folder of their commands */
export async function install(folder: string, packages: readonly string[]): Promise<string> {
  await makeFolder(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const names = packages.map(name => `${name}@latest`)
  await runFile('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', ...names], {
    cwd: folder,
    env: { ...process.env, PATH: pathWithNode() },
    maxBuffer: Infinity
  })
  return join(folder, 'node_modules', '.bin')
}

export async function versionOf(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await runFile(command, ['--version'], { env })
  return stdout.split(/\s/).find(word => /^\d+\.\d/.test(word)) ?? stdout.trim()
}
