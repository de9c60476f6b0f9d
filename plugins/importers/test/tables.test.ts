import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

t.test('a table', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const folder = temporaryFolder(t)
  let files = 0
  const fileOf = (...lines: string[]) => {
    const file = join(folder, `${++files}.csv`)
    writeFileSync(file, lines.join('\n'))
    return file
  }
  const mapOf = (map: object) => {
    const file = join(folder, `map-${++files}.json`)
    writeFileSync(file, JSON.stringify(map))
    return file
  }
  interface Context {
    key: string
    title: string
    descriptionMarkdown: string
    labels: Array<{ name: string }>
    createdAt: string
    dueDate: string | null
    parent: { key: string } | null
  }
  const context = (key: string) => server.ok<Context>(`/v1/issues/${key}/context`)
  const labelsOf = async (key: string) => (await context(key)).labels.map(({ name }) => name).sort()
  const reported = (leftOut: Awaited<ReturnType<typeof importFrom>>['leftOut']) =>
    leftOut.map(({ what, reason, examples }) => [what, reason, ...examples])

  t.test(
    'columns of one name: lists are joined, of others the first value counts and the rest is reported',
    async t => {
      const { leftOut } = await importFrom(
        server,
        'csv',
        fileOf(
          'Key,Summary,Name,Labels,Labels,Tags,Labels,Blocked,Blocked,Sprint,Sprint',
          'REP-1,One,Other,a,b,"c, d",,,,S1,S2',
          'REP-2,,Two,,,,z,REP-1,REP-3,,',
          'REP-3,Same,Same,,,,,,,,'
        ),
        { mapFile: mapOf({ columns: { Blocked: 'blockedBy' } }) }
      )
      t.strictSame(await labelsOf('REP-1'), ['a', 'b', 'c', 'd'])
      t.strictSame(await labelsOf('REP-2'), ['z'])
      t.equal((await context('REP-1')).title, 'One')
      t.equal((await context('REP-2')).title, 'Two', 'an empty cell is no value')
      const { relations } = await server.ok<{ relations: object[] }>('/v1/issues/REP-2/context')
      t.equal(relations.length, 2)
      t.match(reported(leftOut), [
        ['column Name', 'a column before it has another title', 'line 2'],
        ['column Sprint', 'it has no counterpart', 'line 2', 'line 2']
      ])
    }
  )

  t.test('semicolons and tabs separate cells, too', async t => {
    for (const [key, separator, ...before] of [
      ['SEMI', ';'],
      ['TABS', '\t'],
      ['PIPE', '|', 'sep=|']
    ] as const) {
      const row = (...cells: string[]) => cells.join(separator)
      const file = fileOf(
        ...before,
        row('Key', '"Title, or: what; it is"', 'Labels'),
        row(`${key}-1`, 'One, two', '"a,b"')
      )
      const mapFile = mapOf({ columns: { 'Title, or: what; it is': 'title' } })
      const { report } = await importFrom(server, 'csv', file, { mapFile })
      t.match(report, { added: { issue: 1 }, skipped: [] }, key)
      t.equal((await context(`${key}-1`)).title, 'One, two')
      t.strictSame(await labelsOf(`${key}-1`), ['a', 'b'])
    }
  })

  t.test('the days of a column have one order, which its values show', async t => {
    const row = (n: number, due: string, created: string) => `DAYS-${n},x,${due},${created}`
    const { leftOut } = await importFrom(
      server,
      'csv',
      fileOf(
        'Key,Title,Due,Created',
        row(1, '03/04/2026', '03/04/2026 10:00'),
        row(2, '31/12/2025', '12/31/2025 11:30 PM'),
        row(3, '12/31/2025', '31/12/2025'),
        row(4, '30/02/2026', '"Feb 30, 2026"'),
        row(5, '5 Mar 2026', '2026-02-29'),
        row(6, '28/02/2026', '02/28/2026')
      )
    )
    t.equal((await context('DAYS-1')).dueDate, '2026-04-03')
    t.equal((await context('DAYS-1')).createdAt, '2026-03-04T10:00:00.000Z')
    t.equal((await context('DAYS-2')).dueDate, '2025-12-31')
    t.equal((await context('DAYS-2')).createdAt, '2025-12-31T23:30:00.000Z')
    t.equal((await context('DAYS-3')).dueDate, null)
    t.equal((await context('DAYS-4')).dueDate, null)
    t.equal((await context('DAYS-5')).dueDate, '2026-03-05')
    t.strictSame(reported(leftOut), [
      ['createdAt', 'it is no time', 'line 4', 'line 5', 'line 6'],
      ['dueDate', 'it is no time', 'line 4', 'line 5']
    ])
  })

  t.test('what no value shows is not guessed: the map says it', async t => {
    const file = fileOf('Key,Title,Due,Created', 'AMB-1,x,03/04/2026,Sprint 12', 'AMB-2,x,5/5/2026,')
    const { leftOut } = await importFrom(server, 'csv', file, { dryRun: true })
    t.match(reported(leftOut), [
      ['createdAt', 'it is no time', 'line 2'],
      ['dueDate', /cannot be told apart: name their order in `dateOrder` of the map/, 'line 2']
    ])
    await importFrom(server, 'csv', file, { mapFile: mapOf({ dateOrder: 'MDY' }) })
    t.equal((await context('AMB-1')).dueDate, '2026-03-04')
    t.equal((await context('AMB-2')).dueDate, '2026-05-05')
  })

  t.test('times are read in the forms in which programs write them', async t => {
    const times: Record<string, string> = {
      '2026-01-05T10:00:00.125+0100': '2026-01-05T09:00:00.125Z',
      '2026-01-05 10:00': '2026-01-05T10:00:00.000Z',
      '05/Jan/26 10:00 AM': '2026-01-05T10:00:00.000Z',
      '"Monday, January 5th, 2026 at 12:15 am"': '2026-01-05T00:15:00.000Z',
      'Mon Jan 05 2026 10:00:00 GMT+0100 (Central European Standard Time)': '2026-01-05T09:00:00.000Z',
      '"Mon, 05 Jan 2026 10:00:00 GMT"': '2026-01-05T10:00:00.000Z',
      '2026-01-05 10:00:00 EST': '2026-01-05T15:00:00.000Z',
      '05.01.2026 10:00': '2026-01-05T10:00:00.000Z',
      '2026/1/5': '2026-01-05T00:00:00.000Z'
    }
    const none = ['2026-01-05 25:00', '2026-13-01', '12', '2026', '2026-01-05 10:61', 'Jan 2026', '31.04.2026']
    const all = [...Object.keys(times), ...none]
    const { leftOut } = await importFrom(
      server,
      'csv',
      fileOf('Key,Title,Created', ...all.map((time, n) => `TIME-${n + 1},x,${time}`))
    )
    for (const [n, time] of Object.values(times).entries()) t.equal((await context(`TIME-${n + 1}`)).createdAt, time)
    t.match(leftOut, [{ what: 'createdAt', count: none.length }])
  })

  t.test('Linear: keys are those of its ids, and quotes before formulas go', async t => {
    const { report } = await importFrom(
      server,
      'linear',
      fileOf(
        'ID,Team,Title,Description,Status,Parent issue',
        `LNR-12,Engineering,'=1+1 is wrong,"'- one\n- two",Todo,`,
        `LNR-13,Engineering,'@home,'='s meaning,Todo,LNR-12`
      )
    )
    t.match(report, { added: { issue: 2, relation: 1 }, skipped: [] })
    t.match(await context('LNR-12'), { key: 'LNR-12', title: '=1+1 is wrong', descriptionMarkdown: '- one\n- two' })
    t.match(await context('LNR-13'), { title: '@home', descriptionMarkdown: "'='s meaning", parent: { key: 'LNR-12' } })
    const teams = await server.ok<Array<{ identifier: string; name: string }>>('/v1/teams')
    t.match(
      teams.find(({ identifier }) => identifier === 'LNR'),
      { name: 'Engineering' }
    )
  })
})
