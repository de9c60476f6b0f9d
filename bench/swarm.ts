import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { newToken } from '../core/auth/tokens.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess, type ServerProcess } from '../test/runner/process.ts'
import { callTool, makeClient } from './client.ts'

/*
 * `npm run bench:swarm -- [--database URL] [--agents 16] [--issues 200] [--reads 0] [--whole]`: agents empty a board
 * through the MCP endpoint, following the guides: `pick_up_task {"task": "next"}`, then `close_task`, which ticks the
 * criteria with evidence. Of ten issues four are blocked by another. Between the two an agent reads its task `--reads`
 * times, to see what others have written, by `since`, or with `--whole` without it. To every third task another agent
 * has added a note meanwhile.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    agents: { type: 'string', default: '16' },
    issues: { type: 'string', default: '200' },
    reads: { type: 'string', default: '0' },
    whole: { type: 'boolean', default: false }
  }
})
const AGENTS = Number(options.agents)
const ISSUES = Number(options.issues)
const READS = Number(options.reads)
/** Every third task gets a note by another. */
const NOTED = 3
const BLOCKED_SHARE = 0.4
/** Milliseconds before an agent without a ready task asks again. */
const WAIT_MS = 50
const admin = newToken()

interface Counts {
  calls: number
  tokens: number
  refused: number
  closed: string[]
}
const counts: Counts = { calls: 0, tokens: 0, refused: 0, closed: [] }

const send = makeClient(admin)

/** @returns the tool's answer; undefined when it refuses */
async function tool(server: ServerProcess, token: string, name: string, args: object) {
  const { isError, text, structuredContent } = await callTool(server, token, name, args)
  counts.calls++
  counts.tokens += countTokens(text)
  if (!isError) return structuredContent
  if (name === 'pick_up_task') counts.refused++
  else throw new Error(`${name}: ${text}`)
  return undefined
}

async function fillBoard(server: ServerProcess): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < ISSUES; n++) {
    const isBlocked = n > 0 && n % 10 < BLOCKED_SHARE * 10
    const { id } = await send<{ id: string }>(server, '/v1/issues', {
      teamId: 'ENG',
      title: `The export loses what stands in column ${n}`,
      descriptionMarkdown:
        `Since the new writer, column ${n} is empty in every export, and finance types it in by hand.\n\n` +
        '- [ ] the column is exported\n- [ ] a test exports it\n- [ ] the documentation names it',
      ...(isBlocked && { blockedByIds: [ids[n - 1]] })
    })
    ids.push(id)
  }
}

/** An agent looks at its task again, which another may have written to. */
async function readAgain(server: ServerProcess, token: string, { key, version }: Record<string, unknown>) {
  let since = version
  for (let n = 0; n < READS; n++) {
    if (n === 0 && counts.closed.length % NOTED === 0) {
      await send(server, `/v1/issue_comments?issueId=${key}`, { bodyMarkdown: NOTE })
    }
    const read = await tool(server, token, 'get_task', { task: key, ...(!options.whole && { since }) })
    since = read?.['version']
  }
}
const NOTE = 'Finance sends its file on Friday: the column must be there by then.'

async function work(server: ServerProcess, token: string, session: string): Promise<void> {
  while (counts.closed.length < ISSUES) {
    const task = await tool(server, token, 'pick_up_task', { task: 'next', session })
    if (task === undefined || task['task'] === 'none') {
      await new Promise(resolve => setTimeout(resolve, WAIT_MS))
      continue
    }
    await readAgain(server, token, task)
    const met = [1, 2, 3].map(criterion => ({
      criterion,
      evidence: `test/export.test.ts: column ${criterion} is there`
    }))
    await tool(server, token, 'close_task', {
      task: task['key'],
      met,
      resolution: 'The writer knows the column.',
      session
    })
    counts.closed.push(String(task['key']))
  }
}

const database = await emptyDatabase(options.database)
const server = await startProcess({
  ...database.env,
  TRACKER_ADMIN_TOKEN: admin,
  MCP_RATE_LIMIT: '0',
  LOG_LEVEL: 'error'
})
try {
  await fillBoard(server)
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, (_, n) =>
      send<{ token: string }>(server, '/v1/users/agents', { name: `Agent ${n}` })
    )
  )
  const started = performance.now()
  await Promise.all(agents.map(({ token }, n) => work(server, token, `swarm-${n}`)))
  const seconds = (performance.now() - started) / 1000
  const perTask = (count: number) => (count / ISSUES).toFixed(1)
  const reads = `${READS} further reads${options.whole ? ' of all' : ''}`
  console.log(`${options.database ? 'PostgreSQL' : 'embedded'}: ${AGENTS} agents, ${ISSUES} tasks, ${reads}`)
  console.log(`tasks/s                ${(ISSUES / seconds).toFixed(1)}`)
  console.log(`calls per task         ${perTask(counts.calls)}`)
  console.log(`result tokens per task ${perTask(counts.tokens)}`)
  console.log(`refused pick-ups       ${counts.refused}`)
  console.log(`closed twice           ${counts.closed.length - new Set(counts.closed).size}`)
} finally {
  await server.end('SIGTERM')
  await database.remove()
}
