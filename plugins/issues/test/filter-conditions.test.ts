import fc from 'fast-check'
import t from 'tap'
import { filtersOfTerms, mergeFilters, termsOfFilters, type Filters } from '../../../lib/filter/filters.ts'
import { parseFilter, printFilter } from '../../../lib/filter/grammar.ts'
import { SEED } from '../../../test/runner/seed.ts'
import {
  conditionsOf,
  operatorName,
  operatorOf,
  operatorsOf,
  withChanged,
  withCondition,
  withOperator,
  withoutCondition,
  type KeyOfFilters,
  type NewCondition
} from '../ui/filters/conditions.ts'

/* The conditions that the web interface shows and changes one by one, and what it writes for them. */

const choice = (key: string): KeyOfFilters => ({
  key,
  kind: 'choice',
  none: 'None'
})
const [label, assignee] = [choice('label'), choice('assignee')]
const dueDate: KeyOfFilters = { key: 'dueDate', kind: 'day', none: 'No due date' }
const estimate: KeyOfFilters = { key: 'estimate', kind: 'number', none: 'No estimate' }
const text: KeyOfFilters = { key: 'text', kind: 'text' }
const isBlocked: KeyOfFilters = { key: 'isBlocked', kind: 'flag' }

const typed = (filters: Filters): Filters => filtersOfTerms(parseFilter(printFilter(termsOfFilters(filters))).terms)

const word = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('none', 'me', '"', 'a b', 'Ünïcode, "quoted"', '-x'))
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const day = fc.constantFrom('today', '-7d', 'next friday', '2028-02-29')
const isOf = (...types: string[]) => fc.constantFrom(...types)
const orNone = (values: fc.Arbitrary<string[]>) => fc.oneof(values, fc.constant([null]))
const chosen = fc.record({
  type: isOf('IS', 'IS_NOT'),
  values: fc.oneof(
    orNone(words),
    words.map(all => [...all, null])
  )
})
const some = (property: KeyOfFilters, condition: fc.Arbitrary<NewCondition>) =>
  condition.map(condition => ({ property, condition }))
const order = isOf('LT', 'LTE', 'GT', 'GTE')
const someCondition = fc.oneof(
  some(label, chosen),
  some(assignee, chosen),
  some(
    dueDate,
    fc.record({ type: isOf('IS', 'IS_NOT'), values: orNone(fc.array(day, { minLength: 1, maxLength: 2 })) })
  ),
  some(dueDate, fc.record({ type: order, values: fc.tuple(day) })),
  some(
    dueDate,
    fc.record({ type: isOf('WITHIN', 'NOT_WITHIN'), values: fc.tuple(day, day).map(ends => [ends.join('..')]) })
  ),
  some(estimate, fc.record({ type: isOf('IS', 'IS_NOT', 'GTE'), values: fc.tuple(fc.constantFrom('1', '2.5')) })),
  some(text, fc.record({ type: isOf('INCLUDES', 'EXCLUDES'), values: words })),
  some(isBlocked, fc.record({ type: isOf('IS'), values: fc.tuple(isOf('true', 'false')) }))
)
const someConditions = fc.uniqueArray(someCondition, {
  maxLength: 6,
  // A flag has one condition.
  selector: ({ property, condition }) =>
    property.kind === 'flag' ? property.key : JSON.stringify([property.key, condition])
})

t.test('what the interface writes is read as the same conditions', async () => {
  fc.assert(
    fc.property(someConditions, added => {
      const filters = added.reduce<Filters>((all, each) => withCondition(all, each.property, each.condition), {})
      const conditions = conditionsOf(filters)
      t.strictSame(conditionsOf(typed(filters)), conditions, printFilter(termsOfFilters(filters)))
      t.equal(conditions.length, added.length)
      for (const { property, condition } of added) {
        t.ok(
          conditions.some(
            ({ key, type, values }) =>
              key === property.key && type === condition.type && String(values) === String(condition.values)
          )
        )
      }
    }),
    { numRuns: 500, seed: SEED }
  )
})

