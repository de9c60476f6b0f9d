import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from './runner/empty-database.ts'
import { TEST_DATABASE_URL } from './runner/harness.ts'
import { onlyPlugins, startProcess, trackerIn } from './runner/process.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}
interface Span {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code?: number }
}
interface Metric {
  name: string
  gauge?: object
  sum?: object
  histogram?: { dataPoints: Array<{ attributes: Attribute[] }> }
}
interface Exported {
  resourceSpans?: Array<{ resource: { attributes: Attribute[] }; scopeSpans: Array<{ spans: Span[] }> }>
  resourceMetrics?: Array<{ scopeMetrics: Array<{ metrics: Metric[] }> }>
}

const [SERVER, CLIENT, CONSUMER] = [2, 3, 5]
const ERROR = 2

/** A server that keeps what it gets. */
async function listener(t: Test) {
  const received: Array<{ url: string; headers: IncomingHttpHeaders; body: string }> = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', piece => (body += String(piece)))
    request.on('end', () => {
      received.push({ url: request.url!, headers: request.headers, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** A collector of OpenTelemetry that takes JSON. */
async function collector(t: Test) {
  const { url, received } = await listener(t)
  const exported = () => received.map(({ body }) => JSON.parse(body) as Exported)
  return {
    url,
    received,
    resources: () => exported().flatMap(({ resourceSpans = [] }) => resourceSpans.map(({ resource }) => resource)),
    spans: () =>
      exported().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      ),
    metrics: () =>
      exported().flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      )
  }
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? (intValue && Number(intValue))])
  )

const TRACKER_ADMIN_TOKEN = newToken()
const SECRET = 'quincunx'

/** A server that sends its traces to a collector. */
async function start(t: Test, more: Record<string, string>) {
  const database = TEST_DATABASE_URL === undefined ? undefined : await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(() => database?.remove())
  const server = await startProcess({
    ...(database?.env ?? { TRACKER_DATA_DIR: t.testdir() }),
    TRACKER_ADMIN_TOKEN,
    TRACKER_TELEMETRY: 'true',
    LOG_LEVEL: 'info',
    ...onlyPlugins('workspace', 'agents', 'issues', 'webhooks', 'mcp'),
    TRACKER_PLUGINS__WEBHOOKS__ALLOW_PRIVATE_ADDRESSES: 'true',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    ...more
  })
  t.teardown(() => server.end('SIGKILL'))
  const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${TRACKER_ADMIN_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body && { body: JSON.stringify(body) })
    })
  return { server, send }
}

async function eventually<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const value = find()
    if (value !== undefined) return value
    await sleep(50)
  }
}

t.test('requests, statements, jobs and requests to others are traced, without secrets and texts', async t => {
  const { url, received, resources, spans, metrics } = await collector(t)
  const receiver = await listener(t)
  const { server, send } = await start(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test'
  })
  await send('/v1/webhooks', { url: `${receiver.url}/${SECRET}?key=${SECRET}`, types: ['issue.*'] })
  const [traceId, parentSpanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const headers = { traceparent: `00-${traceId}-${parentSpanId}-01`, 'x-request-id': 'request-1' }
  const { status } = await send('/v1/issues', { teamId: 'ENG', title: SECRET, descriptionMarkdown: SECRET }, headers)
  t.equal(status, 201)
  await send(`/v1/issues/ENG-404/context?token=trk_${SECRET}`)

  const root = await eventually(() => spans().find(span => span.name === 'POST /v1/issues'))
  t.match(root, { kind: SERVER, traceId, parentSpanId })
  t.match(valuesOf(root.attributes), {
    'http.request.method': 'POST',
    'http.route': '/v1/issues',
    'http.response.status_code': 201,
    'tracker.request.id': 'request-1',
    'tracker.principal.kind': 'PERSON'
  })
  const statements = spans().filter(span => span.parentSpanId === root.spanId)
  t.ok(statements.length > 1, `${statements.length} statements`)
  t.ok(statements.every(({ kind, traceId }) => kind === CLIENT && traceId === root.traceId))
  t.ok(
    statements.some(({ name }) => /^(?:core|plugins)\/[\w/-]+\.[jt]s: \w+$/.test(name)),
    'some have names'
  )

  const line = server
    .output()
    .split('\n')
    .find(line => line.includes('"request-1"') && line.includes('request completed'))
  t.match(JSON.parse(line!), { traceId, reqId: 'request-1' })

  const notFound = await eventually(() => spans().find(span => span.name === 'GET /v1/issues/:issueId/context'))
  t.match(valuesOf(notFound.attributes), { 'http.response.status_code': 400 })
  t.not(notFound.status.code, ERROR, 'it is no failure of the server')
  t.not(notFound.traceId, traceId)

  const delivery = await eventually(() => receiver.received[0])
  const [, deliveryTrace, sender] = String(delivery.headers['traceparent']).split('-')
  const request = await eventually(() => spans().find(({ spanId }) => spanId === sender))
  t.match(request, { kind: CLIENT, traceId: deliveryTrace, name: `POST ${new URL(receiver.url).host}` })
  const job = await eventually(() => spans().find(({ spanId }) => spanId === request.parentSpanId))
  t.match(job, { kind: CONSUMER, name: /^(?:job|consumer) \w/ })

  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } }
  const tool = await send('/v1/mcp', call, { accept: 'application/json, text/event-stream' })
  t.equal(tool.status, 200)
  const outer = await eventually(() => spans().find(({ name }) => name === 'POST /v1/mcp'))
  const inner = await eventually(() =>
    spans().find(({ kind, parentSpanId }) => kind === SERVER && parentSpanId === outer.spanId)
  )
  t.equal(inner.traceId, outer.traceId, 'a tool and its request are one trace')

  const named = (name: string) => metrics().find(metric => metric.name === name)
  await eventually(() =>
    metrics()
      .filter(({ name }) => name === 'http.server.request.duration')
      .flatMap(({ histogram }) => histogram!.dataPoints)
      .find(({ attributes }) => valuesOf(attributes)['http.route'] === '/v1/issues')
  )
  t.ok((await eventually(() => named('tracker_build_info'))).gauge)
  t.ok((await eventually(() => named('tracker_jobs_failed_total'))).sum)
  t.match(valuesOf(resources()[0]!.attributes), {
    'service.name': 'tracker',
    'deployment.environment.name': 'test'
  })

  t.equal(await server.end('SIGTERM'), 0)
  const all = JSON.stringify(received)
  t.notMatch(all, TRACKER_ADMIN_TOKEN)
  t.notMatch(all, SECRET)
  t.notOk(spans().some(({ name }) => name.includes('/health')))
  t.ok(spans().length < 500, `${spans().length} spans: what polls is not traced`)
})

t.test('without a collector requests are answered, and the log says so once', async t => {
  const { server, send } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  for (let n = 0; n < 3; n++) {
    t.equal((await send('/v1/users/me')).status, 200)
    await sleep(200)
  }
  const problems = () =>
    [...server.output().matchAll(/"problem":"(.*?)","msg":"OpenTelemetry"/g)].map(([, text]) => text)
  await eventually(() => problems()[0])
  t.equal(await server.end('SIGTERM'), 0)
  t.strictSame(problems(), [...new Set(problems())])
  t.ok(problems().length < 10, problems().join('; '))
})

t.test('the packages are installed already where the lock file brought them', async t => {
  const { code, err } = await trackerIn({ TRACKER_DATA_DIR: t.testdir() }, 'telemetry', 'install')
  t.match({ code, err }, { code: 0, err: /^The packages of OpenTelemetry are installed already/ })
})
