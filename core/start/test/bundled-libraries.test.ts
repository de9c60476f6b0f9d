import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { bundleLibraries } from '../../../scripts/bundle-libraries.ts'
import { loadedModules } from '../../../test/loaded-modules.ts'
import {
  bundleFolder,
  COMMONJS_LIBRARIES,
  LIBRARIES,
  manifestPath,
  useBundledLibraries,
  type BundleManifest
} from '../bundled-libraries.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const dir = t.testdir({})
const folder = join(dir, 'bundle')
await bundleLibraries(folder)

/** Node's option for the bundle. */
const use = join(dir, 'use.mjs')
const own = new URL('../bundled-libraries.ts', import.meta.url).href
await writeFile(
  use,
  `import { useBundledLibraries } from ${JSON.stringify(own)}
  useBundledLibraries(${JSON.stringify(folder)})`
)
const USE_BUNDLE = ['--import', pathToFileURL(use).href]
/** Loaded unbundled, whatever this process does. */
const libraries = [...LIBRARIES, ...COMMONJS_LIBRARIES]
const isOfLibrary = (url: string) => libraries.some(library => url.includes(`/node_modules/${library}/`))

/** Runs a script in the project, by a process that uses the bundle or has other options; returns the JSON it prints. */
async function run(script: string, options = USE_BUNDLE): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...options, '--input-type=module', '--eval', script],
    { cwd: root, env: { PATH: process.env['PATH'] } }
  )
  return JSON.parse(stdout)
}

t.test('a start loads the libraries from their bundle, and no module of theirs', async t => {
  const [bundled, plain] = await Promise.all([loadedModules(root, USE_BUNDLE), loadedModules(root)])
  t.strictSame(bundled.filter(isOfLibrary), [])
  const count = plain.filter(isOfLibrary).length
  t.ok(count > 900, `${count} modules otherwise`)
  t.ok(plain.length - bundled.length > count - 30, `${bundled.length} modules`)
})

t.test('a process that uses a bundle makes the same one', async t => {
  const again = join(dir, 'again')
  await run(`
    import { bundleLibraries } from './scripts/bundle-libraries.ts'
    await bundleLibraries(${JSON.stringify(again)})
    console.log(true)`)
  for (const file of await readdir(folder)) {
    if (!/\./.test(file)) continue
    t.equal(await readFile(join(again, file), 'utf8'), await readFile(join(folder, file), 'utf8'), file)
  }
})

t.test('each module of the bundle exports what the library does', async t => {
  const manifest = JSON.parse(await readFile(manifestPath(folder), 'utf8')) as BundleManifest
  const modules = Object.entries(manifest).filter(([, file]) => file.endsWith('.mjs'))
  t.ok(modules.length > 15)
  for (const [path, file] of modules) {
    // A query addresses the library itself, also in a process that uses a bundle.
    const original = (await import(`${pathToFileURL(join(root, 'node_modules', path)).href}?plain`)) as object
    const bundled = (await import(pathToFileURL(join(folder, file)).href)) as object
    t.strictSame(Object.keys(bundled), Object.keys(original), path)
  }
})

t.test('what an ES module can import of a CommonJS library by name, it can of the bundle', async t => {
  const script = `
    const libraries = ${JSON.stringify(COMMONJS_LIBRARIES)}
    const names = libraries.map(async library => Object.keys(await import(library)).map(name => library + ' ' + name))
    console.log(JSON.stringify((await Promise.all(names)).flat()))`
  const bundled = new Set((await run(script)) as string[])
  const plain = (await run(script, [])) as string[]
  t.ok(plain.length > 100)
  t.strictSame(
    plain.filter(name => !bundled.has(name)),
    []
  )
})

t.test('a library is loaded once, whichever of its modules is imported or required', async t => {
  const same = await run(`
    import { createRequire } from 'node:module'
    import { Kysely, sql } from 'kysely'
    import * as value from 'typebox/value'
    import * as type from 'typebox/type'
    import { Type } from 'typebox'
    import { v7 } from 'uuid'
    import Ajv2020, { MissingRefError } from 'ajv/dist/2020.js'
    import { Ajv } from 'ajv'
    import { parse } from 'yaml'
    const require = createRequire(new URL('./plugins/of-a-deployer/index.cjs', import.meta.url))
    const { pathToFileURL } = await import('node:url')
    const byPath = await import(pathToFileURL(${JSON.stringify(join(root, 'node_modules/kysely/dist/index.js'))}).href)
    console.log(JSON.stringify([
      require('kysely').Kysely === Kysely,
      byPath.sql === sql,
      require('typebox').Type === Type,
      type.Object === Type.Object,
      value.Check(Type.Object({ n: Type.Integer() }), { n: 1 }),
      require('uuid').v7 === v7,
      require('ajv').Ajv === Ajv,
      require('ajv').MissingRefError === MissingRefError,
      new Ajv2020.default().compile({ type: 'integer' })(1),
      require('yaml').parse === parse
    ]))`)
  t.strictSame([...new Set(same as unknown[])], [true])
})

t.test('libraries of other versions have another bundle', async t => {
  const modules = t.testdir()
  const install = async (version: string) => {
    await writeFile(join(modules, '.package-lock.json'), JSON.stringify({ packages: { kysely: { version } } }))
    return bundleFolder(modules)
  }
  t.not(await install('1.0.0'), await install('1.0.1'))
})

t.test('without a bundle libraries are loaded as they are, and a damaged one is refused with what to do', async t => {
  const none = t.testdir()
  t.equal(useBundledLibraries(none), false)
  await writeFile(manifestPath(none), '{"kysely/')
  t.throws(() => useBundledLibraries(none), { message: /are damaged: delete that folder, or run npm install\./ })
})
