import type { Meter, Observable } from '@opentelemetry/api'
import type { Registry } from 'prom-client'

/** Counters and gauges only: of requests there is OpenTelemetry's own histogram. */
export function exportRegistry(registry: Registry, meter: Meter): void {
  const exported = new Map<string, Observable>()
  for (const { name, help: description, type } of registry.getMetricsAsArray()) {
    if (String(type) === 'counter') exported.set(name, meter.createObservableCounter(name, { description }))
    if (String(type) === 'gauge') exported.set(name, meter.createObservableGauge(name, { description }))
  }
  meter.addBatchObservableCallback(
    async result => {
      const observed = [...exported].map(async ([name, observable]) => {
        const { values } = await registry.getSingleMetric(name)!.get()
        for (const { value, labels } of values) result.observe(observable, value, labels)
      })
      // While the database is down, the others still tell.
      await Promise.allSettled(observed)
    },
    [...exported.values()]
  )
}
