import t from 'tap'
import { Type } from 'typebox'
import { configure, type Installed } from '../config.ts'
import { contract, definePlugin, type Plugin } from '../plugin.ts'
import { build } from '../server.ts'
import { holdDirectory } from '../db/directory-lock.ts'

const load = (...plugins: Plugin[]): Installed =>
  Object.fromEntries(plugins.map(plugin => [plugin.name, async () => ({ default: plugin })]))
const a = contract<{ hello(): string }>()('a')
const b = contract()('b')
const c = contract()('c')
const plugin = (
  spec: Partial<Parameters<typeof definePlugin>[0]> & Pick<Parameters<typeof definePlugin>[0], 'contract'>
) => definePlugin({ summary: 'x', register: () => ({}), ...spec } as Parameters<typeof definePlugin>[0])
const on = (...names: string[]) => ({ plugins: Object.fromEntries(names.map(name => [name, { enabled: true }])) })
const problemsOf = async (work: Promise<unknown>): Promise<readonly string[]> =>
  work.then(
    () => [],
    (error: { problems?: string[] }) => error.problems ?? [String(error)]
  )
const embedded = { database: { dataDir: undefined } }

t.test('every problem of the settings is said at once', async t => {
  const installed = load(plugin({ contract: a, config: Type.Object({ size: Type.Integer({ default: 3 }) }) }))
  const problems = await problemsOf(
    configure(installed, {
      port: 'x',
      colour: 1,
      plugins: { a: { enabled: true, size: 'big', extra: 1 }, zed: { enabled: true } }
    })
  )
  t.match(
    problems.toSorted().join('\n'),
    /colour is not a setting[\s\S]*plugins\.a\.extra is not a setting[\s\S]*plugins\.a\.size must be integer[\s\S]*plugins\.zed is not installed \(installed: a\)[\s\S]*port must be integer/
  )
})

t.test('the environment goes over the files: by path, by name, as JSON where it is JSON', async t => {
  const installed = load(
    plugin({
      contract: a,
      config: Type.Object({
        size: Type.Integer({ default: 3 }),
        label: Type.String({ default: '' }),
        list: Type.Array(Type.String(), { default: [] })
      }),
      env: { A_SIZE: 'size' }
    } as never)
  )
  const { settings } = await configure(installed, on('a'), {
    PORT: '80',
    TRACKER_PREFIX: '/api',
    A_SIZE: '7',
    TRACKER_PLUGINS__A__LABEL: '123',
    TRACKER_PLUGINS__A__LIST: '["x"]',
    TRACKER_URL: 'for clients'
  })
  t.match(settings, { port: 80, prefix: '/api', plugins: { a: { size: 7, label: '123', list: ['x'] } } })
  t.match(await problemsOf(configure(installed, on('a'), { TRACKER_NONSENSE: '1' })), ['nonsense is not a setting'])
  t.equal((await configure(installed, on('a'), { TRACKER_PLUGINS__A__ENABLED: 'false' })).plugins.length, 0)
})

t.test('what is off is never loaded', async t => {
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

t.test('what is required and off, not installed, or in a circle is named, with the switch to turn', async t => {
  const needs = load(plugin({ contract: a }), plugin({ contract: b, requires: [a, contract()('gone')] }))
  t.strictSame(
    await problemsOf(configure(needs, on('b')).then(configuration => build({ configuration, ...embedded }))),
    [
      "plugins.b requires 'gone', which is not installed",
      "'a' is turned off, which plugins.b requires: set plugins.a.enabled to true, or plugins.b.enabled to false"
    ]
  )
  const circle = load(
    plugin({ contract: a, optional: [b] }),
    plugin({ contract: b, requires: [c] }),
    plugin({ contract: c, requires: [a] })
  )
  t.match(
    await problemsOf(configure(circle, on('a', 'b', 'c')).then(configuration => build({ configuration, ...embedded }))),
    [/circle: a -> b -> c -> a/]
  )
})

t.test('turning off what others need names, once, all that must be turned off with it', async t => {
  const installed = load(
    plugin({ contract: a }),
    plugin({ contract: b, requires: [a] }),
    plugin({ contract: c, requires: [b] })
  )
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
  const twice = (token: typeof a | typeof b) =>
    plugin({
      contract: token,
      migrations: async () => {
        migrated = true
        return {}
      },
      routes: app => {
        app.get('/v1/same', async () => ({}))
      }
    })
  t.match(
    await problemsOf(
      configure(load(twice(a), twice(b)), on('a', 'b')).then(configuration => build({ configuration, ...embedded }))
    ),
    [/plugins\.b: .*\/v1\/same/]
  )
  t.notOk(migrated)
})

t.test('services are there in the order of dependencies, optional ones perhaps; fakes stand in', async t => {
  const seen: unknown[] = []
  const installed = load(
    plugin({
      contract: b,
      requires: [a],
      optional: [c],
      register: (ctx: { use: Record<string, { hello(): string }> }) => {
        seen.push(ctx.use['a']?.hello(), ctx.use['c'])
        return {}
      }
    } as never),
    plugin({ contract: a, register: () => ({ hello: () => 'hello' }) })
  )
  await (await build({ configuration: await configure(installed, on('a', 'b')), ...embedded })).close()
  await (
    await build({
      configuration: await configure(installed, on('a', 'b')),
      fakes: { a: { hello: () => 'fake' } },
      ...embedded
    })
  ).close()
  t.strictSame(seen, ['hello', undefined, 'fake', undefined])
})

t.test('a data directory belongs to one process, until it ends', async t => {
  const dir = t.testdir()
  const release = await holdDirectory(dir)
  await t.rejects(holdDirectory(dir), /in use by another tracker process.*TRACKER_DATA_DIR/)
  await release()
  await (
    await holdDirectory(dir)
  )()
})
