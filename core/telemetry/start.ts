import type { Attributes, Span } from '@opentelemetry/api'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { nameOfStatement } from '../db/statements/slow.ts'
import { exportRegistry } from './metrics.ts'
import { traceOutgoing } from './outgoing.ts'
import { observeRequests } from './requests.ts'
import { startSdk } from './sdk.ts'
import type { Telemetry } from './telemetry.ts'

const MAX_NAMES = 5_000

export function startTelemetry(modules: string, log: FastifyBaseLogger, env = process.env): Telemetry {
  const { api, isSuppressed, stop } = startSdk(modules, env, log)
  const { context, trace, SpanKind, SpanStatusCode, ROOT_CONTEXT } = api
  const tracer = trace.getTracer('tracker')
  const meter = api.metrics.getMeter('tracker')
  const nameOf = makeStatementNames()
  const running = (): Span | undefined => {
    const span = trace.getActiveSpan()
    return span?.isRecording() && !isSuppressed() ? span : undefined
  }
  const stopTracingOutgoing = traceOutgoing(api, tracer, () => running() !== undefined)

  return {
    observeRequests: app => observeRequests(app, api, tracer, meter),
    addStatement(text, durationMs) {
      if (running() === undefined) return
      const endTime = Date.now()
      const { name, attributes } = nameOf(text)
      tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: endTime - durationMs, attributes }).end(endTime)
    },
    trace: (name, work) =>
      tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, ROOT_CONTEXT, async span => {
        try {
          return await work()
        } catch (error) {
          // Messages may have texts of users.
          span.setAttribute('error.type', nameOfError(error)).setStatus({ code: SpanStatusCode.ERROR })
          throw error
        } finally {
          span.end()
        }
      }),
    exportMetrics: registry => context.with(ROOT_CONTEXT, () => exportRegistry(registry, meter)),
    async stop() {
      stopTracingOutgoing()
      await stop()
    }
  }
}

const nameOfError = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}

function makeStatementNames(): (text: string) => { name: string; attributes: Attributes } {
  const names = new LRUCache<string, { name: string; attributes: Attributes }>({ max: MAX_NAMES })
  return text => {
    const known = names.get(text)
    if (known !== undefined) return known
    const summary = nameOfStatement(text)
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
    const named = {
      name: summary.startsWith('plugins/') || summary.startsWith('core/') ? summary : verb,
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'db.query.summary': summary }
    }
    names.set(text, named)
    return named
  }
}
