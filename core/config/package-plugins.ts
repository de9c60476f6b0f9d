import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, findPackageJSON, registerHooks } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { satisfies } from 'semver'
import type { Plugin } from '../api/plugin.ts'
import { version } from '../../lib/packages/version.ts'

/*
 * Plugins that are packages of their own: the setting `plugins.<name>.from` names a package or a path.
 * See docs/plugin-packages.md.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The fields of a plugin's `package.json` that are read here. */
interface PackageFile {
  name?: string
  version?: string
  exports?: unknown
  peerDependencies?: Record<string, string>
}
/** A module as an import in the module `parentURL` would name it. */
interface Place {
  specifier: string
  parentURL: string
  packageFile: string | undefined
}

/**
 * Loads the plugin of a package.
 * @param name the name of the plugin in the configuration
 * @param from the name of a package, or a path: of a module, or of the folder of a package. It is looked for beside the
 *   configuration file, in the working directory, and in the folder of tracker.
 * @throws Error with a sentence that says what to do
 */
export async function loadPackage(name: string, from: string, env: NodeJS.ProcessEnv): Promise<Plugin> {
  const { TRACKER_CONFIG: file } = env
  const folders = [...new Set([...(file ? [dirname(resolve(file))] : []), process.cwd(), resolve(ROOT)])]
  const find = isPath(from) ? findPath : findPackage
  const place = folders.map(folder => find(folder, from)).find(place => place !== undefined)
  if (place === undefined) throw new Error(notFound(from, folders))
  assertFits(from, place.packageFile === undefined ? {} : readPackage(place.packageFile))
  const plugin = pluginOf(await importPlace(place).catch((error: unknown) => failToLoad(from, error)))
  if (plugin === undefined) {
    throw new Error(`'${from}' has no plugin: its main module must export by default what definePlugin returns`)
  }
  if (plugin.name === name) return plugin
  throw new Error(`'${from}' is the plugin '${plugin.name}': write plugins.${plugin.name} instead of plugins.${name}`)
}

function notFound(from: string, folders: readonly string[]): string {
  return isPath(from)
    ? `there is no '${from}' in ${folders.join(', ')}: correct the path, or write an absolute one`
    : `there is no package '${from}' in ${folders.join(', ')}: run npm install ${from} in one of these folders`
}

const isPath = (from: string): boolean => from.startsWith('.') || isAbsolute(from)
const readPackage = (path: string): PackageFile => JSON.parse(readFileSync(path, 'utf8')) as PackageFile

function findPackage(folder: string, from: string): Place | undefined {
  const parentURL = pathToFileURL(join(folder, '/')).href
  try {
    const packageFile = findPackageJSON(from, parentURL)
    return packageFile === undefined ? undefined : { specifier: from, parentURL, packageFile }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function findPath(folder: string, from: string): Place | undefined {
  const path = resolve(folder, from)
  if (!existsSync(path)) return undefined
  const parentURL = pathToFileURL(join(path, '/')).href
  if (!statSync(path).isDirectory()) {
    const { href } = pathToFileURL(path)
    return { specifier: href, parentURL, packageFile: findPackageJSON(href) }
  }
  const packageFile = join(path, 'package.json')
  const { name, exports } = existsSync(packageFile) ? readPackage(packageFile) : {}
  // With `exports`, a package is named by its own modules as by others.
  const specifier = name !== undefined && exports !== undefined ? name : pathToFileURL(mainModule(path)).href
  return { specifier, parentURL, packageFile }
}

function mainModule(folder: string): string {
  try {
    return createRequire(join(folder, '/')).resolve(folder)
  } catch (error) {
    throw new Error(`the folder ${folder} has no main module: name it in "exports" of its package.json`, {
      cause: error
    })
  }
}

/** @throws Error when the package is for another version of tracker */
function assertFits(from: string, { version: ofPackage = '', peerDependencies }: PackageFile): void {
  const range = peerDependencies?.['tracker']
  // A development version has the API of the release that it becomes.
  if (range === undefined || satisfies(version.replace(/-.*/, ''), range)) return
  throw new Error(
    `'${from}' ${ofPackage} is for tracker ${range}, and this is ${version}: install a version of it that fits`
  )
}

function pluginOf({ default: plugin }: { default?: unknown }): Plugin | undefined {
  const isPlugin =
    typeof plugin === 'object' && plugin !== null && 'name' in plugin && 'dependencies' in plugin && 'spec' in plugin
  return isPlugin ? (plugin as Plugin) : undefined
}

function failToLoad(from: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  throw new Error(
    code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING'
      ? `'${from}' is TypeScript, which Node does not load from node_modules: install the package with its JavaScript`
      : `'${from}' cannot be loaded: ${message}`,
    { cause: error }
  )
}

/** Imports that hooks answer with a place. */
const places = new Map<string, Place>()

async function importPlace(place: Place): Promise<object> {
  if (places.size === 0) registerHooks({ resolve: resolveModule })
  const specifier = `tracker-plugin:${places.size}`
  places.set(specifier, place)
  return (await import(specifier)) as object
}

/** Imports of `tracker/api`, and of contracts, get this server's modules: a package needs no copy of them. */
const resolveModule: NonNullable<Parameters<typeof registerHooks>[0]['resolve']> = (specifier, context, next) => {
  const place = places.get(specifier)
  if (place) return next(place.specifier, { ...context, parentURL: place.parentURL })
  return next(specifier, specifier.startsWith('tracker/') ? { ...context, parentURL: import.meta.url } : context)
}
