import { globSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newToken } from '../core/auth/tokens.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { linesOf, oneLine, titleOf, type Archived } from './archive.ts'
import { callTool, makeClient, untilIndexed } from './client.ts'

/*
 * `npm run bench:knowledge-outcomes -- --corpus DIR [--groups 50] [--rounds 4] [--budget 500] [--only NAME,…]`: what
 * marks and outcomes do to the ranking of knowledge. Agents work on issues that people resolved as duplicates; for each
 * group of them one entry, the resolution of the original, is what helps. Each way of ranking gets a server of its own
 * and the same tasks, marks and noise, in several rounds: the share of the served entries that were used.
 */
const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    groups: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '4' },
    budget: { type: 'string', default: '500' },
    only: { type: 'string' }
  }
})
if (options.corpus === undefined) throw new Error('Name a folder with archives and *-duplicates-*.jsonl: --corpus DIR.')
const GROUPS = Number(options.groups)
const ROUNDS = Number(options.rounds)

/** The tokens for which an agent loads knowledge. */
const BUDGET = Number(options.budget)
/** Other facts of the same archives. */
const OTHER_ENTRIES = 150
const MAX_LENGTH = 400
const MIN_LENGTH = 60
/** Agents that work at once. */
const AGENTS = 4

/** The noise: the probability that an agent … */
const NOISE = {
  /** marks the entry that it used as helpful, */
  marksUsed: 0.7,
  /** marks a misleading entry as wrong, */
  marksWrong: 0.5,
  /** marks any other served entry as helpful, */
  helpedByMistake: 0.03,
  /** or as wrong, */
  wrongByMistake: 0.02,
  /** and that its issue is opened again: after the right entry, after a misleading one alone, after neither. */
  reopened: { used: 0.1, misled: 0.4, neither: 0.2 }
}

/** The ways of ranking: values of constants of the plugin. */
const WAYS: Record<string, Record<string, number>> = {
  'without outcomes': { PRIOR_MARKS: 1e9 },
  'as it is': {},
  'prior 2': { PRIOR_MARKS: 2 },
  'prior 1': { PRIOR_MARKS: 1 },
  'prior 8': { PRIOR_MARKS: 8 },
  'marks alone': { WEIGHT_OF_COMPLETED: 0, WEIGHT_OF_REOPENED: 0 },
  'completed .2': { WEIGHT_OF_COMPLETED: 0.2 },
  'reopened .1': { WEIGHT_OF_REOPENED: 0.1 }
}
const RANKING = 'plugins/knowledge/queries/outcomes.ts'

