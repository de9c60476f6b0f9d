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

/** Made by `defineCommand`. */
export interface Command {
  name: string
  /** One line for `npm run tracker -- help`. */
  summary: string
  /** Arguments as shown after the name, e.g. `[--email EMAIL]`. */
  usage: string
  /** What `--help` prints. */
  help: string
  /**
   * Prints its result to standard output and what it says about it to standard error.
   * @param openDatabase called when the arguments are right, by a command that works on the database
   * @returns the exit code
   * @throws Error whose message tells the user what to do
   */
  run(args: readonly string[], openDatabase?: () => Promise<void>): Promise<number>
}
/** `npm run tracker -- NAME …` */
export const commands = point<Command>('core.commands')
