import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NODE_MODULES } from '../../lib/packages/node-modules.ts'

/*
 * Some libraries are hundreds of small modules, which take time to find, read and link. So `npm install` bundles them
 * (`scripts/bundle-libraries.ts`); without a bundle of the installed versions they are loaded unbundled.
 */

/** Libraries of ES modules, bundled without the libraries that they import. */
export const LIBRARIES = [
  'kysely',
  'orderedmap',
  'pg-boss',
  'prosemirror-markdown',
  'prosemirror-model',
  'typebox',
  'uuid'
] as const
/** Libraries of CommonJS modules, bundled with all of their dependencies. */
export const COMMONJS_LIBRARIES = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/rate-limit',
  '@fastify/send',
  '@opentelemetry/api',
  'ajv',
  'ajv/dist/jtd.js',
  'ajv-formats',
  'avvio',
  'cron-parser',
  'fast-glob',
  'fast-json-stringify',
  'find-my-way',
  'light-my-request',
  'pino-std-serializers',
  'prom-client',
  'readable-stream',
  'semver',
  'yaml'
] as const

const ROOT = new URL('../..', import.meta.url).href
const MANIFEST = 'manifest.json'
/** The form of our modules' imports: sources, or the result of `npm run build`. */
const OWN_MODULE = import.meta.url.endsWith('.ts')
  ? { path: /^\.\.?\/.*\.ts$/, format: 'module-typescript' }
  : { path: /^\.\.?\/.*\.js$/, format: 'module' }
const isOwn = (url: string | undefined) => url?.startsWith(ROOT) && !url.startsWith('node_modules/', ROOT.length)

/** The folder of the bundle of the installed libraries: other libraries or versions have another one. */
export function bundleFolder(modules = NODE_MODULES): string {
  const hash = createHash('sha256').update([...LIBRARIES, ...COMMONJS_LIBRARIES].join(' '))
  hash.update(readFileSync(join(modules, '.package-lock.json')))
  return join(modules, '.cache/tracker-libraries', hash.digest('hex').slice(0, 16))
}

/** Files by modules, relative to the folder and to node_modules; the extension says the kind of module. */
export type BundleManifest = Record<string, string>
export const manifestPath = (folder: string): string => join(folder, MANIFEST)

/**
 * For `import` and `require`, from now on. Modules are resolved as before: each is loaded once, and other installed
 * copies are not affected.
 * @returns true if there is a bundle.
 * @throws Error that says what to do, when it is damaged
 */
export function useBundledLibraries(folder?: string): boolean {
  const bundled = readBundle(folder)
  if (bundled === undefined) return false
  registerHooks({
    resolve(specifier, context, next) {
      // Our own files need not be looked up on the disk, which would take some hundredths of a second.
      if (OWN_MODULE.path.test(specifier) && isOwn(context.parentURL)) {
        return { url: new URL(specifier, context.parentURL).href, format: OWN_MODULE.format, shortCircuit: true }
      }
      const resolved = next(specifier, context)
      const url = bundled.get(resolved.url)
      if (url === undefined) return resolved
      return { ...resolved, url, format: url.endsWith('.cjs') ? 'commonjs' : 'module' }
    }
  })
  return true
}

function readBundle(folder: string | undefined): Map<string, string> | undefined {
  let from = folder
  try {
    const modules = realpathSync(NODE_MODULES)
    const folderOfBundle = (from ??= bundleFolder(modules))
    const manifest = JSON.parse(readFileSync(manifestPath(from), 'utf8')) as BundleManifest
    const urlIn = (dir: string) => {
      const base = pathToFileURL(join(dir, '/')).href // once: to make one for each of hundreds of files takes its time
      return (path: string) => base + encodeURI(path)
    }
    const [ofModule, ofFile] = [urlIn(modules), urlIn(folderOfBundle)]
    return new Map(Object.entries(manifest).map(([path, file]) => [ofModule(path), ofFile(file)]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`The bundled libraries in ${from} are damaged: delete that folder, or run npm install.`, {
      cause: error
    })
  }
}
