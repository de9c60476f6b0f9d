import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { installPackages, isInstalledIn, type TestedPackage } from '../install.ts'

const packages: TestedPackage[] = [
  { name: 'model-runtime', version: '1.2.0' },
  { name: '@models/tokenizer', version: '0.1.0' }
]
const installation = (modules: string, from?: string) => ({
  packages,
  modules,
  entries: packages.map(({ name }) => name),
  command: 'model install',
  from
})
const here = `bin/napi-v6/${process.platform}/${process.arch}`

/** A folder with packages of another use, and archives in another; `code` is that of the second package. */
async function prepare(t: Test, code = 'export {}') {
  const moduleOf = (name: string, version: string, code: string) => ({
    'package.json': JSON.stringify({ name, version, type: 'module', exports: './index.js' }),
    'index.js': code
  })
  const libraries = { [process.platform]: { [process.arch]: { 'lib.so': '' } }, plan9: { vax: { 'lib.so': '' } } }
  const dir = t.testdir({
    runtime: { ...moduleOf('model-runtime', '1.2.0', 'export {}'), bin: { 'napi-v6': libraries } },
    tokenizer: moduleOf('@models/tokenizer', '0.1.0', code),
    archives: {},
    node_modules: {
      other: moduleOf('other', '1.0.0', ''),
      'model-runtime': moduleOf('model-runtime', '1.1.0', 'old')
    }
  })
  const pack = (folder: string, file: string) =>
    create({ cwd: join(dir, folder), file: join(dir, 'archives', file), prefix: 'package', gzip: true }, ['.'])
  await pack('runtime', 'model-runtime-1.2.0.tgz')
  await pack('tokenizer', 'models-tokenizer-0.1.0.tgz')
  const modules = join(dir, 'node_modules')
  const version = (name: string) =>
    (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version
  return {
    archives: join(dir, 'archives'),
    modules,
    version,
    assertUnchanged() {
      t.equal(version('model-runtime'), '1.1.0')
      t.notOk(existsSync(join(modules, '@models')))
      t.notOk(existsSync(join(modules, '.unfinished-packages')))
    }
  }
}

/** Sets variables of this process, which npm inherits, until the test ends. */
function setEnvironment(t: Test, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name]
    process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

t.test('packages are installed from files, replace others of their name, and leave the rest', async t => {
  const { modules, archives, version } = await prepare(t)
  await installPackages(installation(modules, archives))
  t.strictSame(['model-runtime', '@models/tokenizer', 'other'].map(version), ['1.2.0', '0.1.0', '1.0.0'])
  t.ok(existsSync(join(modules, 'model-runtime', here, 'lib.so')))
  t.notOk(existsSync(join(modules, 'model-runtime/bin/napi-v6/plan9/vax')), 'no library of another platform')
  t.notOk(existsSync(join(modules, '.unfinished-packages')))
})

t.test('packages that cannot be loaded here are not installed', async t => {
  const { modules, archives, assertUnchanged } = await prepare(t, "throw new Error('libc.so.6 is too old')")
  await t.rejects(installPackages(installation(modules, archives)), {
    message: /^The packages cannot be loaded on this machine, and were not installed: Error: libc\.so\.6 is too old$/
  })
  assertUnchanged()
})

t.test('a folder without one of the files is refused with the command that makes them', async t => {
  const { modules, archives, assertUnchanged } = await prepare(t)
  const newer = packages.map(({ name }) => ({ name, version: '2.0.0' }))
  await t.rejects(installPackages({ ...installation(modules, archives), packages: newer }), {
    message: /model-runtime-2\.0\.0\.tgz: npm pack model-runtime@2\.0\.0 @models\/tokenizer@2\.0\.0 writes the files/
  })
  assertUnchanged()
})

t.test('without npm or a network nothing changes, and the answer says what to do', async t => {
  const { modules, assertUnchanged } = await prepare(t)
  const refused = (problem: string) => ({
    message: new RegExp(`^${problem}.* Nothing was changed\\. Where .* npm pack model-.*model install --from FOLDER`)
  })
  setEnvironment(t, { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' })
  await t.rejects(installPackages(installation(modules)), refused('npm does not reach its registry \\(ECONNREFUSED\\)'))
  assertUnchanged()
  setEnvironment(t, { PATH: modules })
  await t.rejects(installPackages(installation(modules)), refused('npm, which downloads .* is not on the PATH'))
  assertUnchanged()
})

t.test('a package that another one has for itself is beside the one of its name', async t => {
  const dir = t.testdir({
    node_modules: {},
    archives: {},
    outer: { 'package.json': JSON.stringify({ name: 'outer', version: '1.0.0' }), 'index.js': "require('inner')" },
    inner: { 'package.json': JSON.stringify({ name: 'inner', version: '2.0.0' }), 'index.js': '', 'index.d.ts': '' }
  })
  const packages = [
    { name: 'outer', version: '1.0.0' },
    { name: 'inner', version: '2.0.0', path: 'outer/node_modules/inner' }
  ]
  for (const { name, version } of packages) {
    const file = join(dir, 'archives', `${name}-${version}.tgz`)
    await create({ cwd: join(dir, name), file, prefix: 'package', gzip: true }, ['.'])
  }
  const modules = join(dir, 'node_modules')
  const from = join(dir, 'archives')
  await installPackages({ packages, modules, entries: ['outer'], command: 'telemetry install', from })
  t.ok(packages.every(each => isInstalledIn(modules, each)))
  t.notOk(isInstalledIn(modules, { name: 'inner', version: '2.0.0' }))
  t.notOk(isInstalledIn(modules, { name: 'outer', version: '1.0.1' }))
  t.notOk(existsSync(join(modules, 'outer/node_modules/inner/index.d.ts')), 'no types')
})
