import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Span, Tracer } from '@opentelemetry/api'

interface UndiciRequest {
  method: string
  origin: string | URL
  addHeader(name: string, value: string): void
}

/**
 * A span for each request to another server on behalf of a request or a job, which tells that server its trace. It has
 * only the host of the address: paths and queries may have secrets.
 * @returns a function that ends that
 */
export function traceOutgoing(api: typeof OpenTelemetry, tracer: Tracer, isTraced: () => boolean): () => void {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  const spans = new WeakMap<object, Span>()

  function begin(request: object, method: string, host: string, addHeader: (name: string, value: string) => void) {
    if (!isTraced()) return
    const attributes = { 'http.request.method': method, 'server.address': host }
    const span = tracer.startSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes })
    spans.set(request, span)
    const headers: Record<string, string> = {}
    propagation.inject(trace.setSpan(context.active(), span), headers)
    for (const [name, value] of Object.entries(headers)) addHeader(name, value)
  }
  function answered(request: object, status: number | undefined): void {
    if (status === undefined) return
    const span = spans.get(request)?.setAttribute('http.response.status_code', status)
    if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR })
  }
  function end(request: object, error?: Error & { code?: string }): void {
    const span = spans.get(request)
    if (error) span?.setAttribute('error.type', error.code ?? error.name).setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  const stops: Array<() => void> = []
  function on<T>(channel: string, handle: (message: T) => void): void {
    const listener = (message: unknown) => handle(message as T)
    subscribe(channel, listener)
    stops.push(() => unsubscribe(channel, listener))
  }
  on<{ request: UndiciRequest }>('undici:request:create', ({ request }) =>
    begin(request, request.method, new URL(request.origin).host, (name, value) => request.addHeader(name, value))
  )
  on<{ request: object; response: { statusCode: number } }>('undici:request:headers', ({ request, response }) =>
    answered(request, response.statusCode)
  )
  on<{ request: object }>('undici:request:trailers', ({ request }) => end(request))
  on<{ request: object; error: Error }>('undici:request:error', ({ request, error }) => end(request, error))
  on<{ request: ClientRequest }>('http.client.request.created', ({ request }) =>
    begin(request, request.method, request.host, (name, value) => request.setHeader(name, value))
  )
  on<{ request: object; response: IncomingMessage }>('http.client.response.finish', ({ request, response }) => {
    answered(request, response.statusCode)
    end(request)
  })
  on<{ request: object; error: Error }>('http.client.request.error', ({ request, error }) => end(request, error))
  return () => stops.forEach(stop => stop())
}
