import type { Registry } from 'prom-client'
import type { App } from '../api/plugin.ts'
import type { Trace } from '../api/contract.ts'

/** No types of OpenTelemetry: its packages are installed only where they are used. */
export interface Telemetry {
  /** Makes a span of each request from now on: call it before other hooks are added. */
  observeRequests(app: App): void
  /** Adds a statement to the span of its request or job. */
  addStatement(text: string, durationMs: number): void
  trace: Trace
  /** Exports what `/metrics` shows. */
  exportMetrics(registry: Registry): void
  stop(): Promise<void>
}
