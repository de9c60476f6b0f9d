import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { onPostgres } from './runner/harness.ts'
import { ownPostgres } from './runner/own-postgres.ts'

const CLIENTS_PER_REQUEST = 3

t.test(
  'every request during an outage of PostgreSQL is served or told to come back',
  { skip: !onPostgres && 'needs a PostgreSQL server' },
  async t => {
    const postgres = await ownPostgres()
    t.teardown(() => postgres.remove())
    const token = newToken()
    const configuration = await configure(installed, {
      databaseUrl: postgres.url,
      databasePool: 5,
      plugins: {
        ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }])),
        embeddings: { enabled: true, download: false },
        mcp: { enabled: true, rateLimit: 0 },
        workspace: { enabled: true, adminToken: token }
      }
    })
    const server = await build({ configuration, logger: pino({ level: 'silent' }) })
    t.teardown(() => server.close())
    await server.start()
    const send = (url: string, body?: object) =>
      server.app.inject({
        url,
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}` },
        ...(body && { payload: body })
      })
    const issue = await send('/v1/issues', { teamId: 'ENG', title: 'First', descriptionMarkdown: '- [ ] done' })
    t.equal(issue.statusCode, 201)
    const requests: Array<[string, object?]> = [
      ['/v1/users/me'],
      ['/v1/issues/ENG-1/context'],
      ['/v1/search?query=first'],
      ['/v1/issues/filter', { view: 'list' }],
      ['/v1/issues/ENG-1', { title: 'Changed' }],
      ['/v1/issue_comments?issueId=ENG-1', { bodyMarkdown: 'Note' }],
      ['/v1/knowledge/context?issueId=ENG-1']
    ]

    const answers = new Map<string, number>()
    const over = new AbortController()
    const clients = requests.flatMap(([url, body]) =>
      Array.from({ length: CLIENTS_PER_REQUEST }, async () => {
        while (!over.signal.aborted) {
          const answer = await send(url, body)
          const fits =
            answer.statusCode < 300 || (answer.statusCode === 503 && answer.headers['retry-after'] !== undefined)
          const kind = fits ? String(answer.statusCode) : `${url}: ${answer.statusCode} ${answer.body}`
          answers.set(kind, (answers.get(kind) ?? 0) + 1)
        }
      })
    )
    const reached = async (status: string, more: number) => {
      const from = answers.get(status) ?? 0
      while ((answers.get(status) ?? 0) < from + more) await new Promise(resolve => setTimeout(resolve, 20))
    }
    await reached('200', 50)
    for (let round = 0; round < 2; round++) {
      await postgres.kill()
      await reached('503', 50)
      await postgres.start()
      await reached('200', 50)
    }
    over.abort()
    await Promise.all(clients)
    t.strictSame([...answers.keys()].toSorted(), ['200', '201', '503'])
  }
)
