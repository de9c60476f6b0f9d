import { defineCommand } from '../api/command.ts'
import type { Command } from '../api/points.ts'

/** `telemetry install`: adds OpenTelemetry to a release, or to a checkout without the packages of development. */
export const telemetryCommand = (): Command =>
  defineCommand({
    name: 'telemetry install',
    summary: 'Install the packages that send traces and metrics to OpenTelemetry',
    details:
      'They take 18 MB. A release that replaces this one needs them again.\n' +
      'It does nothing where they are installed; after a failure everything is as before.',
    options: {
      from: {
        type: 'string',
        placeholder: 'FOLDER',
        description: 'Take the packages from the .tgz files in it, as npm pack writes them, without npm and network.'
      }
    },
    database: false,
    async run({ from }, terminal) {
      // Only here: a server starts without `tar`.
      const [{ installPackages }, { TELEMETRY_MODULES, telemetryModules }, { TELEMETRY_PACKAGES }] = await Promise.all([
        import('../../lib/packages/install.ts'),
        import('./installed.ts'),
        import('./packages.ts')
      ])
      const installed = telemetryModules()
      if (installed !== undefined) {
        terminal.print(`The packages of OpenTelemetry are installed already, in ${installed}.`)
        return
      }
      if (from === undefined) terminal.print(`Downloading ${TELEMETRY_PACKAGES.length} packages …`)
      await installPackages({
        packages: TELEMETRY_PACKAGES,
        modules: TELEMETRY_MODULES,
        entries: ['@opentelemetry/sdk-node'],
        command: 'telemetry install',
        from: from === undefined ? undefined : terminal.path(from)
      })
      terminal.print(`Installed OpenTelemetry in ${TELEMETRY_MODULES}: start the server again.`)
    }
  })
