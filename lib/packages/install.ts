import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { extract } from 'tar'

const run = promisify(execFile)

const UNFINISHED = '.unfinished-packages'

/** A package at the version with which this server was tested. */
export interface TestedPackage {
  name: string
  version: string
  /** Where it goes, in the folder of modules. Default: its name. */
  path?: string
}

export interface Installation {
  packages: readonly TestedPackage[]
  /** The folder of modules that they are installed in. */
  modules: string
  /** The names of those that are loaded on trial. */
  entries: readonly string[]
  /** The command that installs them, for messages: `model install`. */
  command: string
  /** The folder of the archives, as `npm pack` names them; undefined: npm downloads them. */
  from?: string | undefined
}

/** The name of its archive, as `npm pack` writes it. */
export const archiveOf = ({ name, version }: TestedPackage) =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

const folderOf = ({ name, path = name }: TestedPackage) => path

export function isInstalledIn(modules: string, required: TestedPackage): boolean {
  const manifest = join(modules, folderOf(required), 'package.json')
  if (!existsSync(manifest)) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === required.version
}

/**
 * Installs packages from their archives. They are put in place when all of them are unpacked and can be loaded: after a
 * failure everything is as before.
 * @throws Error that says what to do
 */
export async function installPackages({ packages, modules, entries, command, from }: Installation): Promise<void> {
  const unfinished = join(modules, UNFINISHED)
  try {
    await rm(unfinished, { recursive: true, force: true })
    const unpacked = join(unfinished, 'node_modules')
    await mkdir(unpacked, { recursive: true })
    const archives = from ?? unfinished
    if (from === undefined) await download(packages, unfinished, command)
    for (const each of packages) await unpack(join(archives, archiveOf(each)), join(unpacked, folderOf(each)), packages)
    await assertUsable(entries, unfinished)
    for (const path of packages.map(folderOf).filter(path => !isWithinOther(path))) {
      const target = join(modules, path)
      await rm(target, { recursive: true, force: true })
      await mkdir(dirname(target), { recursive: true })
      await rename(join(unpacked, path), target)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new Error(`${modules} cannot be written (${code}): run this as the user who installed tracker.`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** It moves with the package that it is for. */
const isWithinOther = (path: string) => path.includes('/node_modules/')

const packCommand = (packages: readonly TestedPackage[]) =>
  `npm pack ${packages.map(({ name, version }) => `${name}@${version}`).join(' ')}`

async function download(packages: readonly TestedPackage[], to: string, command: string): Promise<void> {
  const [npm = '', ...args] = packCommand(packages).split(' ')
  // A registry that cannot be reached is reported after seconds, not after minutes.
  const options = ['--loglevel=error', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  await run(npm, [...args, ...options], { cwd: to }).catch((error: NodeJS.ErrnoException & { stderr: string }) => {
    throw new Error(
      `${problemOf(error)} Nothing was changed. Where there are npm and a network, run ${packCommand(packages)}, ` +
        `and here npm run tracker -- ${command} --from FOLDER with the folder of the files that it writes.`,
      { cause: error }
    )
  })
}

function problemOf({ code, stderr }: NodeJS.ErrnoException & { stderr: string }): string {
  if (code === 'ENOENT') return 'npm, which downloads the packages, is not on the PATH: it comes with Node.'
  const unreachable = /\b(?:EAI_AGAIN|ENOTCACHED|ENOTFOUND|ECONN\w+|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\b/.exec(stderr)
  if (unreachable) return `npm does not reach its registry (${unreachable[0]}).`
  const lines = stderr.split('\n').map(line => line.replace(/^npm error ?/, '').trim())
  return `npm cannot download the packages: ${lines.filter(line => line && !/complete log/.test(line)).join(' ')}`
}

/** Libraries of other platforms are left out: they are five sixths of what runs a model. */
export const isForeign = (path: string): boolean =>
  /(?:^|\/)bin(?:\/[^/]+){3}\//.test(path) && !path.includes(`/${process.platform}/${process.arch}/`)
/** A server does not read these. */
const isUnused = (path: string): boolean => /\.(?:map|d\.[cm]?ts)$/.test(path)

async function unpack(archive: string, to: string, packages: readonly TestedPackage[]): Promise<void> {
  if (!existsSync(archive)) {
    throw new Error(`There is no ${archive}: ${packCommand(packages)} writes the files that are needed.`)
  }
  await mkdir(to, { recursive: true })
  const filter = (path: string) => !isForeign(path) && !isUnused(path)
  await extract({ file: archive, cwd: to, strip: 1, strict: true, filter }).catch((error: Error) => {
    throw new Error(`${archive} cannot be unpacked: ${error.message}`, { cause: error })
  })
}

/** Loads the packages in a process of its own: not every system has what their libraries need. */
async function assertUsable(entries: readonly string[], folder: string): Promise<void> {
  const code = entries.map(name => `await import(${JSON.stringify(name)})`).join('\n')
  await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder }).catch(
    (error: Error & { stderr: string }) => {
      const reason = /^\w*Error\b.*$/m.exec(error.stderr)?.[0] ?? error.message
      throw new Error(`The packages cannot be loaded on this machine, and were not installed: ${reason}`, {
        cause: error
      })
    }
  )
}
