import { createHash } from 'node:crypto'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, form, person, PIXEL, raw, refused, upload, type Uploaded } from './upload.ts'

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

const read = (file: Pick<Uploaded, 'url'>, token?: string | null) =>
  server.call(file.url, token === undefined ? {} : { token })

t.test('a file is uploaded as the body, and read byte for byte', async t => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7) % 251))
  const file = await upload(server, content, { name: 'data.bin' })
  t.match(file, { name: 'data.bin', mimeType: 'application/octet-stream', bytes: content.length, width: undefined })
  t.equal(file.sha256, createHash('sha256').update(content).digest('hex'))
  t.equal(file.url, `/v1/files/${file.id}/data.bin`)
  const answer = await read(file)
  t.equal(answer.statusCode, 200)
  t.ok(answer.rawPayload.equals(content))
  t.strictSame(await server.ok(`/v1/files/${file.id}`), file)
})

t.test('a file is uploaded as a form, of which only the content counts', async t => {
  const file = await server.ok<Uploaded>('/v1/files', form(PIXEL, 'C:\\Bilder\\Größe (1).png'))
  t.match(file, { name: 'Größe (1).png', mimeType: 'image/png', width: 1, height: 1, bytes: PIXEL.length })
  t.equal(file.url, `/v1/files/${file.id}/Gr%C3%B6%C3%9Fe%20%281%29.png`)
  t.ok((await read(file)).rawPayload.equals(PIXEL))
})

t.test('a request without a file, and a form with several, are refused', async t => {
  await refused(t, server.call('/v1/files', { method: 'POST' }), 400)
  await refused(t, server.call('/v1/files', { method: 'POST', body: '{}', headers: {} }), 201)
  const second = '--BOUNDARY\r\nContent-Disposition: form-data; name="b"; filename="b"\r\n\r\nb\r\n'
  await refused(t, server.call('/v1/files', form('a', 'a.txt', second)), 400)
  const { body, headers } = form('a', 'a.txt')
  await refused(t, server.call('/v1/files', { body: (body as Buffer).subarray(0, 120), headers: headers! }), 400)
})

t.test('an empty file is a file', async t => {
  const file = await upload(server, '', { name: 'empty.txt' })
  t.equal(file.bytes, 0)
  t.equal((await read(file)).body, '')
})

t.test('until a text names it, only its uploader reads a file', async t => {
  const bea = await person(server, 'bea')
  const file = await upload(server, PIXEL, { name: 'a.png' })
  await refused(t, read(file), 200)
  await refused(t, read(file, bea.token), 404)
  await refused(t, server.call(`/v1/files/${file.id}`, { token: bea.token }), 404)
  await refused(t, server.call(`/v1/files/${file.id}`, { token: bea.token, method: 'DELETE' }), 404)

  await fileIssue(server, { descriptionMarkdown: `![a](${file.url})` })
  t.equal((await read(file, bea.token)).statusCode, 200)
})

t.test('the text of another account binds nothing', async t => {
  const cas = await person(server, 'cas')
  const file = await upload(server, PIXEL)
  const body = { teamId: 'ENG', title: 'Theirs', descriptionMarkdown: `![a](${file.url})` }
  await server.ok('/v1/issues', { token: cas.token, body })
  await refused(t, read(file, cas.token), 404)
})

t.test('each kind of text binds the files that it names', async t => {
  const dan = await person(server, 'dan')
  const { key } = await fileIssue(server)
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Files' } })
  const writes: Record<string, (text: string) => Promise<unknown>> = {
    'a new description': text => fileIssue(server, { descriptionMarkdown: text }),
    'a sub-issue': text => fileIssue(server, { subIssues: [{ title: 'Part', descriptionMarkdown: text }] }),
    'a changed description': text => server.ok(`/v1/issues/${key}`, { body: { descriptionMarkdown: text } }),
    'a comment': text => server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: text } }),
    'evidence for a criterion': async text => {
      const { key } = await fileIssue(server, { descriptionMarkdown: '- [ ] it holds' })
      await server.ok(`/v1/issues/${key}/criteria`, { body: { met: [{ criterion: 1, evidence: text }] } })
    },
    'a project': text => server.ok(`/v1/projects/${project.id}`, { body: { descriptionMarkdown: text } }),
    knowledge: text => server.ok('/v1/knowledge', { body: { content: text, force: true } })
  }
  for (const [name, write] of Object.entries(writes)) {
    const [first, second] = [await upload(server, PIXEL), await upload(server, PIXEL)]
    await write(`See ![one](${first.url}) and [two](${second.url}).`)
    t.equal((await read(first, dan.token)).statusCode, 200, name)
    t.equal((await read(second, dan.token)).statusCode, 200, name)
  }
})

