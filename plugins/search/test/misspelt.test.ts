import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
t.teardown(() => server.close())
for (const title of ['Attachment is dropped', 'Crash of the scheduler', 'Crush the archive', 'Pod restarts']) {
  await server.ok('/v1/issues', { body: { title, teamId: 'ENG' } })
}
await server.idle()
const titles = async (query: string, token = server.token) =>
  (await server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}`, { token })).map(hit => hit.title)

t.test('a word that no issue has finds those that are spelt nearly so', async t => {
  for (const misspelt of ['atachment', 'attchment', 'attochments', 'attahcment', 'tatachment', 'attachmments']) {
    t.same(await titles(`${misspelt} of`), ['Attachment is dropped'], misspelt)
  }
  t.same((await titles('shceduler attacment of')).sort(), ['Attachment is dropped', 'Crash of the scheduler'])
})

t.test('a word that some issue has is taken as it is', async t => {
  t.same(await titles('crash of'), ['Crash of the scheduler'])
})

t.test('other spellings, short words and non-words find nothing', async t => {
  for (const other of ['atxchmxnt is', 'pid is', 'cr4sh is', 'zebra is']) t.same(await titles(other), [], other)
})

t.test('a quoted word must occur as it is', async t => {
  t.same(await titles('"atachment is"'), [])
})

t.test('words of another workspace are not looked at', async t => {
  const { token } = await server.otherWorkspace()
  t.same(await titles('atachment of', token), [])
})
