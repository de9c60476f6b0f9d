import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { configure, readDatabaseSettings, type Installed } from '../config.ts'
import { contract, type Caller, type Contract } from '../../api/contract.ts'
import { address, definePlugin, dependsOn, type Plugin } from '../../api/plugin.ts'
import { build } from '../../kernel/server.ts'
import { testServer } from '../../../test/runner/harness.ts'

const load = (...plugins: Plugin[]): Installed =>
  Object.fromEntries(plugins.map(plugin => [plugin.name, async () => ({ default: plugin })]))
const a = contract<{ hello(caller: Caller): string }>()('a')
const b = contract()('b')
const c = contract()('c')
const caller: Caller = { workspaceId: '', accountId: null, tokenId: null, scopes: [] }
const plugin = (contract: Contract, dependencies: { requires?: Contract[]; optional?: Contract[] } = {}) =>
  definePlugin(dependsOn(contract, dependencies), { summary: 'x' })
const on = (...names: string[]) => ({ plugins: Object.fromEntries(names.map(name => [name, { enabled: true }])) })
const problemsOf = async (work: Promise<unknown>): Promise<readonly string[]> =>
  work.then(
    () => [],
    (error: { problems?: string[] }) => error.problems ?? [String(error)]
  )
const embedded = { database: { dataDir: undefined } }

t.test('all problems of the settings are reported at once', async t => {
  const installed = load(
    definePlugin(dependsOn(b, { settings: Type.Object({ size: Type.Integer({ default: 3 }) }) }), { summary: 'x' })
  )
  const problems = await problemsOf(
    configure(installed, {
      port: 'x',
      colour: 1,
      plugins: { b: { enabled: true, size: 'big', extra: 1 }, zed: { enabled: true } }
    })
  )
  const expected = [
    'colour is not a setting',
    'plugins.b.extra is not a setting',
    'plugins.b.size must be integer',
    'plugins.zed is not installed (installed: b)',
    'port must be integer'
  ]
  t.match(problems.toSorted().join('\n'), new RegExp(expected.map(RegExp.escape).join('[\\s\\S]*')))
})

t.test('a setting that does not fit is described', async t => {
  const env = { TRACKER_PREFIX: 'api', TRACKER_TRUST_PROXY: 'true', DATABASE_URL: 'mysql://x' }
  t.match((await problemsOf(configure({}, {}, env))).toSorted(), [
    'databaseUrl (DATABASE_URL) does not fit: A PostgreSQL URL; without it the embedded database is used',
    'prefix (TRACKER_PREFIX) does not fit: A proxy prefix to accept and strip, e.g. `/api`',
    /^trustProxy \(TRACKER_TRUST_PROXY\) does not fit: The proxies whose `X-Forwarded-\*` headers are believed/
  ])
})

t.test('a configuration file may begin with a byte order mark', async t => {
  const path = join(t.testdir({ 'config.json': '\uFEFF{"dataDir": "/elsewhere"}' }), 'config.json')
  t.match(readDatabaseSettings({ TRACKER_CONFIG: path }), { dataDir: '/elsewhere' })
})

t.test('environment variables override the files: by path, by name, as JSON where it is JSON', async t => {
  const settings = Type.Object({
    size: Type.Integer({ default: 3 }),
    label: Type.String({ default: '' }),
    list: Type.Array(Type.String(), { default: [] })
  })
  const installed = load(
    definePlugin(dependsOn(b, { settings }), {
      summary: 'x',
      env: { B_SIZE: 'size' },
      childEnv: ['TRACKER_FOR_CHILDREN']
    })
  )
  const { settings: read } = await configure(installed, on('b'), {
    PORT: '80',
    TRACKER_PREFIX: '/api',
    B_SIZE: '7',
    TRACKER_PLUGINS__B__LABEL: '123',
    TRACKER_PLUGINS__B__LIST: '["x"]',
    TRACKER_URL: 'for clients',
    TRACKER_FOR_CHILDREN: 'of a plugin'
  })
  t.match(read, { port: 80, prefix: '/api', plugins: { b: { size: 7, label: '123', list: ['x'] } } })
  t.match(await problemsOf(configure(installed, on('b'), { TRACKER_NONSENSE: '1' })), [
    'nonsense (TRACKER_NONSENSE) is not a setting'
  ])
  t.equal((await configure(installed, on('b'), { TRACKER_PLUGINS__B__ENABLED: 'false' })).plugins.length, 0)
})

