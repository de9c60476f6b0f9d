import { labelsOf, linesOf, oneLine, titleOf, type Archived } from './archive.ts'

/*
 * `node bench/corpus.ts FILE > board.jsonl`: a tracker's archive (JSON Lines, plain or gzipped: `id, title,
 * description, created_at, status, resolution, type, component[], comments[{created_at, body}]`) as lines that `npm run
 * tracker -- import` reads.
 */
const FIXED = new Set(['fixed', 'done', 'complete', 'completed', 'resolved', 'implemented'])

const print = (record: object) => process.stdout.write(`${JSON.stringify(record)}\n`)

/** The state of an issue: the resolution if there is one, otherwise the status. */
function stateOf({ status, resolution }: Archived): { name: string; category: string } {
  const name = oneLine(resolution || status).slice(0, 100) || 'Open'
  if (resolution) return { name, category: FIXED.has(resolution.toLowerCase()) ? 'COMPLETED' : 'CANCELED' }
  if (/progress|review/i.test(status)) return { name, category: 'STARTED' }
  return { name, category: /closed|resolved|done/i.test(status) ? 'COMPLETED' : 'UNSTARTED' }
}

/** Some archives have local times. */
const time = (text: string) => (/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

/** The lines of an archived issue: itself, then its comments. Its team is the letters of its key. */
function converted(issue: Archived): { team: string; state: ReturnType<typeof stateOf>; lines: object[] } {
  const [, letters, number] = /^([A-Za-z][A-Za-z0-9]*)[-_](\d+)$/.exec(issue.id) ?? [undefined, 'ENG', undefined]
  const team = letters!.slice(0, 10).toUpperCase()
  const state = stateOf(issue)
  const comments = (issue.comments ?? [])
    .filter(c => c.body.trim() !== '')
    .map((c, n) => ({
      kind: 'comment',
      externalId: `${issue.id}/${n + 1}`,
      issue: issue.id,
      bodyMarkdown: c.body,
      createdAt: time(c.created_at)
    }))
  const createdAt = time(issue.created_at)
  // The archive has no time of closing; the last comment is the latest known time.
  const updatedAt = [createdAt, ...comments.map(c => c.createdAt)].reduce((a, b) =>
    Date.parse(b) > Date.parse(a) ? b : a
  )
  const record = {
    kind: 'issue',
    externalId: issue.id,
    team,
    ...(number !== undefined && { number: Number(number) }),
    title: titleOf(issue),
    descriptionMarkdown: issue.description ?? '',
    state: state.name,
    labels: labelsOf(issue),
    createdAt,
    updatedAt,
    ...(state.category === 'COMPLETED' && { completedAt: updatedAt })
  }
  return { team, state, lines: [record, ...comments] }
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the archive: node bench/corpus.ts FILE > board.jsonl')

const issues = linesOf(file).map(line => converted(JSON.parse(line) as Archived))

const teams = new Map<string, Map<string, ReturnType<typeof stateOf>>>()
for (const { team, state } of issues) {
  if (!teams.has(team)) teams.set(team, new Map())
  teams.get(team)!.set(state.name.toLowerCase(), state)
}
for (const [team, states] of teams) print({ kind: 'team', identifier: team, name: team, states: [...states.values()] })
for (const { lines } of issues) lines.forEach(print)
