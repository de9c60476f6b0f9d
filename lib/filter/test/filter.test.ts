import fc from 'fast-check'
import t from 'tap'
import { filtersOfTerms, mergeFilters, termsOfFilters, type FilterEntry, type Filters } from '../filters.ts'
import { parseFilter, printFilter, type Term, type TermValue } from '../grammar.ts'
import { SEED } from '../../../test/runner/seed.ts'

const termsIn = (text: string) => parseFilter(text).terms.map(({ from: _, to: __, ...term }) => term)
const messagesIn = (text: string) => parseFilter(text).mistakes.map(({ message }) => message)
const filtersIn = (text: string) => filtersOfTerms(parseFilter(text).terms)
const textOf = (filters: Filters) => printFilter(termsOfFilters(filters))

t.test('a typed filter becomes the filters of POST /v1/issues/filter', async t => {
  for (const [text, filters] of [
    ['', {}],
    ['assignee:me', { assignee: { filterType: 'IS', value: ['me'] } }],
    ['label:bug,"needs docs"', { label: { filterType: 'IS', value: ['bug', 'needs docs'] } }],
    [
      'label:bug label:docs',
      {
        label: [
          { filterType: 'IS', value: ['bug'] },
          { filterType: 'IS', value: ['docs'] }
        ]
      }
    ],
    ['-state:done', { state: { filterType: 'IS_NOT', value: ['done'] } }],
    ['assignee:none', { assignee: { filterType: 'UNDEFINED' } }],
    ['-assignee:none', { assignee: { filterType: 'DEFINED' } }],
    ['assignee:me,none', { assignee: { filterType: 'IS', value: ['me', null] } }],
    ['priority:none,urgent', { priority: { filterType: 'IS', value: ['none', 'urgent'] } }],
    ['criteria:none', { criteria: { filterType: 'IS', value: ['none'] } }],
    ['due:<7d', { dueDate: { filterType: 'LT', value: '7d' } }],
    ['estimate:>=3', { estimate: { filterType: 'GTE', value: '3' } }],
    ['updated:-7d..today', { updatedAt: { filterType: 'WITHIN', value: ['-7d..today'] } }],
    ['-due:today.."next friday"', { dueDate: { filterType: 'NOT_WITHIN', value: ['today..next friday'] } }],
    ['due:none,today,+1d..+2d', { dueDate: { filterType: 'WITHIN', value: [null, 'today..today', '+1d..+2d'] } }],
    ['is:blocked -is:sub-issue is:watching', { isBlocked: true, isSubIssue: false, watching: true }],
    ['relation:"BLOCKED ENG-2"', { relation: { filterType: 'IS', value: ['BLOCKED ENG-2'] } }],
    [
      'login -"time out"',
      {
        text: [
          { filterType: 'INCLUDES', value: ['login'] },
          { filterType: 'EXCLUDES', value: ['time out'] }
        ]
      }
    ],
    ['text:log,sign', { text: { filterType: 'INCLUDES', value: ['log', 'sign'] } }]
  ] as const) {
    t.strictSame(filtersIn(text), filters, text)
    t.strictSame(filtersIn(textOf(filters)), filters, `${text}, printed`)
  }
})

t.test('a mistake has its place and says how to correct it; the other terms stay', async t => {
  const { terms, mistakes } = parseFilter('label: assignee:me -due:<7d estimate:>1,2')
  t.match(terms, [{ key: 'assignee', from: 7, to: 18 }])
  t.match(mistakes, [
    { from: 0, to: 6, message: /^label lacks a value/ },
    { from: 19, to: 27, message: /turn the comparison round/ },
    { from: 28, to: 41, message: /takes one value/ }
  ])
  for (const text of ['label:a,', 'due:today..', 'due:..today', 'label:,a']) t.equal(messagesIn(text).length, 1, text)
})

t.test('quotes, minus signs and colons are characters where they cannot be anything else', async t => {
  const words = (text: string) => termsIn(text).map(({ values }) => values[0])
  t.strictSame(words(String.raw`"a \"b\" \\ c" - --x a:b "a:b" "open`), ['a "b" \\ c', '-', '--x', 'b', 'a:b', 'open'])
  t.strictSame(termsIn('-"-x"'), [{ key: 'text', isNegated: true, operator: 'is', values: ['-x'] }])
})

const name = fc.stringMatching(/^[a-z][a-z\d]{0,8}$/)
const piece = fc.constantFrom('"', '\\', ',', '.', '..', ':', '-', '<', '>=', ' ', '\n', 'none', 'a', 'label:', '7d')
const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''))
)
const someValue: fc.Arbitrary<TermValue> = fc.oneof(
  someText,
  fc.constant(null),
  fc.record({ from: someText, to: someText })
)
const someTerm: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    key: fc.oneof(name, fc.constant('text')),
    isNegated: fc.boolean(),
    operator: fc.constant('is' as const),
    values: fc.array(someValue, { minLength: 1, maxLength: 3 })
  }),
  fc.record({
    key: name,
    isNegated: fc.constant(false),
    operator: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
    values: someText.map(text => [text])
  })
)

t.test('every printed filter is read as the same terms', async () => {
  fc.assert(
    fc.property(fc.array(someTerm, { maxLength: 4 }), terms => {
      const text = printFilter(terms)
      t.same([termsIn(text), messagesIn(text)], [terms, []], text)
    }),
    { numRuns: 2_000, seed: SEED }
  )
})

t.test('any text is read to its end, and what is read is printed as the same', async () => {
  fc.assert(
    fc.property(someText, text => {
      const terms = termsIn(text)
      t.strictSame(termsIn(printFilter(terms)), terms, text)
    }),
    { numRuns: 2_000, seed: SEED }
  )
})

const word = fc.oneof(fc.stringMatching(/^[a-z]{1,6}$/), fc.constantFrom('next friday', 'BLOCKED ENG-2', '-7d', 'a,b'))
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const someEntry: fc.Arbitrary<FilterEntry> = fc.oneof(
  fc.record({ filterType: fc.constantFrom('IS', 'IS_NOT'), value: words }),
  fc.record({ filterType: fc.constantFrom('LT', 'LTE', 'GT', 'GTE'), value: word }),
  fc.record({
    filterType: fc.constantFrom('WITHIN', 'NOT_WITHIN'),
    value: fc.array(
      fc.tuple(word, word).map(span => span.join('..')),
      { minLength: 1, maxLength: 2 }
    )
  }),
  fc.record({ filterType: fc.constantFrom('UNDEFINED', 'DEFINED') })
)
const someFilters: fc.Arbitrary<Filters> = fc.dictionary(
  fc.constantFrom('assignee', 'label', 'dueDate', 'stateCategory', 'claim'),
  fc.oneof(someEntry, fc.array(someEntry, { minLength: 2, maxLength: 3 }))
)

t.test('filters are the same after they were typed', async () => {
  fc.assert(
    fc.property(
      someFilters,
      fc.dictionary(fc.constantFrom('isReady', 'isSubIssue', 'watching'), fc.boolean()),
      (a, b) => {
        const filters = mergeFilters(a, b)
        t.same(filtersIn(textOf(filters)), filters)
      }
    ),
    { numRuns: 500, seed: SEED }
  )
})

t.test('filters without a typed form are refused, and never become others', async t => {
  for (const filters of [{ label: { filterType: 'IS', value: [] } }, { label: { filterType: 'LIKE', value: ['a'] } }]) {
    t.throws(() => textOf(filters), RangeError)
  }
})