t.test('an error about a setting names its variable, and what was probably meant', async t => {
  const settings = Type.Object({ list: Type.Array(Type.String(), { default: [] }) })
  const installed = load(definePlugin(dependsOn(b, { settings }), { summary: 'x' }))
  const env = {
    TRACKER_PUBLIC_ULR: 'https://x.example',
    TRACKER_LOW_MEMORY: 'yes',
    TRACKER_PLUGINS__B__LIST: '["a", 1]',
    TRACKER_PLUGINS__B__LISTS: '[]'
  }
  t.strictSame(
    (await problemsOf(configure(installed, { ...on('b'), databasPool: 3 }, env))).toSorted(),
    [
      'databasPool is not a setting: did you mean databasePool?',
      'lowMemory (TRACKER_LOW_MEMORY) must be boolean',
      'plugins.b.list.1 (TRACKER_PLUGINS__B__LIST) must be string',
      'plugins.b.lists (TRACKER_PLUGINS__B__LISTS) is not a setting: did you mean plugins.b.list ' +
        '(TRACKER_PLUGINS__B__LIST)?',
      'publicUlr (TRACKER_PUBLIC_ULR) is not a setting: did you mean publicUrl (TRACKER_PUBLIC_URL)?'
    ].toSorted()
  )
})

t.test('a setting of another plugin is named, in case it has moved there', async t => {
  const settings = Type.Object({ size: Type.Integer({ default: 3 }) })
  const installed = load(definePlugin(dependsOn(c, { settings }), { summary: 'x' }), plugin(b))
  const config = { plugins: { c: { enabled: true }, b: { enabled: true, size: 1 } } }
  t.strictSame(await problemsOf(configure(installed, config, {})), [
    'plugins.b.size is not a setting: did you mean plugins.c.size?'
  ])
})

t.test('what Kubernetes says of a Service called tracker is no setting', async t => {
  const { settings, warnings } = await configure(
    {},
    {},
    {
      TRACKER_PORT: 'tcp://10.0.0.1:3000',
      TRACKER_SERVICE_HOST: '10.0.0.1',
      TRACKER_SERVICE_PORT: '3000',
      TRACKER_SERVICE_PORT_HTTP: '3000',
      TRACKER_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
      TRACKER_PORT_3000_TCP_PROTO: 'tcp',
      TRACKER_PORT_3000_TCP_PORT: '3000',
      TRACKER_PORT_3000_TCP_ADDR: '10.0.0.1',
      TRACKER_WEB_PORT: 'tcp://10.0.0.2:80',
      TRACKER_WEB_SERVICE_HOST: '10.0.0.2'
    }
  )
  t.equal(settings.port, 3000)
  t.strictSame(warnings, [])
  for (const env of [
    { PORT: '4000', TRACKER_PORT: '5000' },
    { TRACKER_PORT: '5000', PORT: '4000' }
  ]) {
    t.equal((await configure({}, {}, env)).settings.port, 4000, 'PORT wins')
  }
  t.equal((await configure({}, {}, { TRACKER_PORT: '5000' })).settings.port, 5000)
})

t.test('a secret may come from a file that a variable names', async t => {
  const dir = t.testdir({ url: 'postgres://tracker:secret@db/tracker\n', b: 's3cret\r\n' })
  const word = Type.Optional(Type.String())
  const settings = Type.Object({ key: word, name: word, word })
  const installed = load(
    definePlugin(dependsOn(b, { settings }), { summary: 'x', env: { B_KEY: 'key', TRACKER_NAME: 'name' } })
  )
  const env = {
    DATABASE_URL_FILE: join(dir, 'url'),
    B_KEY_FILE: join(dir, 'b'),
    TRACKER_NAME_FILE: join(dir, 'b'),
    TRACKER_PLUGINS__B__WORD_FILE: join(dir, 'b')
  }
  const { settings: read } = await configure(installed, on('b'), env)
  t.match(read, {
    databaseUrl: 'postgres://tracker:secret@db/tracker',
    plugins: { b: { key: 's3cret', name: 's3cret', word: 's3cret' } }
  })
  t.match(readDatabaseSettings({ DATABASE_URL_FILE: join(dir, 'url') }), { databaseUrl: /^postgres:/ })
  t.match(await problemsOf(configure({}, {}, { DATABASE_URL_FILE: join(dir, 'none') })), [
    /^DATABASE_URL_FILE names a file that cannot be read: ENOENT/
  ])
  t.strictSame(
    await problemsOf(configure({}, {}, { DATABASE_URL_FILE: join(dir, 'url'), DATABASE_URL: 'postgres://x/y' })),
    ['DATABASE_URL and DATABASE_URL_FILE are both set: set one of them']
  )
  t.equal(readDatabaseSettings({ DATABASE_URL_FILE: join(dir, 'none') }), undefined, 'no embedded database is begun')
})

