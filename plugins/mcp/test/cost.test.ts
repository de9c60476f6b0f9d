import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { TRACKER_COMMAND } from '../../../test/runner/process.ts'

/** Maximum tokens of the results of a typical task. */
const MAX_TASK_TOKENS = 1_500
const root = new URL('../../..', import.meta.url)

/** The median length of issues in public trackers: 1,700 characters with comments. */
const description = `After the upgrade from 3.1 to 3.2 a list view with more than about 200 rows stutters while it is \
scrolled, and on older devices the application is ended by the system.

Steps to reproduce:

1. Make a new project from the list template.
2. Give it 500 rows with an image on the left and two labels each.
3. Scroll to the end and back, three or four times.

Expected: it scrolls as smoothly as with 3.1. Actual: it stutters from the second time on, and the memory grows by \
about 40 MB each time.

\`\`\`js
const view = createListView({ sections: [section], defaultItemTemplate: 'row' })
view.addEventListener('itemclick', event => open(event.itemId))
window.add(view)
\`\`\`

The profiler shows that the images of rows that have left the screen are never released.`
const comments = [
  'I see the same on two devices, with the nightly build too. Without the images it does not happen, so the cache of ' +
    'the image loader is the first place where I would look.',
  'Bisected to the change of the row recycler: rows are put back into the pool by their template, but the pool is ' +
    'looked up by the section. Since then each scroll makes new rows.',
  'A workaround until this is fixed: set `recycle` to false. It costs some speed with short lists, but the memory ' +
    'stays flat.'
]

t.test('a typical task costs an agent little', async t => {
  const issues = Array.from({ length: 25 }, (_, n) => [
    {
      kind: 'issue',
      externalId: `L-${n + 1}`,
      team: 'LIST',
      number: n + 1,
      title: `List view stutters and leaks images when it is scrolled, part ${n + 1}`,
      descriptionMarkdown: description,
      state: 'Todo',
      labels: ['Bug', 'iOS'],
      createdAt: '2026-01-02T03:04:05Z'
    },
    ...comments.map((bodyMarkdown, c) => ({
      kind: 'comment',
      externalId: `C-${n + 1}-${c}`,
      issue: `L-${n + 1}`,
      author: 'Ann Example',
      createdAt: '2026-01-03T00:00:00Z',
      bodyMarkdown
    }))
  ]).flat()
  const states = [
    { name: 'Todo', category: 'UNSTARTED' },
    { name: 'In Progress', category: 'STARTED' },
    { name: 'Done', category: 'COMPLETED' }
  ]
  const board = join(t.testdir(), 'board.jsonl')
  await writeFile(
    board,
    [{ kind: 'team', identifier: 'LIST', name: 'List view', states }, ...issues]
      .map(line => `${JSON.stringify(line)}\n`)
      .join('')
  )
  const command = [...TRACKER_COMMAND, 'mcp-cost', '--board', board, '--task', 'LIST-7']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  const costs = new Map(
    stdout
      .split('\n')
      .map(line => line.trim().split(/\s{2,}/))
      .map(([tokens, what]) => [what, Number(tokens)])
  )
  for (const what of ['get_task', 'tools/list', 'instructions', 'together']) {
    t.ok(costs.get(what)! > 0, `it prints what ${what} costs`)
  }
  t.ok(costs.get('together')! <= MAX_TASK_TOKENS, stdout)
})
