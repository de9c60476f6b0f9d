import t, { type Test } from 'tap'
import { configure } from '../../config/config.ts'
import { contract, point, problem, scope, type Caller } from '../../api/contract.ts'
import { definePlugin, dependsOn, singleton, type ContextOf, type Plugin } from '../../api/plugin.ts'
import { healthChecks, loginMethods, problems, scopes } from '../../api/points.ts'
import { StartError } from '../../config/start-error.ts'
import { build, type Server } from '../server.ts'
import { testServer } from '../../../test/runner/harness.ts'

const owner = contract<{ items(caller: Caller): string[] }>()('owner')
const items = point<string>()(owner, 'items')
const ownerPlugin = definePlugin(dependsOn(owner), {
  summary: 'Reads what others contribute',
  services: ctx => ({ items: () => ctx.contributions(items).map(({ from, item }) => `${from}: ${item}`) })
})
const caller: Caller = { workspaceId: '', accountId: null, tokenId: null, scopes: [] }
const other = contract()('other')
const another = contract()('another')

async function start(plugins: readonly Plugin[], fakes: Record<string, object> = {}): Promise<Server> {
  const configuration = await configure(
    Object.fromEntries(plugins.map(plugin => [plugin.name, async () => ({ default: plugin })])),
    { logLevel: 'silent', plugins: Object.fromEntries(plugins.map(({ name }) => [name, { enabled: true }])) }
  )
  return build({ configuration, fakes, database: { dataDir: undefined } })
}
async function started(t: Test, ...plugins: Plugin[]): Promise<Server> {
  const server = await start(plugins)
  t.teardown(() => server.close())
  return server
}
const problemsOf = async (...plugins: Plugin[]): Promise<string> => {
  const error: unknown = await start(plugins).then(
    server => server.close(),
    (error: unknown) => error
  )
  return error instanceof StartError ? error.problems.join('\n') : String(error)
}

t.test('the owner of a point sees each contribution and the plugin that made it', async t => {
  const server = await started(
    t,
    definePlugin(dependsOn(other), { summary: 'x', register: ctx => ctx.contribute(items, 'one') }),
    definePlugin(dependsOn(another), {
      summary: 'x',
      register: ctx => ctx.contributeWith(items, () => ['two', 'three'])
    }),
    ownerPlugin
  )
  const services = server.container.resolve<{ items(caller: Caller): string[] }>('owner')
  t.strictSame(services.items(caller), ['other: one', 'another: two', 'another: three'])
})

t.test('contributions to the extension point of a disabled plugin are never created', async t => {
  let isMade = false
  await started(
    t,
    definePlugin(dependsOn(other), {
      summary: 'x',
      register: ctx =>
        ctx.contributeWith(items, () => {
          isMade = true
          return []
        })
    })
  )
  t.notOk(isMade)
})

t.test('a contribution after register stops the start', async t => {
  let contribute = () => {}
  const late = definePlugin(dependsOn(other), {
    summary: 'x',
    register(ctx) {
      contribute = () => ctx.contribute(items, 'late')
    },
    services() {
      contribute()
      return {}
    }
  })
  t.match(await problemsOf(late), 'plugins.other: other contributes to owner.items after register')
})

t.test('a handler that is declared after register stops the start', async t => {
  let schedule = () => {}
  const late = definePlugin(dependsOn(other), {
    summary: 'x',
    register(ctx) {
      schedule = () => ctx.onStart(async () => {})
    },
    routes: () => schedule()
  })
  t.match(await problemsOf(late), 'plugins.other: other declares onStart after register')
})

t.test('only the owner of a point reads it, whatever the types say', async t => {
  const curious = definePlugin(dependsOn(other), {
    summary: 'x',
    routes(_app, ctx) {
      ctx.contributions(items as never)
    }
  })
  t.match(await problemsOf(curious), 'plugins.other: other reads owner.items, an extension point of owner')
})

t.test('two plugins cannot have the same scope', async t => {
  const withScope = (token: typeof other | typeof another) =>
    definePlugin(dependsOn<typeof token>(token), {
      summary: 'x',
      register: ctx => ctx.contribute(scopes, scope('review', 'Review'))
    })
  t.match(await problemsOf(withScope(other), withScope(another)), "the scope 'review' is taken by plugins.other")
})

t.test('a plugin cannot take an error code of the core', async t => {
  const plugin = definePlugin(dependsOn(other), {
    summary: 'x',
    register: ctx => ctx.contribute(problems, problem(404, 'NOT_FOUND'))
  })
  t.match(await problemsOf(plugin), "the error code 'NOT_FOUND' is taken by the core")
})