t.test('a variable that is nearly the name of a setting is told', async t => {
  const { warnings } = await configure(
    {},
    {},
    { DATABASE_URI: 'postgres://x/y', HOME: '/', TEST_DATABASE_URL: 'x', PORTS: '1' }
  )
  t.strictSame(warnings, ['The environment variable DATABASE_URI is no setting: did you mean DATABASE_URL?'])
})

t.test('disabled plugins are never loaded', async t => {
  const { plugins } = await configure(
    {
      a: async () => {
        throw new Error('loaded')
      }
    },
    {}
  )
  t.strictSame(plugins, [])
})

t.test('a variable of a plugin that is disabled is no problem', async t => {
  const installed = load(
    definePlugin(dependsOn(b, { settings: Type.Object({ size: Type.Integer({ default: 3 }) }) }), {
      summary: 'x',
      env: { TRACKER_SIZE: 'size' }
    })
  )
  const env = { TRACKER_SIZE: '5' }
  t.match((await configure(installed, on('b'), env)).settings.plugins, { b: { size: 5 } })
  t.strictSame((await configure(installed, {}, env)).plugins, [])
  t.match(await problemsOf(configure(installed, {}, { ...env, TRACKER_SIZES: '5' })), [
    /^sizes \(TRACKER_SIZES\) is not a setting/
  ])
})

t.test('a dependency that is disabled, not installed or circular is named, with the setting to change', async t => {
  const needs = load(plugin(a), plugin(b, { requires: [a, contract()('gone')] }))
  t.strictSame(
    await problemsOf(configure(needs, on('b')).then(configuration => build({ configuration, ...embedded }))),
    [
      "plugins.b requires 'gone', which is not installed",
      "'a' is turned off, which plugins.b requires: set plugins.a.enabled to true, or plugins.b.enabled to false"
    ]
  )
  const circle = load(plugin(a, { optional: [b] }), plugin(b, { requires: [c] }), plugin(c, { requires: [a] }))
  t.match(
    await problemsOf(configure(circle, on('a', 'b', 'c')).then(configuration => build({ configuration, ...embedded }))),
    [/circle: a -> b -> c -> a/]
  )
})

t.test('turning off what others need names, once, all that must be turned off with it', async t => {
  const installed = load(plugin(a), plugin(b, { requires: [a] }), plugin(c, { requires: [b] }))
  t.strictSame(
    await problemsOf(configure(installed, on('b', 'c')).then(configuration => build({ configuration, ...embedded }))),
    [
      "'a' is turned off, which plugins.b, plugins.c require: " +
        'set plugins.a.enabled to true, or plugins.b.enabled, plugins.c.enabled to false'
    ]
  )
})

t.test('a route that two plugins have is a problem, before any migration', async t => {
  let migrated = false
  const twice = (token: typeof b | typeof c) =>
    definePlugin(dependsOn<Contract>(token), {
      summary: 'x',
      migrations: {
        '001': async () => {
          migrated = true
          return { async up() {} }
        }
      },
      routes(app) {
        app.get('/v1/same', async () => ({}))
      }
    })
  t.match(
    await problemsOf(
      configure(load(twice(b), twice(c)), on('b', 'c')).then(configuration =>
        build({ configuration, ...embedded, preparesEarly: true })
      )
    ),
    [/plugins\.c: .*\/v1\/same/]
  )
  t.notOk(migrated)
})

