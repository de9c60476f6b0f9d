import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalledIn } from '../../lib/packages/install.ts'
import { NODE_MODULES } from '../../lib/packages/node-modules.ts'
import { TELEMETRY_PACKAGES } from './packages.ts'

/** `telemetry install` fills a folder of its own, because a release has only parts of some of the packages. */
export const TELEMETRY_MODULES = join(NODE_MODULES, '.telemetry/node_modules')

export const TELEMETRY_NOT_INSTALLED =
  'Nothing is sent to OpenTelemetry, because its packages are not installed: npm run tracker -- telemetry install ' +
  'adds them for the next start; TRACKER_TELEMETRY=false turns it off.'

/** The folder of modules that has the packages, at the versions with which this server was tested. */
export const telemetryModules = (): string | undefined =>
  [NODE_MODULES, TELEMETRY_MODULES].find(
    modules => existsSync(modules) && TELEMETRY_PACKAGES.every(each => isInstalledIn(modules, each))
  )