t.test('a condition is changed or removed, and the others stay as they are', async () => {
  fc.assert(
    fc.property(someConditions, fc.nat(), (added, n) => {
      const filters = added.reduce<Filters>((all, each) => withCondition(all, each.property, each.condition), {})
      const conditions = conditionsOf(filters)
      const condition = conditions[n % Math.max(1, conditions.length)]
      if (condition === undefined) return
      const others = conditions.filter(other => other !== condition).map(({ at: _, ...other }) => other)
      const left = conditionsOf(withoutCondition(filters, condition)).map(({ at: _, ...other }) => other)
      t.strictSame(left, others)
      const property = added.find(({ property: { key } }) => key === condition.key)!.property
      t.strictSame(conditionsOf(withChanged(filters, condition, property, {})), conditions)
      t.strictSame(withChanged(filters, condition, property, { values: [] }), withoutCondition(filters, condition))
    }),
    { numRuns: 500, seed: SEED }
  )
})

t.test('another operator keeps the values that fit it', async t => {
  const change = (property: KeyOfFilters, before: NewCondition, type: string) => {
    const { type: next, values } = withOperator(property, before, type)
    return `${next} ${values.map(value => value ?? 'null').join(',')}`
  }
  const within = { type: 'WITHIN', values: ['-7d..today'] }
  const days = { type: 'IS', values: ['today', '+7d'] }
  const empty = { type: 'IS', values: [null] }
  t.equal(change(label, { type: 'IS', values: ['a', null] }, 'IS_NOT'), 'IS_NOT a,null')
  t.equal(change(dueDate, within, 'LT'), 'LT today')
  t.equal(change(dueDate, within, 'GTE'), 'GTE -7d')
  t.equal(change(dueDate, within, 'NOT_WITHIN'), 'NOT_WITHIN -7d..today')
  t.equal(change(dueDate, days, 'LTE'), 'LTE today')
  t.equal(change(dueDate, { type: 'LT', values: ['+7d'] }, 'WITHIN'), 'WITHIN today..+7d')
  t.equal(change(dueDate, within, 'UNDEFINED'), 'IS null')
  t.equal(change(dueDate, empty, 'DEFINED'), 'IS_NOT null')
  t.equal(change(dueDate, empty, 'GT'), 'GT today')
  t.equal(change(estimate, empty, 'IS'), 'IS 1')
})

t.test('operators have names, for one value and for several', async t => {
  const nameOf = (property: KeyOfFilters | undefined, type: string, ...values: Array<string | null>) =>
    operatorName(property, { type, values })
  t.equal(nameOf(label, 'IS', 'a'), 'is')
  t.equal(nameOf(label, 'IS', 'a', null), 'is any of')
  t.equal(nameOf(label, 'IS_NOT', null), 'is not')
  t.equal(nameOf(dueDate, 'IS', null), 'is empty')
  t.equal(nameOf(dueDate, 'IS_NOT', null), 'is not empty')
  t.equal(nameOf(estimate, 'LTE', '3'), 'at most')
  t.equal(nameOf(text, 'EXCLUDES', 'a', 'b'), 'contains none of')
  t.equal(nameOf(undefined, 'INCLUDES_ALL', 'a', 'b'), 'has all of')
  t.equal(operatorOf(label, { type: 'IS', values: [null] }), 'IS', 'a choice has it among its values')
  t.notOk(operatorsOf(text).some(([type]) => type === 'UNDEFINED'))
  t.strictSame(
    mergeFilters(withCondition({}, label, { type: 'IS', values: ['a'] }), { label: { filterType: 'DEFINED' } }),
    {
      label: [{ filterType: 'IS', value: ['a'] }, { filterType: 'DEFINED' }]
    }
  )
})