/** The same numbers for the same words: the noise of a task is the same in every way of ranking. */
function chance(...words: ReadonlyArray<string | number>): number {
  let hash = 2166136261
  for (const character of words.join('|')) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

interface Group {
  original: Archived
  duplicates: Archived[]
}
type Truth = 'useful' | 'misleading' | 'other'
interface Entry {
  content: string
  truth: Truth
  /** The number of the group that it is about. */
  group: number
}

const commentsOf = ({ comments = [] }: Archived): string[] =>
  comments.map(({ body }) => oneLine(body).slice(0, MAX_LENGTH)).filter(text => text.length >= MIN_LENGTH)

/** Groups of duplicates, in the order of the files, whose original has a resolution: its last comment. */
function groupsOf(folder: string, issues: ReadonlyMap<string, Archived>): Group[] {
  const byOriginal = new Map<string, Set<string>>()
  for (const name of globSync('*-duplicates-*.jsonl', { cwd: folder }).sort()) {
    for (const line of linesOf(join(folder, name))) {
      const { query_id: id, duplicate_of: of } = JSON.parse(line) as { query_id: string; duplicate_of: string[] }
      const [original] = of
      if (original !== undefined) byOriginal.set(original, (byOriginal.get(original) ?? new Set()).add(id))
    }
  }
  return [...byOriginal].flatMap(([id, others]) => {
    const original = issues.get(id)
    const duplicates = [...others].flatMap(other => issues.get(other) ?? [])
    return original && duplicates.length > 0 && commentsOf(original).length > 0 ? [{ original, duplicates }] : []
  })
}

/** Each group's resolution and talk about it, for every other group also a wrong explanation, and other facts. */
function entriesOf(groups: readonly Group[], others: readonly Archived[]): Entry[] {
  const about = ({ title }: Archived, text: string) => `${oneLine(title).slice(0, 200)}: ${text}`
  const entries = groups.flatMap(({ original, duplicates }, group) => {
    const resolution = commentsOf(original).at(-1)!
    const talk = [...commentsOf(original).slice(0, -1), ...duplicates.flatMap(commentsOf)].slice(0, 3)
    const stranger = commentsOf(groups[(group + 1) % groups.length]!.original).at(-1)!
    return [
      { content: about(original, resolution), truth: 'useful' as const, group },
      ...talk.map(text => ({ content: about(original, text), truth: 'other' as const, group })),
      ...(group % 2 === 0 ? [{ content: about(original, stranger), truth: 'misleading' as const, group }] : [])
    ]
  })
  const rest = others.flatMap(issue =>
    commentsOf(issue)
      .slice(-1)
      .map(text => about(issue, text))
  )
  return [...entries, ...rest.slice(0, OTHER_ENTRIES).map(content => ({ content, truth: 'other' as const, group: -1 }))]
}

/** A report of a group's problem: in each round a part of the words of one of its duplicates. */
function reportOf({ duplicates }: Group, round: number): { title: string; description: string } {
  const issue = duplicates[round % duplicates.length]!
  const partOf = (text: string, share: number) =>
    text
      .split(' ')
      .filter((word, n) => chance('word', issue.id, round, n, word) < share)
      .join(' ')
  const title = round < duplicates.length ? titleOf(issue) : partOf(titleOf(issue), 0.7)
  const description = partOf(oneLine(issue.description ?? '').slice(0, 600), 0.6)
  return { title: title || titleOf(issue), description: `- [ ] It works.\n\nReported: ${description}` }
}

const pad = (cell: string) => cell.padStart(8)

interface Result {
  tasks: number
  served: number
  used: number
  misleading: number
  /** The sum of 1 / rank of the useful entry. */
  reciprocalRanks: number
}

interface Bank {
  server: ServerProcess
  agents: readonly string[]
  truths: ReadonlyMap<string, Entry>
}
const admin = newToken()
const send = makeClient(admin)

/** Fills a database, which each way of ranking begins with. */
async function fill(server: ServerProcess, entries: readonly Entry[]): Promise<Omit<Bank, 'server'>> {
  const truths = new Map<string, Entry>()
  const left = [...entries]
  const store = async () => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
      const { id } = await send<{ id: string }>(server, '/v1/knowledge', { content: entry.content, force: true })
      truths.set(id, entry)
    }
  }
  await Promise.all(Array.from({ length: AGENTS }, store))
  const agents: string[] = []
  for (let n = 0; n < AGENTS; n++) {
    agents.push((await send<{ token: string }>(server, '/v1/users/agents', { name: `Agent ${n}` })).token)
  }
  await untilIndexed(server)
  return { agents, truths }
}

