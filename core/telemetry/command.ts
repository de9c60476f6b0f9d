import { defineInstallCommand } from '../api/command.ts'
import type { Command } from '../api/points.ts'

export const telemetryCommand = (): Command =>
  defineInstallCommand({
    name: 'telemetry install',
    summary: 'Install the packages that send traces and metrics to OpenTelemetry',
    size: 'They take 18 MB.',
    async find() {
      const { TELEMETRY_MODULES, telemetryModules } = await import('./installed.ts')
      const { TELEMETRY_PACKAGES } = await import('./packages.ts')
      const modules = telemetryModules()
      return {
        packages: TELEMETRY_PACKAGES,
        modules: TELEMETRY_MODULES,
        entries: ['@opentelemetry/sdk-node'],
        present: modules && `The packages of OpenTelemetry are installed already, in ${modules}.`,
        downloaded: `${TELEMETRY_PACKAGES.length} packages`,
        title: 'OpenTelemetry'
      }
    }
  })
