import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

type Answer = { status?: number; body: unknown; headers?: Record<string, string> }

/**
 * A tracker on loopback that in each of its routes first breaks the connection, fails, and asks to wait, and then
 * breaks the connection or fails after each answer; otherwise it returns the result of `answer`.
 */
async function troubledServer(
  t: { teardown(work: () => Promise<void>): void },
  answer: (url: URL, request: IncomingMessage) => Answer
): Promise<string> {
  const requests = new Map<string, number>()
  const answered = new Set<string>()
  const troubles: Array<(response: ServerResponse) => void> = [
    response => response.destroy(),
    response => response.writeHead(502).end('{"message": "down"}'),
    response => response.writeHead(429, { 'retry-after': '1' }).end('{"message": "too many"}'),
    response =>
      response
        .writeHead(403, { 'retry-after': '1', 'content-type': 'application/json' })
        .end('{"message": "You have exceeded a secondary rate limit"}')
  ]
  const server = createServer((request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const times = requests.get(url.pathname) ?? 0
    requests.set(url.pathname, times + 1)
    // Only some trackers answer 403 for a limit.
    const first = times < 3 || url.pathname.startsWith('/repos') ? troubles[times] : undefined
    const trouble = first ?? (answered.delete(url.pathname) ? troubles[times % 2] : undefined)
    if (trouble) {
      trouble(response)
      return
    }
    answered.add(url.pathname)
    const { status = 200, body, headers } = answer(url, request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const context = (server: Awaited<ReturnType<typeof testServer>>, key: string) =>
  server.ok<Record<string, unknown>>(`/v1/issues/${encodeURIComponent(key)}/context`)

t.test('a live tracker', { timeout: 120_000 }, async t => {
  const server = await testServer()
  t.teardown(() => server.close())

  t.test('Jira is read page by page, through failures and limits, with all comments', async t => {
    const issue = (n: number) => ({
      id: String(n),
      key: `LIVE-${n}`,
      fields: {
        summary: `Issue ${n}`,
        project: { key: 'LIVE', name: 'Live' },
        status: { name: 'To do', statusCategory: { key: 'new' } },
        comment: { total: n === 1 ? 3 : 0, comments: [] }
      }
    })
    const tokens = new Set<string | undefined>()
    const address = await troubledServer(t, (url, request) => {
      tokens.add(request.headers.authorization)
      if (url.pathname.endsWith('/comment')) {
        const startAt = Number(url.searchParams.get('startAt'))
        const comments = [1, 2, 3].map(n => ({ id: `c${n}`, body: `Comment ${n}` })).slice(startAt, startAt + 2)
        return { body: { total: 3, comments } }
      }
      const startAt = Number(url.searchParams.get('startAt'))
      const issues = Array.from({ length: 5 }, (_, n) => issue(n + 1)).slice(startAt, startAt + 2)
      return { body: { total: 5, startAt, issues } }
    })
    const { report } = await importFrom(server, 'jira', `${address}/browse/LIVE`, { env: { JIRA_TOKEN: 's3cret' } })
    t.match(report, { added: { issue: 5, comment: 3 }, skipped: [] })
    t.same([...tokens], ['Bearer s3cret'])

    const JIRA_TOKEN_FILE = join(t.testdir({ token: 'from a file\n' }), 'token')
    await importFrom(server, 'jira', `${address}/browse/LIVE`, { env: { JIRA_TOKEN_FILE } })
    t.same([...tokens], ['Bearer s3cret', 'Bearer from a file'])
    for (const [env, message] of [
      [{ JIRA_TOKEN: 's3cret', JIRA_TOKEN_FILE }, 'JIRA_TOKEN and JIRA_TOKEN_FILE are both set: set one of them.'],
      [{ JIRA_TOKEN_FILE: '/nowhere' }, /^JIRA_TOKEN_FILE names a file that cannot be read: ENOENT/]
    ] as const) {
      await t.rejects(importFrom(server, 'jira', `${address}/browse/LIVE`, { env }), { message })
    }
  })

  t.test('Jira: a change log that the search cuts is read to its end', async t => {
    const entry = (n: number) => ({
      created: `2026-01-0${n}T00:00:00Z`,
      author: { name: 'ann' },
      items: [{ field: 'priority', fromString: null, toString: `${n}` }]
    })
    const issue = (key: string) => ({
      id: key,
      key,
      fields: { summary: key, project: { key: 'LOG' }, status: { name: 'Open' } },
      changelog: { total: 3, histories: [entry(3)] }
    })
    const address = await troubledServer(t, url => {
      if (url.pathname.endsWith('/LOG-1/changelog')) {
        const startAt = Number(url.searchParams.get('startAt'))
        return { body: { total: 3, values: [1, 2, 3].map(entry).slice(startAt, startAt + 2) } }
      }
      if (url.pathname.endsWith('/changelog')) return { status: 404, body: {} }
      return { body: { total: 2, issues: [issue('LOG-1'), issue('LOG-2')] } }
    })
    const { report, leftOut } = await importFrom(server, 'jira', `${address}/browse/LOG`)
    t.match(report, { added: { issue: 2 }, skipped: [] })
    const { history } = (await context(server, 'LOG-1')) as { history: Array<{ to: string }> }
    t.strictSame(history.map(({ to }) => to).sort(), ['1', '2', '3'])
    t.match(leftOut, [{ what: 'entries of change logs', count: 2, examples: ['LOG-2'] }])
  })

  t.test('a Jira that refuses the token says so, without the token', async t => {
    const address = await troubledServer(t, () => ({ status: 401, body: {} }))
    const read = importFrom(server, 'jira', address, { env: { JIRA_TOKEN: 's3cret' } })
    await t.rejects(read, /answers 401: set a token/)
    await read.catch((error: Error) => t.notMatch(error.message, /s3cret/))
  })

  t.test('a GitHub repository comes with milestones, sub-issues, comments and pull requests', async t => {
    const address: string = await troubledServer(t, url => {
      const repository = `${address}/repos/acme/app`
      const issue = (number: number, more: object = {}) => ({
        number,
        title: `Issue ${number}`,
        state: 'open',
        user: { login: 'ann' },
        repository_url: repository,
        html_url: `https://github.com/acme/app/issues/${number}`,
        ...more
      })
      if (url.pathname.endsWith('/pulls')) {
        const body = [
          { ...issue(3), title: 'Fix it', body: 'Closes #1', merged_at: null, url: `${repository}/pulls/3` }
        ]
        return { body }
      }
      if (url.pathname.endsWith('/sub_issues')) return { body: [issue(2)] }
      if (url.pathname.endsWith('/comments')) {
        return {
          body: [{ id: 7, issue_url: `${repository}/issues/1`, body: 'See #2 and `#2`', user: { login: 'ben' } }]
        }
      }
      if (url.searchParams.get('page') === '2') {
        return { body: [issue(2, { state: 'closed', state_reason: 'not_planned' }), issue(3, { pull_request: {} })] }
      }
      const next = new URL(url)
      next.searchParams.set('page', '2')
      return {
        body: [issue(1, { milestone: { number: 4, title: 'First' }, sub_issues_summary: { total: 1 } })],
        headers: { link: `<${next.href}>; rel="next"` }
      }
    })
    const { report } = await importFrom(server, 'github', `${address}/repos/acme/app`)
    t.match(report, { added: { issue: 2, comment: 1, project: 1, relation: 1 }, skipped: [] })
    t.match(await context(server, 'APP-1'), {
      title: 'Issue 1',
      project: { name: 'First' },
      subIssues: [{ key: 'APP-2' }],
      linkedIssues: [{ title: 'Fix it' }],
      comments: [{ bodyMarkdown: 'See APP-2 and `#2`', author: { fullname: 'ben' } }]
    })
    t.match(await context(server, 'acme/app#2'), { key: 'APP-2', state: { category: 'CANCELED' } })
  })
})

t.test('tables', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const fileOf = (content: string | Buffer) => {
    const file = join(temporaryFolder(t), 'table.csv')
    writeFileSync(file, content)
    return file
  }

  t.test('an export of Linear comes with its relations, cycle and people', async t => {
    const { report } = await importFrom(
      server,
      'linear',
      fileOf(
        [
          'ID,Team,Title,Description,Status,Estimate,Priority,Project,Creator,Assignee,Labels,' +
            'Cycle Name,Cycle Start,Cycle End,Created,Updated,Completed,Due Date,Parent issue,Blocked by',
          'LIN-1,LIN,One,"Two\nlines, quoted ""so""",In Progress,3,Urgent,Moon,ann@acme.example,,"Bug, Crash",C1,' +
            '2026-01-01T00:00:00.000Z,2026-01-15T00:00:00.000Z,' +
            '2025-12-01T10:00:00.000Z,2025-12-02T10:00:00.000Z,,2026-02-01,,',
          'LIN-2,LIN,Two,,Done,,High,,ann@acme.example,ben@acme.example,,' +
            ',,,2025-12-01T10:00:00.000Z,,2025-12-05T10:00:00.000Z,,LIN-1,LIN-1'
        ].join('\n')
      )
    )
    t.match(report, { added: { issue: 2, cycle: 1, project: 1, account: 2, relation: 2 }, skipped: [] })
    t.match(await context(server, 'LIN-1'), {
      descriptionMarkdown: 'Two\nlines, quoted "so"',
      state: { name: 'In Progress', category: 'STARTED' },
      priority: 1,
      estimate: 3,
      cycle: { name: 'C1' },
      dueDate: '2026-02-01'
    })
    t.match(await context(server, 'LIN-2'), { parent: { key: 'LIN-1' }, relations: [{ type: 'BLOCKED' }] })
  })

  t.test('a CSV file is read as the map says, and its bad lines are reported', async t => {
    const map = fileOf(JSON.stringify({ columns: { What: 'title', 'How far': 'state', Nr: 'id' } }))
    const { report, leftOut } = await importFrom(
      server,
      'csv',
      fileOf(
        Buffer.concat([
          Buffer.from('Nr,What,How far,Mood\n1,First,Doing,good\n2,,Doing,\n3,Caf'),
          Buffer.from([0xe9]),
          Buffer.from(',Done,\n4,Too,many,cells,here\n5,"never closed')
        ])
      ),
      { mapFile: map }
    )
    t.equal(report.added['issue'], 1)
    t.match(
      report.skipped.map(({ reason }) => reason),
      [/no title/, /UTF-8/, /5 cells/, /cut off/]
    )
    t.match(leftOut, [{ what: 'column Mood', count: 1 }])
  })
})
