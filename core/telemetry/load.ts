import type { FastifyBaseLogger } from 'fastify'
import type { Telemetry } from './telemetry.ts'

export async function loadTelemetry(log: FastifyBaseLogger): Promise<Telemetry | undefined> {
  const [{ telemetryModules, TELEMETRY_NOT_INSTALLED }, { startTelemetry }] = await Promise.all([
    import('./installed.ts'),
    import('./start.ts')
  ])
  const modules = telemetryModules()
  if (modules !== undefined) return startTelemetry(modules, log)
  log.warn(TELEMETRY_NOT_INSTALLED)
  return undefined
}
