import t from 'tap'
import { dayOfWords } from '../day-words.ts'

/** Checks the days of words, seen from a day. */
const check = (today: string, days: Readonly<Record<string, string | undefined>>) =>
  t.test(`seen from ${today}`, t => {
    for (const [words, day] of Object.entries(days)) t.equal(dayOfWords(words, new Date(today)), day, words)
    t.end()
  })

check('2026-11-27T12:00:00Z', {
  today: '2026-11-27',
  ' Tomorrow ': '2026-11-28',
  yesterday: '2026-11-26',
  '+3d': '2026-11-30',
  '3d': '2026-11-30',
  '+4 d': '2026-12-01',
  '-27d': '2026-10-31',
  '+0d': '2026-11-27',
  '+2W': '2026-12-11',
  '+9999m': '2860-02-27',
  'end of  month': '2026-11-30',
  '2026-12-24': '2026-12-24'
})
// A Friday.
check('2026-11-27T23:59:59.999Z', {
  friday: '2026-12-04',
  fri: '2026-12-04',
  'next friday': '2026-12-04',
  Saturday: '2026-11-28',
  'next saturday': '2026-12-05',
  sunday: '2026-11-29',
  'next sunday': '2026-12-06',
  monday: '2026-11-30',
  'NEXT Monday': '2026-11-30'
})
// A Sunday, the last day of its week, and a Monday, the first.
check('2026-11-29T00:00:00Z', { sunday: '2026-12-06', 'next sunday': '2026-12-06', 'next monday': '2026-11-30' })
check('2026-11-30T00:00:00Z', { sunday: '2026-12-06', monday: '2026-12-07', 'next monday': '2026-12-07' })
check('2026-11-23T08:00:00Z', { friday: '2026-11-27', 'next friday': '2026-12-04' })

check('2028-01-31T08:00:00Z', { '+1m': '2028-02-29', '+2m': '2028-03-31', '+13m': '2029-02-28', '-2m': '2027-11-30' })
check('2028-02-28T08:00:00Z', { tomorrow: '2028-02-29', 'end of month': '2028-02-29', '+12m': '2029-02-28' })
check('2028-02-29T08:00:00Z', {
  tomorrow: '2028-03-01',
  '+12m': '2029-02-28',
  '+48m': '2032-02-29',
  '+1w': '2028-03-07'
})
check('2027-02-28T08:00:00Z', { tomorrow: '2027-03-01', '2028-02-29': '2028-02-29', '2027-02-29': undefined })
check('2100-02-28T08:00:00Z', { tomorrow: '2100-03-01', 'end of month': '2100-02-28' })
check('2026-12-31T08:00:00Z', {
  tomorrow: '2027-01-01',
  '+1m': '2027-01-31',
  '+2m': '2027-02-28',
  thursday: '2027-01-07'
})

t.test('the day is that of UTC, wherever the server is', t => {
  t.equal(dayOfWords('today', new Date('2026-11-27T23:30:00-05:00')), '2026-11-28')
  t.equal(dayOfWords('tomorrow', new Date('2026-11-28T00:30:00+14:00')), '2026-11-28')
  t.end()
})

t.test('any other text names no day', t => {
  const texts = [
    '',
    'soon',
    '3',
    '+3',
    '+3y',
    '+10000d',
    '++3d',
    '+3.5d',
    'next',
    'next today',
    'frid',
    'next  ',
    '0d1'
  ]
  const dates = ['2026-02-30', '2026-13-01', '2026-00-10', '26-11-27', '2026/11/27', '27.11.2026', '2026-11-27T00:00Z']
  for (const text of [...texts, ...dates, 'constructor', '__proto__']) {
    t.equal(dayOfWords(text, new Date('2026-11-27')), undefined, text)
  }
  t.end()
})