/** An agent works on a report of the group: it loads what is known, closes the issue, and says what helped. */
async function work({ server, agents, truths }: Bank, group: Group, n: number, round: number, result: Result) {
  const { title, description } = reportOf(group, round)
  const filed = { teamId: 'ENG', title, descriptionMarkdown: description }
  const { key } = await send<{ key: string }>(server, '/v1/issues', filed)
  const agent = agents[n % agents.length]!
  const { structuredContent, isError, text } = await callTool(server, agent, 'load_context', {
    task: key,
    budget: BUDGET,
    session: `${key}-work`
  })
  if (isError) throw new Error(text)
  const ids = (structuredContent?.['entries'] as Array<{ id: string }> | undefined)?.map(({ id }) => id) ?? []
  const truthOf = (id: string): Truth => (truths.get(id)?.group === n ? truths.get(id)!.truth : 'other')
  const rank = ids.findIndex(id => truthOf(id) === 'useful')
  const isMisled = ids.some(id => truthOf(id) === 'misleading')
  result.tasks++
  result.served += ids.length
  if (rank >= 0) result.used++
  if (rank >= 0) result.reciprocalRanks += 1 / (rank + 1)
  if (isMisled) result.misleading++

  const decide = (what: string, id: string) => chance(what, truths.get(id)!.content, n, round)
  const helped = ids.filter(
    id => decide('helped', id) < (truthOf(id) === 'useful' ? NOISE.marksUsed : NOISE.helpedByMistake)
  )
  const isWrong = (id: string) =>
    decide('wrong', id) < { useful: 0, misleading: NOISE.marksWrong, other: NOISE.wrongByMistake }[truthOf(id)]
  const wrong = ids.filter(id => !helped.includes(id) && isWrong(id))
  const closed = await callTool(server, agent, 'close_task', {
    task: key,
    resolution: 'The cause is mended.',
    met: [1],
    ...(helped.length > 0 && { helped }),
    ...(wrong.length > 0 && { wrong })
  })
  if (closed.isError) throw new Error(closed.text)
  const { reopened } = NOISE
  const probability = rank >= 0 ? reopened.used : isMisled ? reopened.misled : reopened.neither
  if (chance('reopened', n, round) < probability) await send(server, `/v1/issues/${key}`, { state: 'Todo' })
}

const start = (folder: string, values: Readonly<Record<string, number>>) =>
  startProcess({
    TRACKER_DATA_DIR: folder,
    TRACKER_ADMIN_TOKEN: admin,
    MCP_RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    TRACKER_PLUGINS__EMBEDDINGS__ENABLED: 'false',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'replaced-constants.ts')}`,
    REPLACED_CONSTANTS: JSON.stringify({ file: RANKING, values })
  })

async function measure(bank: Bank, groups: readonly Group[]): Promise<Result[]> {
  const results: Result[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const result: Result = { tasks: 0, served: 0, used: 0, misleading: 0, reciprocalRanks: 0 }
    for (let from = 0; from < groups.length; from += AGENTS) {
      const some = groups.slice(from, from + AGENTS)
      await Promise.all(some.map((group, n) => work(bank, group, from + n, round, result)))
    }
    await untilIndexed(bank.server)
    results.push(result)
  }
  return results
}

const archived = globSync('*.jsonl.gz', { cwd: options.corpus })
  .sort()
  .flatMap(name => linesOf(join(options.corpus!, name)).map(line => JSON.parse(line) as Archived))
const groups = groupsOf(options.corpus, new Map(archived.map(issue => [issue.id, issue]))).slice(0, GROUPS)
const inGroups = new Set(groups.flatMap(({ original, duplicates }) => [original, ...duplicates].map(({ id }) => id)))
const others = archived.filter(({ id }, n) => n % 40 === 0 && !inGroups.has(id))
const entries = entriesOf(groups, others)
const folder = await mkdtemp(join(tmpdir(), 'knowledge-'))
try {
  const filled = join(folder, 'filled')
  const filling = await start(filled, {})
  const bank = await fill(filling, entries)
  await filling.end('SIGTERM')
  console.log(`${groups.length} groups of duplicates, ${entries.length} entries, ${ROUNDS} rounds`)
  console.log('ranking'.padEnd(20) + ['round', 'served', 'used', 'share', 'misled', 'MRR'].map(pad).join(''))
  for (const [n, [name, values]] of Object.entries(WAYS).entries()) {
    if (options.only !== undefined && !options.only.split(',').includes(name)) continue
    const own = join(folder, String(n))
    await cp(filled, own, { recursive: true })
    const server = await start(own, values)
    const results = await measure({ ...bank, server }, groups)
    await server.end('SIGTERM')
    await rm(own, { recursive: true })
    for (const [round, { tasks, served, used, misleading, reciprocalRanks }] of results.entries()) {
      const shares = [used / served, misleading / tasks, reciprocalRanks / tasks].map(share => share.toFixed(3))
      const cells = [String(round + 1), (served / tasks).toFixed(2), (used / tasks).toFixed(3), ...shares]
      console.log(name.padEnd(20) + cells.map(pad).join(''))
    }
  }
} finally {
  await rm(folder, { recursive: true })
}
