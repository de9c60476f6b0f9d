import { execFileSync } from 'node:child_process'
import type { DrivenClient } from './driven/client.ts'
import type { FakeModel } from './model/server.ts'
import { assertDone, fileTask, planOf } from './task.ts'
import type { Tracker } from './tracker.ts'
import { makeFolder, type World } from './world.ts'

export const WAYS = ['token', 'oauth'] as const
export type Way = (typeof WAYS)[number]

interface Place {
  tracker: Tracker
  model: FakeModel
  /** For the client's repository and home. */
  folder: string
  /** With the commands of the clients. */
  path: string
}

/** Drives a client through a task of its own. @throws Error unless it is done afterwards */
export async function drive(client: DrivenClient, way: Way, { tracker, model, folder, path }: Place): Promise<void> {
  const agent = `${client.title} by ${way}`
  const task = await fileTask(tracker, agent)
  const place = await makeFolder(folder, `${client.name}-${way}`)
  const repository = await makeFolder(place, 'repository')
  execFileSync('git', ['init', '--quiet', repository])
  const env: Record<string, string> = { PATH: path, HOME: await makeFolder(place, 'home'), TERM: 'xterm-256color' }
  if (way === 'token') {
    const { token } = await tracker.ok<{ token: string }>('POST', '/v1/users/agents', { name: agent })
    env['TRACKER_TOKEN'] = token
  }
  const world: World = { tracker, model, folder: repository, env, agent }
  model.follow(planOf(task))
  await (way === 'token' ? client.byToken(world, task) : client.byOauth(world, task))
  const [problem] = model.problems()
  if (problem !== undefined) throw new Error(problem)
  await assertDone(tracker, task, agent)
}
