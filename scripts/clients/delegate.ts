import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { shellQuoted } from '../../lib/util/shell-quoted.ts'
import type { DrivenClient } from './driven/client.ts'
import type { PlannedCall } from './model/server.ts'
import { record } from './record.ts'
import { planOf, type Task } from './task.ts'
import { runnerOf } from './tracker.ts'
import type { World } from './world.ts'

const RUNNERS = fileURLToPath(new URL('../../examples/runners', import.meta.url))
const POLL_MS = 500

/** Each client's tool for commands. A commit in Codex's sandbox is refused: the runner makes it. */
const EDIT: PlannedCall = {
  tools: ['Bash', 'bash', 'exec_command', 'shell_command', 'shell'],
  args: tool => {
    const commit = 'git commit --quiet --allow-empty --message Fixed'
    if (tool.toLowerCase() === 'bash') return { command: commit, description: 'Commit' }
    if (tool === 'exec_command') return { cmd: 'echo fixed > fix.txt' }
    return { command: tool === 'shell' ? ['sh', '-c', 'echo fixed > fix.txt'] : 'echo fixed > fix.txt' }
  }
}
/** The calls that remain of a task when its issue is delegated: it is the agent's, and in progress. */
export const delegatedPlan = (task: Task): PlannedCall[] => {
  const [, get, , ...rest] = planOf(task)
  return [get!, EDIT, ...rest]
}

/**
 * Delegates the task to the client's runner.
 * @param recordTo the folder for the client's output; undefined: it is not kept
 * @throws AssertionError unless its work is on a branch afterwards
 */
export async function delegate(
  client: DrivenClient,
  world: World,
  task: Task,
  { folder, recordTo }: { folder: string; recordTo: string | undefined }
): Promise<void> {
  const { tracker } = world
  const stream = join(world.folder, '..', 'stream.jsonl')
  const env = { ...world.env, ...(await client.runnerEnv!(world)), REPOSITORY: world.folder }
  const lines = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
  const runner = join(RUNNERS, `${client.name}.sh`)
  const code = shellQuoted(`${stream}.code`)
  const command = [`{ ${runner}; echo $? > ${code}; } | tee ${shellQuoted(stream)}`, `exit "$(cat ${code})"`]
  await writeFile(runnerOf(folder), [...lines, ...command, ''].join('\n'))
  const git = (...args: string[]) => execFileSync('git', ['-C', world.folder, ...args], { encoding: 'utf8' })
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '--allow-empty', '--message', 'first')
  const { id } = await tracker.ok<{ id: string }>('POST', '/v1/agent_runs', { issueId: task.key })
  let run: { status: string; summary: string | null; finishedAt: string | null }
  do {
    await sleep(POLL_MS)
    run = await tracker.ok('GET', `/v1/agent_runs/${id}`)
  } while (run.finishedAt === null)
  assert.equal(run.status, 'SUCCEEDED', `the run ended as ${run.status}: ${run.summary}`)
  const { url } = tracker
  if (recordTo !== undefined) {
    await record(stream, recordTo, client.name, { '/work': join(world.folder, '..'), 'http://127.0.0.1:3000': url })
  }
  assert.match(git('branch', '--list', `tracker/${task.key}-${id}`), /tracker/, 'the work is on a branch')
}