t.test('the document lists the error codes of the plugins that are on', async t => {
  const plugin = definePlugin(dependsOn(other), {
    summary: 'x',
    register: ctx => ctx.contribute(problems, problem(409, 'NOT_REVIEWED'))
  })
  const codes = async (server: Server) =>
    (await server.app.inject('/openapi.json')).json<{
      components: { schemas: { ErrorCode: { enum: string[] } } }
    }>().components.schemas.ErrorCode.enum
  t.ok((await codes(await started(t, plugin))).includes('NOT_REVIEWED'))
  t.notOk((await codes(await started(t, ownerPlugin))).includes('NOT_REVIEWED'))
})

t.test('a health check is shown under the name of its plugin', async t => {
  const server = await started(
    t,
    definePlugin(dependsOn(other), {
      summary: 'x',
      register: ctx => ctx.contribute(healthChecks, async () => ({ state: 'up' }))
    })
  )
  t.match((await server.app.inject('/health/ready')).json(), { other: { state: 'up' } })
})

t.test('a plugin that is off, and that another would use, is shown as off', async t => {
  const server = await started(
    t,
    definePlugin(dependsOn(other, { optional: [contract()('missing', { healthWhenOff: { model: null } })] }), {
      summary: 'x'
    })
  )
  t.match((await server.app.inject('/health/ready')).json(), { missing: { state: 'off', model: null } })
})

t.test('a scope, and how a client gets a token, come from plugins', async t => {
  const review = scope('review', 'Review')
  const plugin = definePlugin(dependsOn(other), {
    summary: 'x',
    register(ctx) {
      ctx.contribute(scopes, review)
      ctx.contribute(loginMethods, {
        bearerParameters: ({ url }) => (url === '/review' ? { realm: 'reviews', scope: 'review' } : undefined)
      })
    },
    routes(app) {
      app.get('/caller', async request => request.principal)
      app.get('/review', { config: { scope: review } }, async () => ({}))
    }
  })
  const server = await testServer({
    plugins: ['workspace', 'agents'],
    also: { other: async () => ({ default: plugin }) }
  })
  t.teardown(() => server.close())
  const { token } = await server.agent('Reader', ['read'])
  t.match((await server.call('/review', { token })).json(), { requiredScope: 'review' })
  t.match((await server.app.inject('/caller')).headers, { 'www-authenticate': 'Bearer' })
  t.match((await server.app.inject('/review')).headers, {
    'www-authenticate': 'Bearer realm="reviews", scope="review"'
  })
})

t.test('singletons are created on first use and stopped in reverse order', async t => {
  const order: string[] = []
  const base = singleton(
    'base',
    () => ({}),
    () => {
      order.push('base')
    }
  )
  const dependencies = dependsOn(other)
  const worker = singleton(
    'worker',
    (ctx: ContextOf<typeof dependencies>) => ({ base: ctx.get(base) }),
    async () => {
      await new Promise(resolve => setTimeout(resolve, 10))
      order.push('worker')
    }
  )
  const unused = singleton(
    'unused',
    () => ({}),
    () => {
      order.push('unused')
    }
  )
  const server = await start([
    definePlugin(dependencies, {
      summary: 'x',
      routes(app, ctx) {
        ctx.get(worker)
        app.get('/unused', async () => ctx.get(unused))
      }
    })
  ])
  await server.close()
  t.strictSame(order, ['worker', 'base'])
})

t.test('a singleton that cannot be stopped does not keep the others open', async t => {
  const failing = singleton(
    'failing',
    () => ({}),
    () => {
      throw new Error('it cannot be stopped')
    }
  )
  const server = await start([
    definePlugin(dependsOn(other), {
      summary: 'x',
      routes(_app, ctx) {
        ctx.get(failing)
      }
    })
  ])
  await server.start()
  await t.rejects(server.close(), { message: 'it cannot be stopped' })
  await t.rejects(server.database.db.selectFrom('workspace').select('id').execute(), /destroyed|closed/)
})

t.test('a test puts something else in the place of a singleton', async t => {
  const clock = singleton('clock', () => ({ time: 'real' }))
  let name = ''
  const plugin = definePlugin(dependsOn(other), {
    summary: 'x',
    routes(_app, ctx) {
      name = ctx.get(clock).time
    }
  })
  const server = await start([plugin], { 'other/clock': { time: 'fake' } })
  await server.close()
  t.equal(name, 'fake')
})
