import type { Test } from 'tap'
import { hostile } from '../lib/rich-text/test/hostile.ts'
import { longestDelay } from './event-loop.ts'
import { testServer, type Call, type TestServer } from './runner/harness.ts'

/** Milliseconds that no request may block the event loop. */
const MAX_DELAY_MS = 100

const texts: Record<string, (size: number) => string> = {
  ...hostile,
  'emphasis in words': size => '_a_ '.repeat(size / 4),
  'rows of one cell': size => '|a|\n|-|\n' + '|a|\n'.repeat(size / 4 - 2),
  tasks: size => '- [ ] x\n'.repeat(size / 8)
}

/** The smallest of three measurements: garbage may be collected during one. */
async function assertShort(t: Test, server: TestServer, name: string, call: Call): Promise<void> {
  let least = Infinity
  for (let attempt = 1; attempt <= 3 && least > MAX_DELAY_MS; attempt++) {
    least = Math.min(least, await longestDelay(() => server.call('/v1/issues', call)))
  }
  t.ok(least <= MAX_DELAY_MS, `${name}: ${Math.round(least)} ms`)
}

/** Whatever text of these sizes is written, in the loop or in a thread: the event loop turns. @param sizes bytes */
export async function assertLoopTurns(t: Test, sizes: readonly number[]): Promise<void> {
  const server = await testServer({ settings: { jobs: false } })
  t.teardown(() => server.close())
  const body = (descriptionMarkdown: string) => ({ body: { teamId: 'ENG', title: 'x', descriptionMarkdown } })
  // Warms up: the code is compiled, and the thread started.
  await server.call('/v1/issues', body(texts['tasks']!(64 * 1024)))
  for (const [name, make] of Object.entries(texts)) {
    for (const size of sizes) {
      await assertShort(t, server, `${name}, ${size} bytes`, body(make(size).slice(0, size)))
    }
  }
}
