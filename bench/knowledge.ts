import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'
import { measure, type Load } from './load.ts'

/*
 * npm run bench:knowledge -- [--database URL] [--entries 10000] [--seconds 5]: the response time of a search and of a
 * context among these entries, with texts from a vocabulary of realistic word frequencies.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    entries: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' }
  }
})
const ENTRIES = Number(options.entries)
const VOCABULARY = 20_000
const FILLING = 8
const token = newToken()

// The same texts in every run (a linear congruential generator; Numerical Recipes' constants).
let state = 1
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
/** Zipf's law: the n-th word occurs about 1/n as often as the first. */
const word = () => `w${Math.floor(VOCABULARY ** random()).toString(36)}x`
const words = (count: number) => Array.from({ length: count }, word).join(' ')
const between = (least: number, most: number) => least + Math.floor(random() * (most - least))

const database = await emptyDatabase(options.database)
const server = await startProcess({ ...database.env, TRACKER_ADMIN_TOKEN: token })
try {
  const send = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<T>
  }
  const { id: projectId } = await send<{ id: string }>('/v1/projects', { name: 'Benchmark' })
  const issues: string[] = []
  for (let n = 0; n < 50; n++) {
    issues.push(
      (
        await send<{ id: string }>('/v1/issues', {
          teamId: 'ENG',
          projectId,
          title: words(8),
          descriptionMarkdown: words(200)
        })
      ).id
    )
  }
  const scopes = [{}, {}, { teamId: 'ENG' }, { projectId }]
  let left = ENTRIES
  await Promise.all(
    Array.from({ length: FILLING }, async () => {
      while (left-- > 0) {
        await send('/v1/knowledge', {
          content: words(between(10, 60)),
          force: true,
          ...(left % 50 === 0 ? { issueId: issues[left % issues.length] } : scopes[left % scopes.length])
        })
      }
    })
  )

  const workloads: Record<string, Load['requests']> = {
    'search, 4 words': Array.from({ length: 200 }, () => ({
      method: 'GET',
      path: `/v1/knowledge?query=${encodeURIComponent(words(4))}`
    })),
    'context of an issue': issues.map(id => ({ method: 'GET', path: `/v1/knowledge/context?issueId=${id}` }))
  }
  const titles = ['at once', 'per s', 'p50', 'p95', 'p99'].map(title => title.padStart(9))
  console.log(`${ENTRIES} entries: milliseconds\n${'workload'.padEnd(22)}${titles.join('')}`)
  for (const [name, requests] of Object.entries(workloads)) {
    for (const connections of [1, 8]) {
      const load = { url: server.url, token, connections, seconds: 2, requests }
      await measure(load)
      const { requestsPerSecond, p50, p95, p99, failed } = await measure({ ...load, seconds: Number(options.seconds) })
      console.log(
        name.padEnd(22) +
          [connections, requestsPerSecond, p50, p95, p99].map(value => value.toFixed(1).padStart(9)).join('') +
          (failed > 0 ? `  ${failed} FAILED` : '')
      )
    }
  }
} finally {
  await server.end('SIGTERM')
  await database.remove()
}
