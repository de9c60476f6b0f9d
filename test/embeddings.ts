import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './runner/harness.ts'

/** The embeddings in `/health/ready`. */
interface EmbeddingsHealth {
  state: string
  model: string | null
  backlog: number
}
export const embeddingsHealth = async (server: TestServer): Promise<EmbeddingsHealth> =>
  (await server.ok<{ embeddings: EmbeddingsHealth }>('/health/ready', { token: null })).embeddings

/** Waits until `/health/ready` shows this. */
export async function untilEmbeddings(
  server: TestServer,
  expected: Partial<EmbeddingsHealth>
): Promise<EmbeddingsHealth> {
  for (;;) {
    const health = await embeddingsHealth(server)
    if (Object.entries(expected).every(([key, value]) => health[key as keyof EmbeddingsHealth] === value)) return health
    await sleep(20)
  }
}
/** Waits until all written texts have vectors. */
export async function untilEmbedded(server: TestServer): Promise<EmbeddingsHealth> {
  await server.idle()
  return untilEmbeddings(server, { state: 'ready', backlog: 0 })
}

const LATE = /tracker_embeddings_searches_total\{outcome="too late"\} (\d+)/
const lateSearches = async (server: TestServer): Promise<number> =>
  Number(LATE.exec((await server.call('/metrics', { token: null })).body)?.[1])
/** Repeats a search until the machine embeds its text in time; all texts have their vectors. */
export async function byMeaning<T>(server: TestServer, search: () => Promise<T>): Promise<T> {
  await untilEmbedded(server)
  return inTime(server, search)
}
/** Repeats a search until the machine embeds its text in time. */
export async function inTime<T>(server: TestServer, search: () => Promise<T>): Promise<T> {
  for (;;) {
    const late = await lateSearches(server)
    const answer = await search()
    if ((await lateSearches(server)) === late) return answer
  }
}
