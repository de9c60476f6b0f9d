import t from 'tap'
import { runAsSharer } from '../../limits/shares.ts'
import { makeConversions, readStoredRichText, type ConversionLimits } from '../conversions.ts'

const LIMITS: ConversionLimits = { timeoutMs: 60_000, maxHeapMb: 512, maxWaiting: 10, maxThreads: 1 }
const read = (limits: Partial<ConversionLimits>, markdown: string) =>
  makeConversions({ ...LIMITS, ...limits }).read([{ markdown, field: 'description' }])

t.test('a conversion that takes too long is ended, and the answer is a 503 that says so', async t => {
  await t.rejects(read({ timeoutMs: 1 }, 'word '.repeat(200_000)), {
    statusCode: 503,
    message: /not converted within 0.001 s/,
    headers: { 'retry-after': '5' }
  })
})

t.test('a conversion that needs too much memory is ended, and the answer is a 503 that says so', async t => {
  await t.rejects(read({ maxHeapMb: 1 }, 'a\n\n'.repeat(20_000)), { statusCode: 503, message: /more than 1 MB/ })
})

t.test('a document of more levels than the stack has is refused like one of a few too many', async t => {
  const nested = (levels: number): object => {
    let node: object = { type: 'paragraph' }
    for (let level = 0; level < levels; level++) node = { type: 'blockquote', content: [node] }
    return { type: 'doc', content: [node] }
  }
  for (const levels of [250, 2_500, 25_000]) {
    await t.rejects(makeConversions(LIMITS).read([{ raw: nested(levels), field: 'description' }]), {
      statusCode: 400,
      message: /nested deeper than 200 levels/
    })
  }
})

t.test('after one that was ended, the next is converted', async t => {
  const conversions = makeConversions({ ...LIMITS, maxHeapMb: 120 })
  const text = (markdown: string) => [{ markdown, field: 'description' }]
  await t.rejects(conversions.read(text('a\n'.repeat(520_000))), { message: /more than 120 MB/ })
  t.match(await conversions.read(text('# a\n\n'.repeat(4_000))), [{ json: String }])
})

t.test('when too many wait for a thread, the answer is a 503 that says so', async t => {
  const conversions = makeConversions({ ...LIMITS, maxWaiting: 1 })
  const all = Array.from({ length: 8 }, () =>
    conversions.read([{ markdown: 'a b\n\n'.repeat(4_000), field: 'description' }]).catch((error: unknown) => error)
  )
  t.match(
    (await Promise.all(all)).find(result => result instanceof Error),
    { statusCode: 503, message: /Too many large texts/ }
  )
})

t.test('one token, and one workspace, have their share of the texts that wait for a thread', async t => {
  const conversions = makeConversions({ ...LIMITS, maxThreads: 1, maxWaiting: 11 })
  const large = [{ markdown: 'a b\n\n'.repeat(4_000), field: 'description' }]
  const readAs = (tokenId: string, workspaceId: string, count: number) =>
    Array.from({ length: count }, () =>
      runAsSharer({ tokenId, workspaceId }, () => conversions.read(large)).then(
        () => 'converted',
        (error: Error) => error.message
      )
    )
  const [first, second, third] = await Promise.all(
    [readAs('token 1', 'one', 4), readAs('token 2', 'one', 4), readAs('token 3', 'another', 3)].map(all =>
      Promise.all(all)
    )
  )
  const refusal = (who: string, count: number) =>
    `This ${who} already has ${count} large texts that wait to be converted`
  t.match(first, ['converted', 'converted', 'converted', refusal('token', 3)])
  t.match(second, ['converted', 'converted', 'converted', refusal('token', 3)])
  t.same(third, ['converted', 'converted', 'converted'], 'so that others have room')
  t.same(await Promise.all(readAs('token 1', 'one', 1)), ['converted'], 'as has whoever waits for the others')
})

t.test('a text says the same whether a thread or the event loop converted it', async t => {
  const conversions = makeConversions(LIMITS)
  const text = '## A\n\n- [x] done\n- [ ] open\n\nwords\n'
  const [small] = await conversions.read([{ markdown: text, field: 'description' }])
  const [large, again] = await conversions.read([
    { markdown: text.repeat(400), field: 'description' },
    { markdown: text, field: 'description' }
  ])
  t.strictSame(again, small)
  const items = [
    { text: 'done', met: true },
    { text: 'open', met: false }
  ]
  t.strictSame(large?.criteria, { met: 400, total: 800, items: Array.from({ length: 400 }, () => items).flat() })
  const [raw] = await conversions.read([{ raw: JSON.parse(large!.json!), field: 'description' }])
  t.strictSame(raw, large, 'from its JSON, too')
})

t.test('a checklist of thousands, all ticked meanwhile, is rebased in time', async t => {
  const mine = Array.from({ length: 10_000 }, (_, n) => `- [ ] item ${n}`).join('\n')
  const theirs = mine.replaceAll('[ ]', '[x]')
  const { rebase } = makeConversions(LIMITS)
  t.match(await rebase({ base: mine, mine: `${mine}\n`, theirs }), { text: { markdown: `${theirs}\n` } })
})

t.test('a short document of many addresses is not converted on the event loop', async t => {
  const raw = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'www.'.repeat(1_000) }] }] }
  const { read, tickSmall } = makeConversions({ ...LIMITS, timeoutMs: 1 })
  for (const each of [raw, JSON.stringify(raw)]) {
    await t.rejects(read([{ raw: each, field: 'description' }]), { message: /not converted within/ })
  }
  t.equal(tickSmall(JSON.stringify(raw), [1], []), undefined)
})

t.test('an exported text without markdown that is too long is not replaced by nothing', async t => {
  const doc = { type: 'doc', content: [{ type: 'code_block', content: [{ type: 'text', text: 'a'.repeat(2 ** 21) }] }] }
  t.match(await readStoredRichText(doc, ''), /larger than 1048576 bytes/)
})
