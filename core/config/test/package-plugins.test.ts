import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'
import { configure } from '../config.ts'

/** The main module of a package with the plugin of this name. */
const plugin = (name: string) => `
  import { contract, definePlugin, dependsOn, Type } from 'tracker/api'
  const settings = Type.Object({ size: Type.Integer({ default: 3 }) })
  export default definePlugin(dependsOn(contract()('${name}'), { settings }), { summary: 'x' })`
const packageFile = (rest: object = {}) =>
  JSON.stringify({ type: 'module', version: '1.0.0', exports: './index.js', ...rest })

/** A folder with a configuration file, and packages beside it. */
function environment(t: Test, modules: Record<string, Record<string, string>>): { TRACKER_CONFIG: string } {
  const folder = t.testdir({ node_modules: modules, own: { 'package.json': packageFile(), 'index.js': plugin('own') } })
  return { TRACKER_CONFIG: join(folder, 'config.json') }
}

async function problemsOf(name: string, from: string, env: NodeJS.ProcessEnv, settings = {}): Promise<string> {
  const tree = { plugins: { [name]: { enabled: true, from, ...settings } } }
  const issues = definePlugin(dependsOn(contract()('issues')), { summary: 'x' })
  const installed = { issues: async () => ({ default: issues }) }
  return configure(installed, tree, env).then(
    () => '',
    (error: Error) => error.message
  )
}

t.test('a package is found beside the configuration file, and its settings are checked', async t => {
  const env = environment(t, {
    notes: { 'package.json': packageFile(), 'index.js': plugin('notes') }
  })
  const on = { enabled: true, from: 'notes' }
  const { plugins, settings } = await configure({}, { plugins: { notes: on } }, env)
  t.equal(plugins[0]?.name, 'notes')
  t.match(settings.plugins, { notes: { enabled: true, from: 'notes', size: 3 } })
  t.match(await problemsOf('notes', 'notes', env, { size: 'big' }), 'plugins.notes.size must be integer')
  t.match(await problemsOf('notes', 'notes', env, { sizes: 1 }), 'did you mean plugins.notes.size?')
  const variables = { TRACKER_PLUGINS__NOTES__FROM: 'notes', TRACKER_PLUGINS__NOTES__ENABLED: 'true' }
  t.equal((await configure({}, {}, { ...env, ...variables, TRACKER_PLUGINS__NOTES__SIZE: '7' })).plugins.length, 1)
})

t.test('a path names a module or the folder of a package', async t => {
  const env = environment(t, {
    exporting: { 'package.json': packageFile({ name: 'exporting', exports: './main.js' }), 'main.js': plugin('own') }
  })
  for (const from of ['./own', './own/index.js', './node_modules/exporting', join(env.TRACKER_CONFIG, '../own')]) {
    t.equal(await problemsOf('own', from, env), '', from)
  }
  t.match(await problemsOf('own', './nowhere', env), /plugins\.own\.from: there is no '\.\/nowhere' in .*: correct the/)
})

t.test('a package that is off is not loaded', async t => {
  const { plugins } = await configure({}, { plugins: { notes: { enabled: false, from: 'nowhere', size: 1 } } })
  t.strictSame(plugins, [])
})

t.test('an error says what is wrong with a package, and what to do', async t => {
  const env = environment(t, {
    empty: { 'package.json': packageFile(), 'index.js': 'export default {}' },
    old: {
      'package.json': packageFile({ peerDependencies: { tracker: '^0.1.0' } }),
      'index.js': "throw new Error('loaded')"
    },
    typed: { 'package.json': packageFile({ exports: './index.ts' }), 'index.ts': plugin('typed') },
    broken: { 'package.json': packageFile(), 'index.js': "import 'tracker/nothing'" },
    other: { 'package.json': packageFile(), 'index.js': plugin('other') }
  })
  const expected: Array<[name: string, from: string, problem: RegExp]> = [
    ['gone', 'tracker-gone', /there is no package 'tracker-gone' in .*: run npm install tracker-gone in one of these/],
    ['empty', 'empty', /'empty' has no plugin: its main module must export by default what definePlugin returns/],
    ['old', 'old', /'old' 1\.0\.0 is for tracker \^0\.1\.0, and this is \d.*: install a version of it that fits/],
    [
      'typed',
      'typed',
      /'typed' is TypeScript, which Node does not load from node_modules: install the package with its/
    ],
    ['broken', 'broken', /'broken' cannot be loaded: .*\.\/nothing/],
    ['mine', 'other', /'other' is the plugin 'other': write plugins\.other instead of plugins\.mine/],
    ['issues', 'other', /tracker has a plugin 'issues' of its own: give the plugin of 'other' another name/]
  ]
  for (const [name, from, problem] of expected) {
    t.match(await problemsOf(name, from, env), new RegExp(`plugins\\.${name}\\.from: ${problem.source}`), from)
  }
})

t.test('it fits where the range has the release that this development version becomes', async t => {
  const peerDependencies = { tracker: '>=0.2.0' }
  const env = environment(t, {
    fits: { 'package.json': packageFile({ peerDependencies }), 'index.js': plugin('fits') }
  })
  t.equal(await problemsOf('fits', 'fits', env), '')
})
