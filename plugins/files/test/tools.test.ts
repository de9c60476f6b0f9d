import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, person, PIXEL, refused, upload } from './upload.ts'

interface Result {
  isError?: boolean
  content: Array<{ type: string; text?: string; data?: string; mimeType?: string }>
  structuredContent?: Record<string, unknown>
}

let server: TestServer
t.before(async () => {
  server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
})
t.teardown(() => server.close())

async function call(name: string, args: object, token = server.token): Promise<Result> {
  const answer = await server.call('/v1/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  })
  return answer.json<{ result: Result }>().result
}
const textOf = ({ content }: Result): string => content[0]?.text ?? ''
async function mistake(t: Test, name: string, args: object, message: RegExp, token?: string): Promise<void> {
  const result = await call(name, args, token)
  t.equal(result.isError, true, textOf(result))
  t.match(textOf(result), message)
}
/** A PNG header with these sides, and bytes after it. */
function png(width: number, height: number, bytes = 0): Buffer {
  const image = Buffer.from(PIXEL)
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return Buffer.concat([image, Buffer.alloc(bytes)])
}

t.test('an agent sees the image that a text names', async t => {
  const file = await upload(server, PIXEL, { name: 'screen.png' })
  const { key } = await fileIssue(server, { descriptionMarkdown: `![screen](${file.url})` })
  const { structuredContent: task } = await call('get_task', { task: key })
  t.match(task, { files: [{ name: 'screen.png', url: file.url }] })
  for (const address of [file.url, file.id, `https://tracker.example${file.url}`, ` ![x](${file.url})`]) {
    const result = await call('get_file', { file: address })
    t.strictSame(result.content, [
      {
        type: 'text',
        text: `{"name":"screen.png","mimeType":"image/png","bytes":${PIXEL.length},"width":1,"height":1}`
      },
      { type: 'image', data: PIXEL.toString('base64'), mimeType: 'image/png' }
    ])
    t.notOk('structuredContent' in result, 'clients that read it would leave out the image')
  }
})

t.test('text is read as text, and all else has an address', async t => {
  const log = 'naïve\n"quoted" </text> & so on\n'.repeat(3)
  const read = async (content: Buffer | string, name = 'a.txt') => {
    const { id, url } = await upload(server, content, { name })
    const { structuredContent } = await call('get_file', { file: id })
    return { url, shown: structuredContent! }
  }
  t.match((await read(log)).shown, { mimeType: 'text/plain', bytes: Buffer.byteLength(log), text: log })
  t.match((await read('<?xml version="1.0"?><a/>')).shown, { text: '<?xml version="1.0"?><a/>' })
  t.equal((await read('')).shown['text'], '')
  t.equal(String((await read('x'.repeat(64 * 1024))).shown['text']).length, 64 * 1024)
  const others: Array<[what: string, content: Buffer | string]> = [
    ['a long text', 'x'.repeat(64 * 1024 + 1)],
    ['bytes', Buffer.from([0, 1, 2, 3])],
    ['a PDF', '%PDF-1.7\n%\u00ff\u00fe\u0000'],
    ['an image above 1 MiB', png(1, 1, 1024 * 1024)],
    ['an image with sides that models refuse', png(8_001, 1)]
  ]
  for (const [what, content] of others) {
    const { url, shown } = await read(content)
    t.match(shown, { url, read: /GET/ }, what)
    t.notOk('text' in shown, what)
  }
})

t.test('an agent attaches text and bytes, and gets the markdown that shows them', async t => {
  const { key } = await fileIssue(server)
  const attach = async (args: object) =>
    String((await call('attach_file', { task: key, ...args })).structuredContent?.['markdown'])
  const image = await attach({ name: 'a [1].png', base64: PIXEL.toString('base64') })
  t.match(image, /^!\[a \\\[1\\\]\.png\]\(\/v1\/files\/[\da-f-]{36}\/a%20%5B1%5D\.png\)$/)
  const text = await attach({ name: 'lög.txt', text: 'Größe\n' })
  t.match(text, /^\[lög\.txt\]\(\/v1\/files\/.*\)$/)
  t.match(await attach({ name: 'empty.txt', text: '' }), /^\[empty/)
  const address = (markdown: string) => /\((.*)\)/.exec(markdown)![1]!
  t.ok((await server.call(address(image))).rawPayload.equals(PIXEL))
  t.equal((await server.call(address(text))).body, 'Größe\n')
  const dataUrl = await attach({ name: 'b.png', base64: `data:image/png;base64,${PIXEL.toString('base64')}` })
  t.ok((await server.call(address(dataUrl))).rawPayload.equals(PIXEL))
  t.match(
    await server.ok<object[]>(`/v1/issues/${key}/files`),
    ['a [1].png', 'lög.txt', 'empty.txt', 'b.png'].map(name => ({ name }))
  )
})

t.test('wrong arguments are answered with what would be right', async t => {
  const { key } = await fileIssue(server)
  const name = 'a.bin'
  await mistake(t, 'attach_file', { task: key, name }, /text or base64/)
  await mistake(t, 'attach_file', { task: key, name, text: 'a', base64: 'YQ==' }, /text or base64/)
  await mistake(t, 'attach_file', { task: key, name, base64: '?' }, /base64/)
  await mistake(t, 'attach_file', { task: 'ENG-9999', name, text: 'a' }, /ENG-9999/)
  const large = Buffer.alloc(1024 * 1024 + 1).toString('base64')
  await mistake(
    t,
    'attach_file',
    { task: key, name, base64: large },
    new RegExp(`curl .* -F file=@PATH .*issueId=${key}`)
  )
  await mistake(t, 'get_file', { file: 'screen.png' }, /There is no file 'screen\.png'/)
  await mistake(t, 'get_file', { file: '01890000-0000-7000-8000-000000000000' }, /There is no file/)
})

t.test('tools have the rights of their token', async t => {
  const { key } = await fileIssue(server)
  const file = await upload(server, PIXEL)
  const ivy = await person(server, 'ivy')
  await mistake(t, 'get_file', { file: file.id }, /There is no file/, ivy.token)
  const { token } = await server.otherWorkspace()
  const bound = await upload(server, PIXEL, { query: `?issueId=${key}` })
  await mistake(t, 'get_file', { file: bound.url }, /There is no file/, token)
  await mistake(t, 'attach_file', { task: key, name: 'a', text: 'a' }, new RegExp(key), token)
  const reader = await server.agent('Reader of files', ['read'])
  t.equal((await call('get_file', { file: bound.url }, reader.token)).content.length, 2)
  await mistake(t, 'attach_file', { task: key, name: 'a', text: 'a' }, /scope 'write'/, reader.token)
})

t.test('?content=true answers small contents as JSON', async t => {
  const text = await upload(server, 'hello', { name: 'a.txt' })
  const image = await upload(server, PIXEL)
  t.strictSame(await server.ok(`/v1/files/${text.id}?content=true`), { ...text, text: 'hello' })
  t.strictSame(await server.ok(`/v1/files/${image.id}?content=true`), { ...image, base64: PIXEL.toString('base64') })
  t.strictSame(await server.ok(`/v1/files/${image.id}?content=false`), image)
  await refused(t, server.call(`/v1/files/${image.id}?content=some`), 400)
})

t.test('without the plugin there are no such tools', async t => {
  const without = await testServer({ plugins: ['workspace', 'issues', 'mcp'] })
  t.teardown(() => without.close())
  const answer = await without.call('/v1/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  })
  t.match(answer.body, /get_task/)
  t.notMatch(answer.body, /get_file|attach_file/)
})
