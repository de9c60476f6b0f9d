import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/*
 * The same bad input for each source: a wrong encoding, a text of 10 MB, a million labels, a cycle of parents, an
 * unknown field, and a truncated file. Jira's are in import.test.ts, CSV's in live.test.ts.
 */
const LONG = 'x'.repeat(10 * 1024 * 1024)
const LABELS = Array.from({ length: 1_000_000 }, (_, n) => `l${n}`)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const linesOf = (...lines: Array<object | string | Buffer>) =>
  Buffer.concat(
    lines.flatMap(line => [
      Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
      Buffer.from('\n')
    ])
  )

const bead = (id: string, more: object = {}) => ({ id, title: id, status: 'open', ...more })
const parent = (of: string) => ({ dependencies: [{ depends_on_id: of, type: 'parent-child' }] })
const hubIssue = (number: number, more: object = {}) => ({
  number,
  title: `Issue ${number}`,
  state: 'open',
  repository_url: 'https://api.github.com/repos/acme/bad',
  ...more
})

interface Bad {
  place: string
  issues: number
  /** The places and reasons of skipped records. */
  skipped: ReadonlyArray<readonly [where: string, reason: RegExp]>
  /** The place of the truncated text, and of the labels beyond the first 100. */
  shortened: string
  labels?: string
  leftOut?: string
}
const SOURCES: Record<string, () => Bad> = {
  beads() {
    const place = join(temporaryFolder(t), 'issues.jsonl')
    writeFileSync(
      place,
      linesOf(
        bead('bd-1', { unheardOf: 'x' }),
        latin1('{"id": "bd-2", "title": "caf\xe9"}'),
        bead('bd-3', { description: LONG }),
        bead('bd-4', { labels: LABELS }),
        bead('bd-5', parent('bd-6')),
        bead('bd-6', parent('bd-5')),
        '{"id": "bd-7", "ti'
      )
    )
    return {
      place,
      issues: 5,
      shortened: 'line 3',
      labels: 'line 4',
      skipped: [
        ['line 2', /UTF-8/],
        ['line 6', /parent of itself/],
        ['line 7', /cut off/]
      ],
      leftOut: 'field unheardOf'
    }
  },
  github() {
    const place = join(temporaryFolder(t), 'issues.jsonl')
    writeFileSync(
      place,
      linesOf(
        hubIssue(1, { unheardOf: 'x' }),
        latin1('{"number": 2, "title": "caf\xe9"}'),
        hubIssue(3, { body: LONG }),
        hubIssue(4, { labels: LABELS }),
        hubIssue(5, { sub_issues: [hubIssue(6)] }),
        hubIssue(6, { sub_issues: [hubIssue(5)] }),
        '{"number": 7, "ti'
      )
    )
    return {
      place,
      issues: 5,
      shortened: 'line 3',
      labels: 'line 4',
      skipped: [
        ['line 2', /UTF-8/],
        ['line 6', /parent of itself/],
        ['line 7', /cut off/]
      ]
    }
  },
  linear() {
    const place = join(temporaryFolder(t), 'issues.csv')
    writeFileSync(
      place,
      linesOf(
        'ID,Team,Title,Status,Description,Labels,Parent issue,Unheard of',
        'BAD-1,BAD,One,Todo,,,,x',
        latin1('BAD-2,BAD,caf\xe9,Todo,,,,'),
        `BAD-3,BAD,Three,Todo,${LONG},,,`,
        `BAD-4,BAD,Four,Todo,,"${LABELS.join(',')}",,`,
        'BAD-5,BAD,Five,Todo,,,BAD-6,',
        'BAD-6,BAD,Six,Todo,,,BAD-5,',
        'BAD-7,BAD,"Seven'
      )
    )
    return {
      place,
      issues: 5,
      shortened: 'line 4',
      labels: 'line 5',
      skipped: [
        ['line 3', /UTF-8/],
        ['line 7', /parent of itself/],
        ['line 8', /cut off/]
      ],
      leftOut: 'column Unheard of'
    }
  },
  'backlog-md'() {
    const place = temporaryFolder(t)
    mkdirSync(join(place, 'tasks'))
    const write = (name: string, content: string | Buffer) => writeFileSync(join(place, 'tasks', name), content)
    const task = (n: number, front = '', body = '') => `---\nid: task-${n}\ntitle: Task ${n}\n${front}---\n${body}`
    write('1.md', task(1, 'unheardOf: x\n'))
    write('2.md', latin1(task(2, 'reporter: caf\xe9\n')))
    write('3.md', task(3, '', LONG))
    write('4.md', task(4, `labels:\n${LABELS.map(label => `  - ${label}\n`).join('')}`))
    write('5.md', task(5, 'parent_task_id: task-6\n'))
    write('6.md', task(6, 'parent_task_id: task-5\n'))
    write('7.md', '---\nid: task-7\ntitle: "Cut')
    return {
      place,
      issues: 4,
      shortened: 'tasks/3.md',
      skipped: [
        ['tasks/2.md', /UTF-8/],
        ['tasks/4.md', /front matter.* longer than/],
        ['tasks/6.md', /parent of itself/],
        ['tasks/7.md', /front matter.* cut off/]
      ],
      leftOut: 'field unheardOf'
    }
  }
}

t.test(
  'invalid records are reported with their place, the others are imported, long ones as far as they can be',
  async t => {
    const server = await testServer()
    t.teardown(() => server.close())
    for (const [source, make] of Object.entries(SOURCES)) {
      const { place, issues, skipped, shortened, labels, leftOut } = make()
      const { report, leftOut: left } = await importFrom(server, source, place)
      t.equal(report.added['issue'], issues, source)
      const reasons = new Map(report.skipped.map(({ where, reason }) => [where, reason]))
      for (const [where, reason] of skipped) t.match(reasons.get(where) ?? '', reason, `${source}, ${where}`)
      t.equal(report.skipped.length, skipped.length, `${source}: ${report.skipped.map(({ where }) => where).join()}`)
      t.match(report.shortened, [{ where: shortened, kind: 'issue', reason: /text is too long/ }], source)
      const expected = [
        ...(leftOut === undefined ? [] : [{ what: leftOut, count: 1 }]),
        ...(labels === undefined ? [] : [{ what: 'labels', reason: /more than 100/, examples: [labels] }])
      ]
      t.match(left, expected, source)
    }
  }
)
