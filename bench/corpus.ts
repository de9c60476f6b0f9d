import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/**
 * `node bench/corpus.ts FILE > board.jsonl`: a tracker's archive (JSON Lines, plain or gzipped: `id, title, description, created_at,
 * status, resolution, type, component[], comments[{created_at, body}]`) as lines that `npm run tracker -- import` reads.
 */
interface Archived { id: string, title: string, description?: string | null, created_at: string, status: string, resolution?: string | null, type?: string | null, component?: string[], comments?: Array<{ created_at: string, body: string }> }

const STATES = [['Backlog', 'BACKLOG'], ['Todo', 'UNSTARTED'], ['In Progress', 'STARTED'], ['Done', 'COMPLETED'], ['Canceled', 'CANCELED']] as const
const FIXED = new Set(['fixed', 'done', 'complete', 'completed', 'resolved'])

const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
const print = (record: object) => process.stdout.write(`${JSON.stringify(record)}\n`)

function stateOf ({ status, resolution }: Archived): typeof STATES[number][0] {
  if (resolution) return FIXED.has(resolution.toLowerCase()) ? 'Done' : 'Canceled'
  if (/progress|review/i.test(status)) return 'In Progress'
  if (/closed|resolved|done/i.test(status)) return 'Done'
  return 'Todo'
}

/** The record of an archived issue; its team is the letters of its key. */
function converted (issue: Archived): object {
  const [, team, number] = /^([A-Za-z][A-Za-z0-9]*)[-_](\d+)$/.exec(issue.id) ?? [undefined, 'ENG', undefined]
  const labels = [...new Set([issue.type ?? '', ...issue.component ?? []].map(oneLine).filter(Boolean))].map(name => name.slice(0, 100))
  const comments = (issue.comments ?? []).filter(c => c.body.trim() !== '').map(c => ({ createdAt: c.created_at, bodyMarkdown: c.body }))
  const last = comments.map(c => c.createdAt).sort().at(-1) ?? issue.created_at
  return {
    kind: 'issue',
    externalId: issue.id,
    team: team!.slice(0, 10),
    ...number !== undefined && { number: Number(number) },
    title: oneLine(issue.title).slice(0, 1000) || '(untitled)',
    descriptionMarkdown: issue.description ?? '',
    state: stateOf(issue),
    labels,
    createdAt: issue.created_at,
    updatedAt: last > issue.created_at ? last : issue.created_at,
    comments
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the archive: node bench/corpus.ts FILE > board.jsonl')
const input = file.endsWith('.gz') ? createReadStream(file).pipe(createGunzip()) : createReadStream(file)
const teams = new Set<string>()

async function * linesOf (): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield * lines
  }
  if (rest.trim() !== '') yield rest
}

for await (const line of linesOf()) {
  const record = converted(JSON.parse(line) as Archived) as { team: string }
  if (!teams.has(record.team)) {
    teams.add(record.team)
    print({ kind: 'team', identifier: record.team, name: record.team, states: STATES.map(([name, category]) => ({ name, category })) })
  }
  print(record)
}
