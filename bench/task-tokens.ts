import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'
import { labelsOf, linesOf, titleOf, type Archived } from './archive.ts'
import { callTool, makeClient } from './client.ts'
import { NO_INDEXING } from './load.ts'

/*
 * `npm run bench:task-tokens -- --corpus DIR [--tasks 200]`: the tokens of the tools' answers for whole tasks on real
 * issues (list, get, pick up, tick, note, close), and of a list of 50 rows.
 */
const { values: options } = parseArgs({
  options: { corpus: { type: 'string' }, tasks: { type: 'string', default: '200' } }
})
if (options.corpus === undefined) throw new Error('Name a folder of .jsonl.gz archives: --corpus DIR.')
const TASKS = Number(options.tasks)
/** Issues of one request. */
const BULK_SIZE = 50
/** The archives have no criteria. Before the description, whose code may be without an end. */
const CRITERIA = '- [ ] It works as described.\n- [ ] A test shows it.\n\n'
const token = newToken()

/** Issues in equal distances over all archives, so that every run measures the same ones. */
function sampleOf(folder: string): Archived[] {
  const lines = globSync('*.jsonl.gz', { cwd: folder })
    .sort()
    .flatMap(name => linesOf(join(folder, name)))
  const distance = Math.floor(lines.length / TASKS)
  return Array.from({ length: TASKS }, (_, n) => JSON.parse(lines[n * distance]!) as Archived)
}

const tokensOf = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

const database = await emptyDatabase(undefined)
const server = await startProcess({
  ...database.env,
  TRACKER_ADMIN_TOKEN: token,
  LOG_LEVEL: 'error',
  MCP_RATE_LIMIT: '0',
  ...NO_INDEXING
})

const send = makeClient(token)

/** @returns the text of a tool's answer */
async function tool(by: string, name: string, args: object): Promise<string> {
  const { isError, text } = await callTool(server, by, name, args)
  if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`)
  return text
}

/** Files the issues with their labels and comments. @returns their keys */
async function fileAll(issues: readonly Archived[]): Promise<string[]> {
  const known = new Set(['bug', 'feature', 'docs'])
  for (const name of issues.flatMap(labelsOf)) {
    if (!known.has(name.toLowerCase())) await send(server, '/v1/labels', { name })
    known.add(name.toLowerCase())
  }
  const keys: string[] = []
  for (let from = 0; from < issues.length; from += BULK_SIZE) {
    const answer = await send<{ issues: Array<{ key: string }> }>(server, '/v1/issues/bulk', {
      issues: issues.slice(from, from + BULK_SIZE).map(issue => ({
        teamId: 'ENG',
        title: titleOf(issue),
        descriptionMarkdown: CRITERIA + (issue.description ?? ''),
        labels: labelsOf(issue)
      }))
    })
    keys.push(...answer.issues.map(({ key }) => key))
  }
  for (const [n, { comments = [] }] of issues.entries()) {
    for (const { body } of comments.filter(({ body }) => body.trim() !== '')) {
      await send(server, `/v1/issue_comments?issueId=${keys[n]}`, { bodyMarkdown: body })
    }
  }
  return keys
}

/** Does a task as the guides say. @returns the tokens of each answer */
async function work(by: string, task: string): Promise<Record<string, number>> {
  const steps: ReadonlyArray<[string, string, object]> = [
    ['list', 'list_tasks', {}],
    ['get', 'get_task', { task }],
    ['pick up', 'pick_up_task', { task }],
    ['tick', 'update_task', { task, met: [1] }],
    ['note', 'add_note', { task, note: 'The cause is known; a test shows it.' }],
    ['close', 'close_task', { task, resolution: 'The cause is mended, and a test keeps it so.', met: [2] }]
  ]
  const tokens: Record<string, number> = {}
  for (const [step, name, args] of steps) tokens[step] = tokensOf(await tool(by, name, args))
  return tokens
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

try {
  const issues = sampleOf(options.corpus)
  const keys = await fileAll(issues)
  const { token: by } = await send<{ token: string }>(server, '/v1/users/agents', { name: 'Agent' })
  const rows = await tool(by, 'list_tasks', { limit: 50 })
  const tasks: Array<Record<string, number>> = []
  for (const key of keys) tasks.push(await work(by, key))
  const wholes = tasks.map(steps => Object.values(steps).reduce((sum, tokens) => sum + tokens, 0))
  console.log(`${TASKS} tasks: tokens (o200k_base) of the tools' answers`)
  console.log(`${'step'.padEnd(12)}${'median'.padStart(8)}${'p90'.padStart(8)}`)
  const line = (what: string, values: readonly number[]) =>
    console.log(
      what.padEnd(12) + String(percentile(values, 0.5)).padStart(8) + String(percentile(values, 0.9)).padStart(8)
    )
  for (const step of Object.keys(tasks[0] ?? {})) {
    line(
      step,
      tasks.map(steps => steps[step] ?? 0)
    )
  }
  line('whole task', wholes)
  console.log(`50 rows     ${String(tokensOf(rows)).padStart(8)}`)
  console.log(`a row: ${JSON.stringify((JSON.parse(rows) as { tasks: object[] }).tasks[0])}`)
} finally {
  await server.end('SIGTERM')
  await database.remove()
}
