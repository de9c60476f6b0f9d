import type { Registry } from 'prom-client'
import type { App } from '../api/plugin.ts'
import type { Trace } from '../api/contract.ts'

/** No types of OpenTelemetry: its packages are installed only where they are used. */
export interface Telemetry {
  /** Makes a span of each request from now on: call it before other hooks are added. */
  observeRequests(app: App): void
  addStatement(text: string, durationMs: number): void
  trace: Trace
  exportMetrics(registry: Registry): void
  stop(): Promise<void>
}
