import type { Task } from '../task.ts'
import type { World } from '../world.ts'

export const PROMPT = 'Do your next task.'

/** A client that this script drives through a whole task. */
export interface DrivenClient {
  /** As `tracker connect` calls it. */
  name: string
  title: string
  /** On npm, and the command that it brings. */
  package: string
  command: string
  /** Connected by an agent's token, in `TRACKER_TOKEN`. */
  byToken(world: World, task: Task): Promise<void>
  /** Connected with the address alone. */
  byOauth(world: World, task: Task): Promise<void>
  /** Started for a delegated issue by its runner in `examples/runners`, with this environment. */
  runnerEnv?(world: World): Promise<Record<string, string>>
}