t.test('a start on an up-to-date database imports no migration', async t => {
  let imports = 0
  const counted = definePlugin(dependsOn(contract()('counted')), {
    summary: 'x',
    migrations: {
      '001': async () => {
        imports++
        return { async up() {} }
      }
    }
  })
  const also = { counted: async () => ({ default: counted }) }
  const first = await testServer({ plugins: [], also })
  t.teardown(() => first.close())
  t.equal(imports, 1)
  const second = await testServer({ plugins: [], also, on: first })
  t.teardown(() => second.close())
  t.equal(imports, 1)
})

t.test('a migration looks for its own tables, and does not read all columns of all tables', async t => {
  const statements: string[] = []
  const migrated = definePlugin(dependsOn(contract()('migrated')), {
    summary: 'x',
    migrations: { '001': async () => ({ async up() {} }) }
  })
  const server = await testServer({
    plugins: [],
    also: { migrated: async () => ({ default: migrated }) },
    onStatement: sql => statements.push(sql)
  })
  t.teardown(() => server.close())
  t.ok(statements.some(sql => sql.includes('"migration_migrated"')))
  t.strictSame(
    statements.filter(sql => /pg_attribute/.test(sql)),
    []
  )
})

t.test('services are there in the order of dependencies, optional ones perhaps; fakes stand in', async t => {
  const services: unknown[] = []
  const installed = load(
    definePlugin(dependsOn(b, { requires: [a], optional: [c] }), {
      summary: 'x',
      services({ use }) {
        services.push(use.a.hello(caller), use.c)
        return {}
      }
    }),
    definePlugin(dependsOn(a), { summary: 'x', services: () => ({ hello: () => 'hello' }) })
  )
  await (await build({ configuration: await configure(installed, on('a', 'b')), ...embedded })).close()
  await (
    await build({
      configuration: await configure(installed, on('a', 'b')),
      fakes: { a: { hello: () => 'fake' } },
      ...embedded
    })
  ).close()
  t.strictSame(services, ['hello', undefined, 'fake', undefined])
})

t.test('services of the core are there for plugins that require them, and may be faked', async t => {
  const origins: unknown[] = []
  const installed = load(
    definePlugin(dependsOn(b, { requires: [a, address] }), {
      summary: 'x',
      services({ use }) {
        origins.push(use.address.prefix)
        return {}
      }
    }),
    definePlugin(dependsOn(a), {
      summary: 'x',
      services({ use }) {
        origins.push(Object.keys(use))
        return { hello: () => 'hello' }
      }
    })
  )
  const configuration = await configure(installed, on('a', 'b'))
  await (await build({ configuration, ...embedded })).close()
  await (await build({ configuration, fakes: { address: { prefix: '/fake' } }, ...embedded })).close()
  t.strictSame(origins, [[], '', [], '/fake'])
  t.strictSame(configuration.plugins.find(({ name }) => name === 'b')?.dependencies.requires, [a])
})

t.test('a plugin cannot have a name that the core uses', async t => {
  const installed = load(plugin(contract()('address')), plugin(contract()('jobs')), plugin(b))
  t.strictSame(
    await problemsOf(
      configure(installed, on('address', 'jobs', 'b')).then(configuration => build({ configuration, ...embedded }))
    ),
    ['address', 'jobs'].map(name => `plugins.${name}: the core uses this name: choose another one`)
  )
})

t.test('a defect of a plugin is reported with the plugin and the line of its code', async t => {
  const defect = definePlugin(dependsOn(b), {
    summary: 'x',
    register(ctx) {
      const nothing = Reflect.get(ctx, 'nothing') as typeof ctx
      nothing.onStart(async () => {})
    }
  })
  const [inRegister] = await problemsOf(
    configure(load(defect), on('b')).then(configuration => build({ configuration, ...embedded }))
  )
  t.match(inRegister, /^plugins\.b: TypeError: Cannot read .*\n.* at .*start\.test\.ts:\d+/s)
  const module = join(t.testdir({ 'index.mjs': 'export default somewhere.else' }), 'index.mjs')
  const [inModule] = await problemsOf(
    configure({ c: async () => import(module) as Promise<{ default: Plugin }> }, on('c'))
  )
  t.match(inModule, /^plugins\.c: ReferenceError: somewhere is not defined\n.*index\.mjs:1/s)
})
