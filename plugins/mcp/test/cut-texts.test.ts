import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())

interface Result {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent: Record<string, unknown>
}
const call = async (name: string, args: object): Promise<Result> => {
  const answer = await server.call('/v1/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  })
  return answer.json<{ result: Result }>().result
}
/** Runs a call as written in the mark of a cut and `omitted`. */
const run = async (text: string): Promise<Record<string, unknown>> => {
  const [, name, args] = /(\w+) (\{.*\})/.exec(text)!
  const { isError, content, structuredContent } = await call(name!, JSON.parse(args!) as object)
  if (isError) throw new Error(content[0]!.text)
  return structuredContent
}
const MARK = / ?… \(\d+ more characters: (get_task \{[^\n]*\})\)$/

/** A text that is read in several calls, without the marks between them. */
async function whole(text: string): Promise<string> {
  const [mark, next] = MARK.exec(text) ?? []
  if (mark === undefined) return text
  const { text: rest } = await run(next!)
  return text.slice(0, -mark.trimStart().length) + (await whole(rest as string))
}

// Characters of two code units, so that a cut may fall into one.
const long = `${'🚀 words of it. '.repeat(4_000)}\n\n- [ ] it is read\n- [x] it is kept`
const file = async () =>
  (
    await server.ok<{ key: string }>('/v1/issues', {
      body: { teamId: 'ENG', title: 'Long', descriptionMarkdown: long }
    })
  ).key

t.test('a description that is too long is read on until its end, and its criteria are there at once', async t => {
  const key = await file()
  const { descriptionMarkdown, criteria } = (await call('get_task', { task: key })).structuredContent
  t.strictSame(criteria, ['1. [ ] it is read', '2. [x] it is kept'])
  t.match(descriptionMarkdown, MARK)
  t.equal(await whole(descriptionMarkdown as string), long)
  t.match(await call('get_task', { task: key, part: 'text' }), {
    isError: true,
    content: [{ text: /no part 'text'; the parts are: description, criteria, .*comments/ }]
  })
})

t.test('older notes and long ones are read by the calls that the task names', async t => {
  const key = await file()
  for (let n = 0; n < 130; n++) {
    const bodyMarkdown = `${n} ${'note '.repeat(n === 129 ? 5_000 : 150)}`.trim()
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown } })
  }
  const { comments, omitted } = (await call('get_task', { task: key })).structuredContent as {
    comments: Array<{ bodyMarkdown: string }>
    omitted: { comments: number; read: string[] }
  }
  t.equal(await whole(comments.at(-1)!.bodyMarkdown), `129 ${'note '.repeat(5_000)}`.trim())
  const read: string[] = []
  for (let next: unknown = 0; next !== undefined;) {
    const page = await run(omitted.read.find(text => text.includes('comments'))!.replace('"from":0', `"from":${next}`))
    read.push(...(page['items'] as Array<{ bodyMarkdown: string }>).map(note => note.bodyMarkdown.split(' ')[0]!))
    next = page['next']
  }
  t.strictSame(
    read,
    Array.from({ length: 130 }, (_, n) => String(n))
  )
})

t.test('a text with the mark of a cut is refused at every door, and nothing changes', async t => {
  const key = await file()
  const { descriptionMarkdown: cut } = (await call('get_task', { task: key })).structuredContent as {
    descriptionMarkdown: string
  }
  const old = 'It begins so… (342319 more characters)'
  const { id: comment } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown: 'A note.' }
  })
  const { id: project } = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Whole' } })
  const { id: entry } = await server.ok<{ id: string }>('/v1/knowledge', { body: { content: 'One fact of it.' } })
  const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: old }] }] }
  for (const text of [
    old,
    `${old}\n\n- [ ] one more`,
    cut,
    `${cut}\n\n- [ ] one more`,
    cut.replace(MARK, '$& and on')
  ]) {
    const doors: Array<[path: string, body: object]> = [
      [`/v1/issues/${key}`, { descriptionMarkdown: text }],
      [`/v1/issues/${key}`, { description: doc }],
      ['/v1/issues', { teamId: 'ENG', title: 'New', descriptionMarkdown: text }],
      ['/v1/issues/bulk', { issues: [{ teamId: 'ENG', title: 'New', descriptionMarkdown: text }] }],
      [`/v1/issue_comments?issueId=${key}`, { bodyMarkdown: text }],
      [`/v1/issue_comments/${comment}`, { bodyMarkdown: text }],
      [`/v1/issues/${key}/release`, { note: text }],
      ['/v1/projects', { name: 'New', descriptionMarkdown: text }],
      [`/v1/projects/${project}`, { descriptionMarkdown: text }],
      ['/v1/knowledge', { content: text }],
      [`/v1/knowledge/${entry}`, { content: text }]
    ]
    for (const [path, body] of doors) {
      const answer = await server.call(path, { body })
      t.equal(answer.statusCode, 400, path)
      t.match(answer.json<{ message: string }>().message, /mark of a text that was cut.*get_task with part and from/)
    }
    for (const [name, args, argument] of [
      ['update_task', { task: key, description: text }, 'description'],
      ['create_task', { title: 'New', description: text, acceptanceCriteria: ['a'] }, 'description'],
      ['add_note', { task: key, note: text }, 'note'],
      ['close_task', { task: key, resolution: text }, 'resolution'],
      ['create_project', { name: 'New', description: text }, 'description'],
      ...(text.length < 2_000 ? [['remember', { content: text }, 'content'] as const] : [])
    ] as const) {
      const { isError, content } = await call(name, args)
      t.equal(isError, true, name)
      t.match(content[0]!.text, new RegExp(`^arguments\\.${argument} has the mark of a text that was cut.*get_task`))
    }
  }
  const { descriptionMarkdown } = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${key}`)
  t.equal(descriptionMarkdown, long)
})

t.test('who only speaks of such a mark is not refused, and neither is who reads', async t => {
  const key = await file()
  const text = 'It ends in "… (342319 more characters)"; sent back, it replaces the whole.'
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: text } })
  t.notOk((await call('search_tasks', { query: 'so… (342319 more characters)' })).isError)
})
