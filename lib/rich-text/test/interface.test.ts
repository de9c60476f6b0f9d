import t from 'tap'
import { criteria, limits, parse, plainText, RichTextError, schema, serialize, tick, validate } from '../index.ts'

const plan = `# Ship it

- [ ] Write the \`docs\`
- [x] Run the tests
  1. [ ] on Linux
`

/** The document as read from the store. */
function stored(markdown: string) {
  return schema.nodeFromJSON(JSON.parse(JSON.stringify(parse(markdown))))
}

t.test('unedited markdown is returned byte for byte', async t => {
  for (const markdown of [
    '',
    '\n\n',
    plan,
    plan.replaceAll('\n', '\r\n'),
    '* a\n+ b\n\n\n\n__c__  ',
    'a\\\nb&nbsp;&copy;'
  ]) {
    t.equal(serialize(stored(markdown)), markdown)
  }
})

t.test('a checklist can be read and ticked, by number or by text', async t => {
  const doc = stored(plan)
  t.same(criteria(doc), [
    { n: 1, text: 'Write the docs', met: false },
    { n: 2, text: 'Run the tests', met: true },
    { n: 3, text: 'on Linux', met: false }
  ])
  t.equal(serialize(tick(doc, [1])), plan.replace('[ ] Write', '[x] Write'))
  t.equal(serialize(tick(doc, [], ['Run the tests'])), plan.replace('[x]', '[ ]'))
  t.equal(serialize(tick(doc, [' ON  linux'])), plan.replace('[ ] on', '[x] on'))
  t.equal(
    serialize(tick(doc, ['Write the `docs`'])),
    plan.replace('[ ] Write', '[x] Write'),
    'text copied from the markdown'
  )
})

t.test('ticking changes one character, however the list is written and whatever else was edited', async t => {
  const odd = 'Intro\n\n*   [ ] a *b* __c__\n    1)  [X] d\n\n> + [ ] e\n\n\nEnd'
  const edited = schema.nodes.doc.create(
    { source: odd },
    stored(odd).children.with(0, schema.nodes.paragraph.create(null, schema.text('New')))
  )
  for (const doc of [stored(odd), edited, schema.nodes.doc.create(null, edited.content)]) {
    const before = serialize(doc)
    for (const { n, met } of criteria(doc)) {
      const after = serialize(met ? tick(doc, [], [n]) : tick(doc, [n]))
      t.equal(after.length, before.length)
      t.equal([...after].filter((char, i) => char !== before[i]).length, 1, after)
    }
  }
})

t.test('ticking what is not there lists what is', async t => {
  t.throws(() => tick(parse(plan), [4]), {
    message: /no criterion 4.*1\. Write the docs; 2\. Run the tests; 3\. on Linux/
  })
  t.throws(() => tick(parse(plan), ['Deploy']), { message: /No criterion reads "Deploy".*2\. Run the tests/ })
  t.throws(() => tick(parse('- [ ] a\n- [ ] a'), ['a']), { message: /Several criteria read "a"/ })
  t.throws(() => tick(parse('no list'), [1]), { message: /no checklist/ })
  t.throws(() => tick(parse('- [ ] a\n'.repeat(60)), [61]), { message: /50\. a; and 10 more$/ })
})

t.test('JSON is checked, and a problem says where it is', async t => {
  t.match(validate(parse(plan).toJSON()), { doc: Object })
  t.match(validate(JSON.stringify(parse(plan))), { doc: Object })
  const problems = (json: unknown) => {
    const result = validate(json)
    return 'problems' in result ? result.problems.map(({ path }) => path) : []
  }
  t.same(problems({ type: 'doc', content: [{ type: 'heading', attrs: { level: 7 } }, { type: 'nonsense' }] }), [
    'content[0].attrs.level',
    'content[1].type'
  ])
  t.same(problems({ type: 'paragraph' }), ['type'])
  t.same(problems('{"type":'), [''])
  t.same(problems({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a\0' }] }] }), [
    'content[0].content[0].text'
  ])
  t.same(problems({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: '\ud800' }] }] }), [
    'content[0].content[0].text'
  ])
})

t.test('documents beyond the limits are refused with a code', async t => {
  t.throws(() => parse('a'.repeat(limits.bytes + 1)), { code: 'TOO_LARGE', statusCode: 413 })
  t.throws(() => parse('é'.repeat(limits.bytes / 2 + 1)), RichTextError)
  let json: unknown = { type: 'paragraph' }
  for (let depth = 0; depth < limits.depth; depth++) json = { type: 'blockquote', content: [json] }
  t.throws(() => validate({ type: 'doc', content: [json] }), { code: 'TOO_DEEP', statusCode: 400 })
})

t.test('text for search has the words and not the markup', async t => {
  t.equal(plainText(parse('# *Hi*\n\n- [x] `a`\n- [b](c)\n\n<b>d</b> ![e](f)')), 'Hi\na\nb\nd e')
})
