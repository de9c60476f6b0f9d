import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importFrom } from '../../../test/import-from.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/** Names of states by category. */
const CATEGORIES: Record<string, string[]> = {
  UNSTARTED: [
    ...['Not done', 'Unresolved', 'Incomplete', 'To be done', 'Undone', 'Not started', 'Unstarted', 'Not yet started'],
    ...['To do', 'ToDo', 'Reopened', 'Ready for release', 'Blocked', 'Open']
  ],
  STARTED: ['In Progress', 'in_progress', 'InProgress', 'Code review', 'Being fixed', 'Partially done', 'Ready for QA'],
  COMPLETED: ['Fixed', 'Released', 'Done', 'Closed', 'Fix released', 'Testing done', 'DONE ✅'],
  CANCELED: [
    ...['Abandoned', 'Won’t fix', "Won't Do", 'Won`t fix', 'Wont fix', 'WontFix', 'Not planned', 'Closed as duplicate'],
    ...['Canceled', 'Cancelled', 'Not a bug', 'Rejected', 'Done (won’t fix)']
  ],
  TRIAGE: ['Triage', 'Needs triage', 'Unconfirmed'],
  BACKLOG: ['Backlog', 'Later']
}
/** Names with parts of known words, or a negation of one. */
const UNKNOWN = ['Erledigt', 'Doneness', 'Translator', 'Never done', 'Not canceled', 'Prereleased', 'No duplicate']
const named = Object.entries(CATEGORIES).flatMap(([category, names]) => names.map(name => [name, category] as const))

t.test('the words of a state say its category', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const folder = temporaryFolder(t)
  const stateOf = async (key: string) =>
    (await server.ok<{ state: { name: string; category: string } }>(`/v1/issues/${key}/context`)).state
  const known = named.map(([name, category], n) => ({ name, category, n: n + 1 }))
  const unknown = UNKNOWN.map((name, n) => ({ name, category: 'UNSTARTED', n: known.length + n + 1 }))
  const all = [...known, ...unknown]
  const unknownStates = UNKNOWN.map(name => `category of the state '${name}'`)

  for (const [source, head] of [
    ['csv', 'Key,Title,State'],
    ['linear', 'ID,Title,Status']
  ] as const) {
    t.test(source, async t => {
      const file = join(folder, `${source}.csv`)
      writeFileSync(file, [head, ...all.map(({ name, n }) => `${source}-${n},x,"${name}"`)].join('\n'))
      const { leftOut } = await importFrom(server, source, file)
      for (const { name, category, n } of all) t.match(await stateOf(`${source}-${n}`), { name, category })
      t.strictSame(leftOut.map(({ what }) => what).sort(), unknownStates.sort())
    })
  }

  t.test('backlog-md', async t => {
    const place = join(folder, 'backlog')
    mkdirSync(join(place, 'tasks'), { recursive: true })
    const task = (n: number, status: string) => `---\nid: TASK-${n}\ntitle: x\nstatus: ${JSON.stringify(status)}\n---\n`
    for (const { name, n } of all) writeFileSync(join(place, 'tasks', `${n}.md`), task(n, name))
    const { leftOut } = await importFrom(server, 'backlog-md', place)
    for (const { name, category, n } of all) t.match(await stateOf(`TASK-${n}`), { name, category })
    t.strictSame(leftOut.map(({ what }) => what).sort(), unknownStates.sort())
  })

  t.test('beads: the states that a project adds', async t => {
    const file = join(folder, 'beads.jsonl')
    writeFileSync(
      file,
      all.map(({ name, n }) => JSON.stringify({ id: `bw-${n}`, title: 'x', status: name })).join('\n')
    )
    const { leftOut } = await importFrom(server, 'beads', file)
    for (const { category, n } of all) t.match(await stateOf(`BW-${n}`), { category })
    t.strictSame(leftOut.map(({ what }) => what).sort(), unknownStates.sort())
  })

  t.test('Jira: resolutions, and states without a category', async t => {
    const resolutions = {
      COMPLETED: ['Fixed', 'Done', 'Erledigt', 'Invalidated cache'],
      CANCELED: ['Won’t Do', "Won't Fix", 'Cannot Reproduce', 'Incomplete', 'Needs more info', 'Not Our Bug', 'Invalid']
    }
    const done = { name: 'Closed', statusCategory: { key: 'done' } }
    const issue = (n: number, fields: object) =>
      JSON.stringify({ id: `${n}`, key: `WORDS-${n}`, fields: { summary: 'x', project: { key: 'WORDS' }, ...fields } })
    const resolved = Object.entries(resolutions).flatMap(([category, names]) => names.map(name => ({ name, category })))
    const file = join(folder, 'jira.jsonl')
    writeFileSync(
      file,
      [
        ...resolved.map(({ name }, n) => issue(n + 1, { status: done, resolution: { name } })),
        issue(90, { status: { name: 'Won’t fix' }, priority: { name: 'P9' } }),
        issue(91, { status: { name: 'Not in the backlog', statusCategory: { key: 'new' } } })
      ].join('\n')
    )
    const { leftOut } = await importFrom(server, 'jira', file)
    for (const [n, { category }] of resolved.entries()) t.match(await stateOf(`WORDS-${n + 1}`), { category })
    t.match(await stateOf('WORDS-90'), { category: 'CANCELED' })
    t.match(await stateOf('WORDS-91'), { category: 'UNSTARTED' })
    t.strictSame(leftOut.map(({ what }) => what).sort(), [
      "meaning of the resolution 'Erledigt'",
      "meaning of the resolution 'Invalidated cache'",
      "priority 'P9'"
    ])
  })

  t.test('dates say it where the words do not, and the map ends the report', async t => {
    const file = join(folder, 'dated.csv')
    writeFileSync(
      file,
      [
        'Key,Title,State,Completed,Ended',
        'DATED-1,x,Erledigt,2026-01-02,',
        'DATED-2,x,Closed,,2026-01-02',
        'DATED-3,x,,2026-01-02,',
        'DATED-4,x,Offen,,',
        'DATED-5,x,In Progress,2026-01-02,'
      ].join('\n')
    )
    const mapFile = join(folder, 'map.json')
    writeFileSync(mapFile, JSON.stringify({ columns: { Ended: 'canceledAt' }, states: { Offen: 'Open' } }))
    const { leftOut } = await importFrom(server, 'csv', file, { mapFile })
    t.strictSame(leftOut, [])
    t.match(await stateOf('DATED-1'), { name: 'Erledigt', category: 'COMPLETED' })
    t.match(await stateOf('DATED-2'), { name: 'Closed', category: 'CANCELED' })
    t.match(await stateOf('DATED-3'), { name: 'Completed', category: 'COMPLETED' })
    t.match(await stateOf('DATED-4'), { name: 'Open', category: 'UNSTARTED' })
    t.match(await stateOf('DATED-5'), { category: 'STARTED' })
  })
})
