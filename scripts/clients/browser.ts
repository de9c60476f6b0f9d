import { appendFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, outputFile, type World } from './world.ts'

const POLL_MS = 200
/** The commands with which clients open a browser on Linux and macOS. */
const OPENERS = ['xdg-open', 'open', 'x-www-browser']

/** Plays a person's part while `work` runs: each page that the client opens, or prints, is approved. */
export async function withBrowser<T>(world: World, work: (world: World) => Promise<T>): Promise<T> {
  const folder = await makeFolder(world.folder, '..', 'browser')
  const opened = join(folder, 'opened')
  await writeFile(opened, '')
  for (const name of OPENERS) {
    await writeFile(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`)
    await chmod(join(folder, name), 0o755)
  }
  const path = [folder, world.env['PATH']].join(delimiter)
  const env = { ...world.env, PATH: path, BROWSER: join(folder, 'xdg-open') }
  const over = new AbortController()
  const approving = approveOpened(world, [opened, outputFile(world)], over.signal)
  try {
    return await work({ ...world, env })
  } finally {
    over.abort()
    await approving
  }
}

async function approveOpened(world: World, files: readonly string[], signal: AbortSignal): Promise<void> {
  const approved = new Set<string>()
  while (!signal.aborted) {
    const texts = await Promise.all(files.map(file => readFile(file, 'utf8').catch(() => '')))
    for (const [address] of texts.join('\n').matchAll(/http:[^\s"']+\/authorize\?[\w%=&.+-]+/g)) {
      if (approved.has(address)) continue
      approved.add(address)
      await approve(world, address).catch((error: Error) => {
        // A terminal may have cut it; where it was whole, the client says what is missing.
        appendFileSync(outputFile(world), `${address} was not approved: ${error.message}\n`)
      })
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

/** Consents as the page does when a person chooses a new agent. */
export async function approve({ tracker, agent }: World, address: string): Promise<void> {
  const query = new URL(address).search.slice(1)
  const known = await tracker.ok<Array<{ id: string; fullname: string }>>('GET', '/v1/users/agents')
  const id = known.find(({ fullname }) => fullname === agent)?.id
  const { redirectTo } = await tracker.ok<{ redirectTo: string }>('POST', '/v1/oauth/consent', {
    query,
    isApproved: true,
    ...(id === undefined ? { newAgent: agent } : { agentId: id }),
    scopes: ['read', 'write']
  })
  const answer = await fetch(redirectTo)
  await answer.body?.cancel()
}
