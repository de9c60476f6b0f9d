import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { newToken } from '../core/auth/tokens.ts'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'
import { readOptions } from './read-options.ts'

/*
 * `npm run request-files [-- --functions]`: the files of the project whose functions a warm request calls, by V8's
 * coverage. It runs on an embedded database of its own, in memory.
 */
const { values: options } = readOptions('npm run request-files [-- --functions]', {
  options: { functions: { type: 'boolean', default: false } }
})
const WARM_UP = 20
const RUNS = 3
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const token = newToken()
const OFF_BY_DEFAULT = ['embeddings', 'oidc', 'oauth']
const plugins = {
  ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: !OFF_BY_DEFAULT.includes(name) }])),
  workspace: { enabled: true, adminToken: token }
}
const server = await build({
  configuration: await configure(installed, { plugins }),
  database: { dataDir: undefined },
  logger: pino({ level: 'silent' })
})
try {
  await server.start()
  await trace()
} finally {
  await server.close()
}

async function trace(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const { key } = (await send('/v1/issues', { title: 'The issue that is read', team: 'ENG' })) as { key: string }
  let n = 0
  const requests: Record<string, () => Promise<unknown>> = {
    [`GET /v1/issues/${key}/context`]: () => send(`/v1/issues/${key}/context`),
    get_task: () => callTool('get_task', { task: key }),
    'GET /v1/search': () => send('/v1/search?query=issue'),
    'POST /v1/issues': () =>
      send('/v1/issues', {
        title: `Issue ${n++}`,
        team: 'ENG',
        descriptionMarkdown: `The list shows nothing when it is empty.\n\n- [ ] It says what to do first.\n`
      })
  }
  for (const [name, request] of Object.entries(requests)) {
    for (let i = 0; i < WARM_UP; i++) await request()
    const runs: CalledFile[][] = []
    while (runs.length < RUNS) {
      await new Promise(resolve => setTimeout(resolve, 500)) // what earlier requests have begun in the background
      runs.push(await filesOf(session, request))
    }
    // A file that only some of the runs entered is one of the background jobs.
    print(
      name,
      runs[0]!.filter(({ file }) => runs.every(files => files.some(other => other.file === file)))
    )
  }
  session.disconnect()
}

interface CalledFile {
  file: string
  /** Names and counts of calls. */
  functions: string[]
}
async function filesOf(session: Session, request: () => Promise<unknown>): Promise<CalledFile[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await request()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(`file://${ROOT}`) && !url.includes('/node_modules/'))
    .map(({ url, functions }) => ({
      file: fileURLToPath(url).slice(ROOT.length),
      functions: functions
        .filter(({ ranges }) => ranges[0]!.count > 0)
        .map(({ functionName, ranges }) => `${functionName || 'anonymous'} x${ranges[0]!.count}`)
    }))
    .filter(({ file, functions }) => functions.length > 0 && !file.startsWith('scripts/'))
    .toSorted((a, b) => a.file.localeCompare(b.file))
}

function print(name: string, files: readonly CalledFile[]): void {
  const total = files.reduce((sum, { functions }) => sum + functions.length, 0)
  console.log(`\n## ${name}: ${files.length} files, ${total} functions`)
  for (const { file, functions } of files) console.log(options.functions ? `${file}: ${functions.join(', ')}` : file)
}

async function send(url: string, payload?: object): Promise<unknown> {
  const answer = await server.app.inject({
    url,
    method: payload ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload })
  })
  if (answer.statusCode >= 400) throw new Error(`${url}: ${answer.body}`)
  return answer.json()
}

async function callTool(name: string, input: object): Promise<void> {
  const params = { name, arguments: input }
  const answer = await server.app.inject({
    url: '/v1/mcp',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  })
  if (answer.statusCode !== 200 || answer.body.includes('"error"')) throw new Error(`${name}: ${answer.body}`)
}
