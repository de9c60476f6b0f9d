import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { shortened } from '../versions/shortened.ts'

interface Context {
  version: string
  title: string
  descriptionMarkdown: string
  subIssues: object[]
  comments: Array<{ bodyMarkdown: string; replies: object[] }>
  omitted: Record<string, number>
}

const COMMENTS = 30
const REPLIES = 2

const server = await testServer({ settings: { jobs: false } })
t.teardown(() => server.close())
const { key } = await server.ok<{ key: string }>('/v1/issues', {
  body: {
    teamId: 'ENG',
    title: 'Has a long context',
    descriptionMarkdown: `${'Words of a "description" of 1,000 words.\n'.repeat(150)}\n- [ ] done\n`,
    subIssues: Array.from({ length: 40 }, (_, n) => ({ title: `Part ${n} of the work` }))
  }
})
const comment = (body: object) => server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body })
for (let n = 0; n < COMMENTS; n++) {
  const { id } = await comment({ bodyMarkdown: `${n}: ${'a note of many words '.repeat(10)}` })
  if (n === 0) for (let r = 0; r < REPLIES; r++) await comment({ bodyMarkdown: `Reply ${r}`, parentId: id })
}
const path = `/v1/issues/${key}/context`
const whole = await server.ok<Context>(path)

async function read(maxTokens: number, more = ''): Promise<Context> {
  const { body } = await server.call(`${path}?maxTokens=${maxTokens}${more}`)
  t.ok(countTokens(body) <= maxTokens, `${countTokens(body)} of ${maxTokens} tokens`)
  return JSON.parse(body) as Context
}

t.test('a context that has room is whole', async t => {
  t.strictSame(await read(20_000), whole)
})

t.test('the oldest comments are left out first, and counted with their replies', async t => {
  const context = await read(7_000)
  const { comments, omitted } = context
  t.ok(comments.length > 0 && comments.length < COMMENTS, `${comments.length} comments`)
  t.strictSame(comments, whole.comments.slice(-comments.length))
  t.strictSame(omitted, { comments: COMMENTS + REPLIES - comments.length })
  t.strictSame({ ...context, comments: 0, omitted: 0 }, { ...whole, comments: 0, omitted: 0 }, 'the rest is whole')
})

t.test('then items of other lists, then the end of the description', async t => {
  const withoutComments = await read(3_500)
  t.equal(withoutComments.descriptionMarkdown, whole.descriptionMarkdown)
  t.equal(withoutComments.comments.length, 0)
  const { subIssues, omitted } = withoutComments
  t.ok(subIssues.length > 0 && subIssues.length < 40, `${subIssues.length} sub-issues`)
  t.equal(omitted['subIssues'], 40 - subIssues.length)

  const short = await read(1_000)
  t.match(short, { title: whole.title, version: whole.version, subIssues: [], comments: [] })
  t.match(short.descriptionMarkdown, /… \(\d+ more characters\)$/)
  const cut = short.omitted['descriptionMarkdown']!
  t.ok(short.descriptionMarkdown.startsWith(whole.descriptionMarkdown.slice(0, -cut)))
})

t.test('changes are shortened in the same way, and unchanged is unchanged', async t => {
  t.strictSame(await read(500, `&since=${whole.version}`), { unchanged: true, version: whole.version })
  for (let n = 0; n < 10; n++) await comment({ bodyMarkdown: `Later ${n}: ${'a note of many words '.repeat(20)}` })
  const changes = await read(500, `&since=${whole.version}`)
  t.match(changes, { delta: true, descriptionMarkdown: undefined })
  t.match(changes.comments.at(-1)?.bodyMarkdown, /^Later 9/)
  t.equal(changes.omitted['comments'], 10 - changes.comments.length)
})

t.test('a range of tokens is taken', async t => {
  for (const maxTokens of ['0', '499', '20001', 'many']) {
    t.match((await server.call(`${path}?maxTokens=${maxTokens}`)).json(), { statusCode: 400, message: /maxTokens/ })
  }
})

t.test('a long text without spaces, whose whole would take the tokenizer minutes, is shortened', async t => {
  const context = { id: 'x', descriptionMarkdown: 'x'.repeat(1_000_000), comments: [] }
  const { descriptionMarkdown } = await shortened(context, 20_000, [])
  t.ok(String(descriptionMarkdown).length < 1_000_000)
})
