import t from 'tap'
import { problemsOf, type Exceptions } from '../scripts/audit.ts'

const url = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc'
const vulnerabilities = {
  parser: { via: [{ url, title: 'Takes the square of its input', severity: 'high' }] },
  server: { via: ['parser'] }
}
const until = (date: string): Exceptions => ({ 'GHSA-aaaa-bbbb-cccc': { until: date, because: 'Only tests use it.' } })

t.test('advisories are named, unless they are excepted until a later day', t => {
  const problem = `parser: Takes the square of its input (high, ${url})`
  t.strictSame(problemsOf(vulnerabilities, {}, '2026-03-01'), [problem])
  t.strictSame(problemsOf(vulnerabilities, until('2026-02-28'), '2026-03-01'), [problem])
  t.strictSame(problemsOf(vulnerabilities, until('2026-03-01'), '2026-03-01'), [])
  t.end()
})

t.test('an exception without its advisory is to be removed', t => {
  t.match(problemsOf({}, until('2026-12-31'), '2026-03-01'), [/GHSA-aaaa-bbbb-cccc is no longer needed/])
  t.strictSame(problemsOf({}, {}, '2026-03-01'), [])
  t.end()
})