t.test('evidence names files that are there', async t => {
  const fay = await person(server, 'fay')
  const { key } = await fileIssue(server, { descriptionMarkdown: '- [ ] one\n- [ ] two' })
  const tick = (criterion: number, evidence: string, token = fay.token) =>
    server.call(`/v1/issues/${key}/criteria`, { token, body: { met: [{ criterion, evidence }] } })
  const [own, others] = [await upload(server, PIXEL, { token: fay.token }), await upload(server, PIXEL)]
  const gone = await upload(server, PIXEL, { query: `?issueId=${key}` })
  const hidden = await upload(server, PIXEL, { query: `?issueId=${(await fileIssue(server)).key}` })
  await server.ok(`/v1/files/${gone.id}`, { method: 'DELETE' })
  for (const { url } of [others, gone]) {
    const { statusCode, body } = await tick(1, `![](${own.url}) ![](${url})`)
    t.equal(statusCode, 400)
    t.match(body, /names a file that is not there: [^ ]+\. Upload the file/)
    await refused(t, read(own), 404)
  }
  t.match(await server.ok(`/v1/issues/${key}/context`), { definitionOfDone: { met: 0 } }, 'nothing was ticked')
  t.equal((await tick(1, `![](${own.url}) and ![](${hidden.url})`)).statusCode, 200)
  await refused(t, read(own), 200)
  t.match(await server.ok(`/v1/issues/${key}/files`), [{ id: own.id }])
})

t.test('an issue has its files: in its list, and in its context', async t => {
  const { key, id } = await fileIssue(server)
  t.notOk('files' in (await server.ok<object>(`/v1/issues/${key}/context`)), 'the context has no such field before')
  const first = await upload(server, PIXEL, { name: 'a b.png', query: `?issueId=${key}` })
  const second = await upload(server, 'text', { name: 'b.txt', query: `?subject=issue:${id}` })
  t.strictSame(await server.ok(`/v1/issues/${key}/files`), [first, second])
  t.strictSame(await server.ok(`/v1/issues/${key}/files?limit=1`), [first])
  t.strictSame(await server.ok(`/v1/issues/${key}/files?after=${first.id}`), [second])
  const { files } = await server.ok<{ files: object[] }>(`/v1/issues/${key}/context`)
  t.strictSame(
    files,
    [first, second].map(({ id, name, mimeType, bytes, url }) => ({ id, name, mimeType, bytes, url }))
  )
})

t.test('a file is hidden with its issue', async t => {
  const { key } = await fileIssue(server)
  const file = await upload(server, PIXEL, { query: `?issueId=${key}` })
  await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
  await refused(t, read(file), 404)
})

t.test('a subject that is not there, or cannot have files, is refused before the file is stored', async t => {
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Gone' } })
  await server.ok(`/v1/projects/${project.id}`, { method: 'DELETE' })
  for (const [query, status] of [
    ['?issueId=ENG-9999', 404],
    [`?subject=project:${project.id}`, 404],
    [`?subject=comment:${project.id}`, 400],
    ['?subject=nothing', 400],
    ['?issueId=ENG-1&subject=issue:ENG-1', 400]
  ] as const) {
    await refused(t, server.call(`/v1/files${query}`, raw(PIXEL)), status)
  }
})

t.test('a file is read by no other workspace, and by nobody without a token', async t => {
  const { key } = await fileIssue(server)
  const file = await upload(server, PIXEL, { query: `?issueId=${key}` })
  const other = await server.otherWorkspace()
  await refused(t, read(file, other.token), 404)
  await refused(t, read(file, null), 401)
  await refused(t, server.call('/v1/files', raw(PIXEL, { token: null })), 401)
  const reader = await server.agent('Reader', ['read'])
  await refused(t, server.call('/v1/files', raw(PIXEL, { token: reader.token })), 403)
  await refused(t, read(file, reader.token), 200)
  await refused(t, server.call(`/v1/files/${file.id}`, { token: reader.token, method: 'DELETE' }), 403)
})

t.test('a removed file is gone, with its bytes', async t => {
  const { key } = await fileIssue(server)
  const file = await upload(server, PIXEL, { query: `?issueId=${key}` })
  t.strictSame(await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' }), { id: file.id, deleted: true })
  await refused(t, read(file), 404)
  t.strictSame(await server.ok(`/v1/issues/${key}/files`), [])
  await server.idle()
})

t.test('the events say what happened to a file, to those who may know', async t => {
  const eve = await person(server, 'eve')
  const events = (token: string) =>
    server.ok<{ events: Array<{ type: string; data: object }> }>('/v1/events?types=file.*&limit=200', { token })
  const { key, id } = await fileIssue(server)
  const file = await upload(server, PIXEL, { name: 'secret.png' })
  t.notMatch(JSON.stringify(await events(eve.token)), /secret\.png/, 'the name of a private file is private')
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: `![](${file.url})` } })
  await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' })
  const data = { name: 'secret.png', bytes: PIXEL.length }
  const heard = (await events(eve.token)).events.slice(-2)
  t.match(heard, [
    {
      type: 'file.added',
      issueId: id,
      subject: { type: 'file', id: file.id },
      data: { ...data, subject: { type: 'issue', id } }
    },
    { type: 'file.deleted', issueId: id, data }
  ])
})
