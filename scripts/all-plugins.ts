import { pino } from 'pino'
import { configure } from '../core/config/config.ts'
import { build, type Server } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'

/** A server on which all plugins are, to read what they contribute: it is not started. */
export async function buildWithAllPlugins(): Promise<Server> {
  const plugins = Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }]))
  return build({ configuration: await configure(installed, { plugins }), logger: pino({ level: 'silent' }) })
}
