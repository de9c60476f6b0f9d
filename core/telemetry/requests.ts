import type * as OpenTelemetry from '@opentelemetry/api'
import type { Context, Meter, Span, Tracer } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../api/contract.ts'
import type { App } from '../api/plugin.ts'
import { isHealthProbe } from '../http/logger.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** A span and a measurement of each request but health probes: the route, never the path, which has names and ids. */
export function observeRequests(app: App, api: typeof OpenTelemetry, tracer: Tracer, meter: Meter): void {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Time from request to answer',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS }
  })
  const observed = new WeakMap<FastifyRequest, { span: Span; inside: Context }>()

  app.addHook('onRequest', (request, reply, done) => {
    if (isHealthProbe(request.routeOptions.url)) return done()
    // A request of a tool to a route of this server is in the context of the tool's request.
    const parent = propagation.extract(context.active(), request.headers)
    const route = attributesOf(request)
    const attributes = { ...route, 'tracker.request.id': request.id }
    const name = `${request.method} ${route['http.route']}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
    const inside = trace.setSpan(parent, span)
    observed.set(request, { span, inside })
    const { traceId } = span.spanContext()
    request.log = reply.log = request.log.child({ traceId })
    context.with(inside, done)
  })
  // It runs in the context of the socket when the body was read.
  app.addHook('preValidation', (request, _reply, done) => {
    const { inside } = observed.get(request) ?? {}
    if (inside === undefined) done()
    else context.with(inside, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { span } = observed.get(request) ?? {}
    if (span === undefined) return done()
    const { statusCode } = reply
    const status = { 'http.response.status_code': statusCode }
    duration.record(reply.elapsedTime / 1000, { ...attributesOf(request), ...status })
    span.setAttributes({ ...status, ...callerOf(request) })
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    done()
  })
}

const attributesOf = ({ method, routeOptions: { url = 'unknown' } }: FastifyRequest) => ({
  'http.request.method': method,
  'http.route': url
})

function callerOf({ principal }: FastifyRequest): { 'tracker.principal.kind'?: Principal['kind'] } {
  const { kind } = (principal ?? {}) as Partial<Principal>
  return kind === undefined ? {} : { 'tracker.principal.kind': kind }
}
