import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { manifestPath, type BundleManifest } from '../../core/start/bundled-libraries.ts'
import { runtimePackages } from '../../plugins/embeddings/model/packages.ts'
import { bundleLibraries } from '../bundle-libraries.ts'

/** Files that no import names: they are opened by their path, or required through a parameter. */
const OPENED = [
  '@electric-sql/pglite/dist/*.{data,wasm}',
  '@electric-sql/pglite/dist/pg_trgm.tar.gz',
  '@electric-sql/pglite-pgvector/dist/vector.tar.gz',
  'jsonc-parser/lib/umd/impl/*.js',
  '@fastify/swagger-ui/static/*.{css,html,json,png,svg}',
  '@fastify/swagger-ui/static/{oauth2-redirect,swagger-ui-bundle,swagger-ui-standalone-preset}.js'
]
/** The modules of threads, which libraries start by their path. */
const THREADS = ['pino/file.js', 'pino/lib/worker.js', 'piscina/dist/worker.js', 'thread-stream/lib/worker.js']
/** The interface is built; `tracker model install` installs what runs a model; no thread asks for another priority. */
const LEFT_OUT = ['esbuild', ...runtimePackages().map(({ name }) => name), '@napi-rs/nice']
const LICENCE = /^(?:licen[cs]e|copying|notice)/i

/**
 * Copies those files of node_modules that a built server can load: what its modules import, directly or by way of
 * others, and what is opened by its path. Libraries of many small modules are bundled in `prepared/libraries`: their
 * modules have their exports from there.
 * @param server the folder of the built server, below the project
 * @returns the packages whose code is in them or in the bundles, as paths from the project
 */
export async function copyModules(project: string, server: string): Promise<string[]> {
  const libraries = join(server, 'prepared/libraries')
  const bundled = await bundleLibraries(libraries)
  const standIns = readStandIns(join(project, 'node_modules'), libraries)
  const files = [
    ...(await importedFiles(project, server, standIns)),
    ...globSync(OPENED, { cwd: join(project, 'node_modules') }).map(path => join('node_modules', path))
  ]
  const packages = packagesOf(files)
  const licences = packages.flatMap(path => licenceFiles(join(project, path)).map(file => join(path, file)))
  for (const file of new Set([...files, ...licences, ...files.flatMap(file => manifestsOf(project, file))])) {
    const [from, to] = [join(project, file), join(server, file)]
    const standIn = standIns.get(from)
    if (standIn === undefined) await cp(from, to)
    else {
      await mkdir(dirname(to), { recursive: true })
      await writeFile(to, standIn.replaceAll(libraries, relative(dirname(to), libraries)))
    }
  }
  await rm(join(libraries, 'commonjs'), { recursive: true })
  await rm(manifestPath(libraries))
  return packagesOf([...files, ...bundled.map(path => join('node_modules', path))])
}

/** The packages of some files, as paths from the project. */
const packagesOf = (files: readonly string[]): string[] =>
  [...new Set(files.map(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)![0]))].sort()

/** The files of a package with its licence. */
export const licenceFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && LICENCE.test(entry.name))
    .map(({ name }) => name)

/** By the path of a library's module: a module that has its exports from the bundle. */
function readStandIns(modules: string, libraries: string): Map<string, string> {
  const manifest = JSON.parse(readFileSync(manifestPath(libraries), 'utf8')) as BundleManifest
  return new Map(
    Object.entries(manifest).map(([path, file]) => {
      const bundled = readFileSync(join(libraries, file), 'utf8')
      if (file.endsWith('.cjs')) return [join(modules, path), bundled.replace(/(?:\.\.\/)+/, `${libraries}/`)]
      const from = JSON.stringify(join(libraries, file))
      const hasDefault = /\bas default\b|\bexport default\b/.test(bundled)
      return [join(modules, path), `export * from ${from}\n${hasDefault ? `export { default } from ${from}\n` : ''}`]
    })
  )
}

/** Reads stand-ins instead of the modules that they stand for. */
const withStandIns = (standIns: ReadonlyMap<string, string>): Plugin => ({
  name: 'stand-ins',
  setup(tracing) {
    tracing.onLoad({ filter: /node_modules/ }, ({ path }) => {
      const contents = standIns.get(path)
      return contents === undefined ? undefined : { contents, resolveDir: dirname(path) }
    })
  }
})

async function importedFiles(
  project: string,
  server: string,
  standIns: ReadonlyMap<string, string>
): Promise<string[]> {
  const entries = [
    ...globSync('{core,lib,plugins}/**/*.{js,cjs}', { cwd: server }).map(path => join(server, path)),
    ...THREADS.map(path => join(project, 'node_modules', path))
  ]
  const { metafile } = await build({
    absWorkingDir: project,
    // One module that imports all: bundling each by itself would take minutes.
    stdin: { contents: entries.map(path => `import(${JSON.stringify(path)})`).join('\n'), resolveDir: project },
    bundle: true,
    write: false,
    outdir: 'out/traced',
    platform: 'node',
    format: 'esm',
    // As Node resolves, and not as bundlers do.
    conditions: ['module-sync'],
    mainFields: ['main'],
    external: LEFT_OUT,
    plugins: [withStandIns(standIns)],
    metafile: true,
    logLevel: 'error'
  })
  return Object.keys(metafile.inputs).filter(path => path.startsWith('node_modules/'))
}

/** The package.json of a file's package, and of folders between: they say what kind of module it is. */
function manifestsOf(project: string, file: string): string[] {
  const manifests: string[] = []
  for (let folder = dirname(file); !/(?:^|\/)(?:node_modules|@[^/]+)$/.test(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(join(project, manifest))) manifests.push(manifest)
  }
  return manifests
}
