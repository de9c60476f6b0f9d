import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Issue {
  key: string
  description: { type: 'doc'; attrs: object; content: object[] }
  descriptionMarkdown: string
}

let server: TestServer
const create = (body: object) => server.call('/v1/issues', { body: { teamId: 'ENG', title: 'An issue', ...body } })
const paragraph = (...content: object[]) => ({ type: 'doc', content: [{ type: 'paragraph', content }] })

t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

t.test('a character reference for a line end in the language of a code block is stored', async t => {
  const descriptionMarkdown = '```a&#10;b\nx\n```'
  const answer = await create({ descriptionMarkdown })
  t.equal(answer.statusCode, 201, answer.body)
  t.equal(answer.json<Issue>().descriptionMarkdown, descriptionMarkdown)
})

t.test('a carriage return in the code of a raw description makes no heading', async t => {
  const description = paragraph({ type: 'text', text: 'a\r\n# b', marks: [{ type: 'code' }] })
  const { key } = (await create({ description })).json<Issue>()
  t.equal((await server.ok<Issue>(`/v1/issues/${key}`)).descriptionMarkdown, '`a # b`')
})

t.test('raw HTML that would end its paragraph is refused with its place', async t => {
  const answer = await create({ description: paragraph({ type: 'html_inline', attrs: { html: '<a\n\n# b>' } }) })
  t.equal(answer.statusCode, 400)
  t.match(answer.json<{ message: string }>().message, /description\.content\[0\]\.content\[0\]\.attrs\.html/)
})

t.test('a block removed from the raw description leaves the bytes of the others', async t => {
  const steps = 'Steps (see a_b): do - it.\n- a: b_c\n\n'
  const { key } = (await create({ descriptionMarkdown: `${steps}middle\n\n- f` })).json<Issue>()
  const { description } = await server.ok<Issue>(`/v1/issues/${key}`)
  const edited = { ...description, content: description.content.toSpliced(2, 1) }
  await server.ok(`/v1/issues/${key}`, { body: { description: edited } })
  t.equal((await server.ok<Issue>(`/v1/issues/${key}`)).descriptionMarkdown, `${steps}* f`)
})

t.test('a raw table whose rows lack thousands of cells is refused', async t => {
  const row = (cells: number) => ({
    type: 'table_row',
    content: Array.from({ length: cells }, () => ({ type: 'table_cell' }))
  })
  const content = [{ type: 'table', content: [row(250), ...Array.from({ length: 249 }, () => row(1))] }]
  const answer = await create({ description: { type: 'doc', content } })
  t.equal(answer.statusCode, 413)
  t.match(answer.json<{ message: string }>().message, /as many cells as the longest/)
})
