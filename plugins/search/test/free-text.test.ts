import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { closeToOtherHits } from '../ranking/model.ts'
import type { CandidateText } from '../ranking/features.ts'
import type { SearchHit } from '../schemas.ts'

const hit = (position: number, more: Partial<CandidateText> = {}): CandidateText => ({
  match: 1,
  closeness: 0,
  titleSimilarity: 0,
  titleTerms: [],
  heldTerms: [],
  descriptionBytes: 0,
  facets: [],
  createdAt: new Date(0),
  position,
  ...more
})
const almost = (numbers: number[]) => numbers.map(number => Math.round(number * 1000) / 1000)

t.test('hits are close to those that were filed at about the same time', async t => {
  t.same(almost(closeToOtherHits([hit(0), hit(3_000), hit(9_000)])), [0.375, 0.417, 0.292])
  t.same(closeToOtherHits([hit(5)]), [0], 'there is no other')
  t.same(closeToOtherHits([]), [])
})

t.test('others count by their words', async t => {
  const [one] = closeToOtherHits([hit(0), hit(0, { match: 2 }), hit(3_000, { match: 2, titleSimilarity: 0.5 })])
  t.same(almost([one!]), almost([(1 + 1.5 ** 2 / 2) / (1 + 1.5 ** 2)]))
})

t.test('an issue whose title is searched for does not count', async t => {
  t.same(closeToOtherHits([hit(0), hit(3_000), hit(0, { titleSimilarity: 1 })]), [0.5, 0.5, 0.75])
})

t.test('of many hits, each is compared with the best', async t => {
  const hits = [hit(0), ...Array.from({ length: 200 }, () => hit(0, { match: 2 })), hit(3_000)]
  const closeness = closeToOtherHits(hits)
  t.same(almost([closeness[0]!, closeness.at(-1)!]), [1, 0.5])
})

t.test('of issues with the same words, the one goes first whose label the text names', async t => {
  const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
  t.teardown(() => server.close())
  const label = (name: string) => server.ok<{ id: string }>('/v1/labels', { body: { name } })
  const [desktop, phones] = [await label('Desktop'), await label('Mobile phones')]
  const file = (labelIds: string[]) =>
    server.ok<{ key: string }>('/v1/issues', { body: { title: 'Gasket leaks', teamId: 'ENG', labelIds } })
  const onDesktop = await file([desktop.id])
  const onPhones = await file([phones.id])
  await server.idle()
  const keysFor = async (query: string) =>
    (await server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}`)).map(({ key }) => key)
  t.same(await keysFor('gasket leaks on desktop'), [onDesktop.key, onPhones.key])
  t.same(await keysFor('phone: gasket leaks (mobile)'), [onPhones.key, onDesktop.key])
})
