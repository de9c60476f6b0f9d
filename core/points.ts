import type { Registry } from 'prom-client'
import { point } from './plugin.ts'

/** The core's own extension points. */

export interface HealthCheck {
  /** The field of `/health/ready`. */
  name: string
  /** What to show. `ready: false` turns the answer into a 503; what merely works worse stays ready. */
  check(): Promise<{ ready: boolean } & Record<string, unknown>>
}
export const healthChecks = point<HealthCheck>('core.healthChecks')

/** Adds a plugin's metrics to the registry of one server; called once, before it listens. */
export type Metrics = (registry: Registry) => void
export const metrics = point<Metrics>('core.metrics')

export interface Command {
  name: string
  /** One line for `npm run tracker -- help`. */
  summary: string
  /** Arguments as shown after the name, e.g. `--email EMAIL`. */
  usage: string
  /** Whether the command works on the database; one that only calls a server or writes files does not open it. */
  database: boolean
  /**
   * Prints its result to standard output and what it says about it to standard error.
   * @throws Error whose message tells the user what to do
   */
  run(args: string[]): Promise<void>
}
/** `npm run tracker -- NAME …` */
export const commands = point<Command>('core.commands')
