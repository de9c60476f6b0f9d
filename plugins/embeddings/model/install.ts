import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extract } from 'tar'

const run = promisify(execFile)

interface Manifest {
  version: string
  optionalDependencies: Record<string, string>
}
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest

const MANIFEST = fileURLToPath(new URL('../../../package.json', import.meta.url))

/** A package that runs a model, at the version with which this server was tested. */
export interface RuntimePackage {
  name: string
  version: string
}
/** The name of its archive, as `npm pack` writes it. */
export const archiveOf = ({ name, version }: RuntimePackage) =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/**
 * The packages that run a model. Of what onnxruntime-node depends on, only onnxruntime-common is loaded: the rest is
 * for its install script, which fetches what graphics cards need.
 */
export function runtimePackages(): RuntimePackage[] {
  const versions = readManifest(MANIFEST).optionalDependencies
  const packages = Object.entries({ 'onnxruntime-common': versions['onnxruntime-node']!, ...versions })
  return packages.map(([name, version]) => ({ name, version }))
}

/** True if the server would load a package from somewhere, and at this version. */
export function isInstalled({ name, version }: RuntimePackage): boolean {
  try {
    const manifest = findPackageJSON(name, import.meta.url)
    return manifest !== undefined && readManifest(manifest).version === version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

/**
 * Installs packages from their archives. They are put in place when all of them are unpacked and can be loaded: after a
 * failure everything is as before.
 * @param from the folder of the archives, as `npm pack` names them; else npm downloads them
 * @throws Error that says what to do
 */
export async function installPackages(packages: readonly RuntimePackage[], modules: string, from?: string) {
  const unfinished = join(modules, '.unfinished-model-runtime')
  try {
    await rm(unfinished, { recursive: true, force: true })
    const unpacked = join(unfinished, 'node_modules')
    await mkdir(unpacked, { recursive: true })
    const archives = from ?? unfinished
    if (from === undefined) await download(packages, unfinished)
    for (const each of packages) await unpack(join(archives, archiveOf(each)), join(unpacked, each.name), packages)
    await assertUsable(packages, unfinished)
    for (const { name } of packages) {
      const target = join(modules, name)
      await rm(target, { recursive: true, force: true })
      await mkdir(dirname(target), { recursive: true })
      await rename(join(unpacked, name), target)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new Error(`${modules} cannot be written (${code}): run this as the user who installed tracker.`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

const packCommand = (packages: readonly RuntimePackage[]) =>
  `npm pack ${packages.map(({ name, version }) => `${name}@${version}`).join(' ')}`

async function download(packages: readonly RuntimePackage[], to: string): Promise<void> {
  const [npm = '', ...args] = packCommand(packages).split(' ')
  // A registry that cannot be reached is reported after seconds, not after minutes.
  const options = ['--loglevel=error', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  await run(npm, [...args, ...options], { cwd: to }).catch((error: NodeJS.ErrnoException & { stderr: string }) => {
    throw new Error(
      `${problemOf(error)} Nothing was changed. Where there are npm and a network, run ${packCommand(packages)}, ` +
        'and here npm run tracker -- model install --from FOLDER with the folder of the files that it writes.',
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

/** Libraries of other platforms are left out: they are five sixths of the whole. */
export const isForeign = (path: string): boolean =>
  /(?:^|\/)bin(?:\/[^/]+){3}\//.test(path) && !path.includes(`/${process.platform}/${process.arch}/`)

async function unpack(archive: string, to: string, packages: readonly RuntimePackage[]): Promise<void> {
  if (!existsSync(archive)) {
    throw new Error(`There is no ${archive}: ${packCommand(packages)} writes the files that are needed.`)
  }
  await mkdir(to, { recursive: true })
  await extract({ file: archive, cwd: to, strip: 1, strict: true, filter: path => !isForeign(path) }).catch(
    (error: Error) => {
      throw new Error(`${archive} cannot be unpacked: ${error.message}`, { cause: error })
    }
  )
}

/** Loads the packages in a process of its own: not every system has what their libraries need. */
async function assertUsable(packages: readonly RuntimePackage[], folder: string): Promise<void> {
  const code = packages.map(({ name }) => `await import(${JSON.stringify(name)})`).join('\n')
  await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder }).catch(
    (error: Error & { stderr: string }) => {
      const reason = /^\w*Error\b.*$/m.exec(error.stderr)?.[0] ?? error.message
      throw new Error(`The packages cannot be loaded on this machine, and were not installed: ${reason}`, {
        cause: error
      })
    }
  )
}
