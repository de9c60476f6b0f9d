import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { delegate, delegatedPlan } from './delegate.ts'
import type { DrivenClient } from './driven/client.ts'
import type { FakeModel } from './model/server.ts'
import { assertDone, fileTask, planOf } from './task.ts'
import type { Tracker } from './tracker.ts'
import { makeFolder, outputFile, type World } from './world.ts'

export const WAYS = ['token', 'oauth', 'runner'] as const
export type Way = (typeof WAYS)[number]

/** The service's own agent, to which issues are delegated. */
const RUNNERS_AGENT = 'Tracker agent'

export const waysOf = (client: DrivenClient): Way[] =>
  WAYS.filter(way => way !== 'runner' || client.runnerEnv !== undefined)

interface Place {
  tracker: Tracker
  model: FakeModel
  /** For the client's repository and home. */
  folder: string
  /** With the commands of the clients. */
  path: string
  /** The folder for the streams of clients that runners start. */
  recordTo: string | undefined
}

/** Drives a client through a task of its own. @throws Error unless it is done afterwards */
export async function drive(client: DrivenClient, way: Way, place: Place): Promise<void> {
  const { tracker, model, folder, path } = place
  const title = `${client.title} by ${way}`
  const agent = way === 'runner' ? RUNNERS_AGENT : title
  const task = await fileTask(tracker, title)
  const own = await makeFolder(folder, `${client.name}-${way}`)
  const repository = await makeFolder(own, 'repository')
  execFileSync('git', ['init', '--quiet', repository])
  const env: Record<string, string> = { PATH: path, HOME: await makeFolder(own, 'home'), TERM: 'xterm-256color' }
  if (way === 'token') {
    const { token } = await tracker.ok<{ token: string }>('POST', '/v1/users/agents', { name: agent })
    env['TRACKER_TOKEN'] = token
  }
  const world: World = { tracker, model, folder: repository, env, agent }
  model.follow(way === 'runner' ? delegatedPlan(task) : planOf(task))
  try {
    if (way === 'token') await client.byToken(world, task)
    else if (way === 'oauth') await client.byOauth(world, task)
    else await delegate(client, world, task, place)
    await assertDone(tracker, task, agent)
  } finally {
    for (const problem of model.problems()) appendFileSync(outputFile(world), `The fake model: ${problem}\n`)
  }
}
