import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { examplesIn, listedTools, problemsOf, type Surface } from '../../../test/guide-text.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

/** Agents have the instruction file in their context all the time. */
const MAX_INSTRUCTION_TOKENS = 800
const INDEX = '/.well-known/agent-skills/'
const PLUGINS = ['workspace', 'agents', 'issues', 'mcp', 'skills']
interface Index {
  $schema: string
  skills: Array<{ name: string; type: string; description: string; url: string; digest: string }>
}

let server: TestServer
t.before(async () => {
  server = await testServer({ settings: { plugins: { delegation: { runner: { command: ['true'] } } } } })
})
t.teardown(() => server.close())
const get = (path: string, headers: Record<string, string> = {}) => server.call(path, { token: null, headers })

t.test('an index lists three guides, which are what it says', async t => {
  const answer = await get(INDEX)
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': /^application\/json/,
    'access-control-allow-origin': '*',
    'cache-control': /./
  })
  t.equal((await get(`${INDEX}index.json`)).body, answer.body)
  const index = answer.json<Index>()
  t.equal(index.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  t.strictSame(
    index.skills.map(({ name }) => name),
    ['working-tracker-issues', 'working-tracker-knowledge', 'delegating-tracker-work']
  )
  for (const { name, type, description, url, digest } of index.skills) {
    t.equal(type, 'skill-md')
    t.equal(url, `${name}/SKILL.md`, 'relative, so that it holds behind a proxy prefix')
    const guide = await get(INDEX + url)
    t.equal(guide.headers['content-type'], 'text/markdown; charset=utf-8')
    t.equal(
      digest,
      `sha256:${createHash('sha256').update(guide.rawPayload).digest('hex')}`,
      'the digest of the served bytes'
    )
    t.ok(guide.body.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n\n# `))
    t.ok(description.length <= 1024)
    const lines = guide.body.split('\n').length
    t.ok(lines <= 220, `it is short: ${lines} lines`)
  }
})

t.test('the three guides are there without a runner, too, but nothing leads to delegation', async t => {
  const plain = await testServer()
  t.teardown(() => plain.close())
  const { skills } = await plain.ok<Index>(INDEX, { token: null })
  t.strictSame(
    skills.map(({ name }) => name),
    ['working-tracker-issues', 'working-tracker-knowledge', 'delegating-tracker-work']
  )
  t.notMatch((await plain.call(`${INDEX}working-tracker-issues/SKILL.md`)).body, /delegate_task/)
})

t.test('the rules in short are an instruction file, under two names', async t => {
  const [vendor, generic] = [await get('/v1/agent-skill/CLAUDE.md'), await get('/v1/agent-skill/AGENTS.md')]
  t.equal(vendor.body, generic.body)
  t.match(generic.headers, { 'content-type': 'text/markdown; charset=utf-8', 'access-control-allow-origin': '*' })
  t.match(generic.body, /^<!-- tracker:begin -->\n# [^]*[^\n]\n<!-- tracker:end -->\n$/, 'between markers')
  t.equal(generic.body.match(/^#+ /gm)?.length, 1, 'one section, to be appended to what is there')
  t.ok(countTokens(generic.body) <= MAX_INSTRUCTION_TOKENS, String(countTokens(generic.body)))
})

t.test(
  'the instruction file stands for itself: it names no guide, only tools and arguments that are there',
  async t => {
    const { body } = await get('/v1/agent-skill/AGENTS.md')
    t.notMatch(body, /guide|working-tracker|skill/i)
    const surface = {
      tools: await listedTools(server, 'all'),
      document: await server.ok<Surface['document']>('/openapi.json'),
      guides: []
    }
    t.strictSame(problemsOf(body, surface), [])
    t.ok(examplesIn(body).length > 5)
  }
)

t.test('appended again as docs/guides.md says, it takes the place of the older one', async t => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const page = await readFile(new URL('../../../docs/guides.md', import.meta.url), 'utf8')
  const commands = /^ {4}touch AGENTS\.md\n(?: {4}.*\n)+/m.exec(page)?.[0].replaceAll(/:\d+(?=\/)/g, `:${port}`)
  const dir = t.testdir({ 'AGENTS.md': '# Mine\n' })
  for (let times = 0; times < 2; times++) await promisify(execFile)('sh', ['-c', commands!], { cwd: dir })
  const text = await readFile(`${dir}/AGENTS.md`, 'utf8')
  t.equal(text, `# Mine\n${(await get('/v1/agent-skill/AGENTS.md')).body}`)
})

t.test('HEAD and conditional requests', async t => {
  for (const path of [
    INDEX,
    `${INDEX}index.json`,
    `${INDEX}delegating-tracker-work/SKILL.md`,
    '/v1/agent-skill/AGENTS.md'
  ]) {
    const {
      headers: { etag = '' },
      body,
      rawPayload
    } = await get(path)
    t.match(etag, /^"\S+"$/)
    const head = await server.app.inject({ method: 'HEAD', url: path })
    t.match(
      { status: head.statusCode, body: head.body, headers: head.headers },
      {
        status: 200,
        body: '',
        headers: { etag, 'content-length': String(rawPayload.length), 'access-control-allow-origin': '*' }
      }
    )
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await get(path, { 'if-none-match': match })
      t.match(
        { status: unchanged.statusCode, body: unchanged.body, headers: unchanged.headers },
        { status: 304, body: '', headers: { etag, 'cache-control': /no-cache/, 'access-control-allow-origin': '*' } },
        match
      )
    }
    t.equal((await get(path, { 'if-none-match': '"other"' })).body, body)
  }
})

t.test('an unknown path is a 404 that lists the existing ones', async t => {
  for (const path of [
    'nothing/SKILL.md',
    '../SKILL.md',
    '%2e%2e%2fissues/SKILL.md',
    'working-tracker-issues/10-find.md',
    'working-tracker-issues/SKILL.md/',
    `${'x'.repeat(400)}/SKILL.md`,
    '%00/SKILL.md',
    '%/SKILL.md'
  ]) {
    const { statusCode } = await get(INDEX + path)
    t.ok(statusCode === 404 || (statusCode === 400 && path.includes('%')), `${statusCode} ${path.slice(0, 40)}`)
  }
  t.match((await get(`${INDEX}nothing/SKILL.md`)).json(), {
    code: 'NOT_FOUND',
    message: /no guide 'nothing'; there are: working-tracker-issues, /
  })
  t.match((await get('/v1/agent-skill/claude.md')).json(), {
    statusCode: 404,
    message: /there are: CLAUDE\.md, AGENTS\.md/
  })
  t.equal((await server.call(INDEX, { body: {} })).statusCode, 404)
})

t.test('the API’s document has them', async t => {
  const { paths } = await server.ok<{
    paths: Record<string, { get: { security?: object; responses: { 200: { content: object } } } }>
  }>('/openapi.json')
  for (const path of [INDEX, `${INDEX}index.json`]) {
    t.match(paths[path]?.get.responses[200].content, { 'application/json': Object })
  }
  for (const path of [`${INDEX}{name}/SKILL.md`, '/v1/agent-skill/{file}']) {
    t.match(paths[path]?.get.responses[200].content, { 'text/markdown': Object })
  }
  t.equal(paths[INDEX]?.get.security, undefined)
})

t.test('guides come and go with their plugins', async t => {
  const few = await testServer({ plugins: PLUGINS })
  t.teardown(() => few.close())
  t.strictSame(
    (await few.ok<Index>(INDEX)).skills.map(({ name }) => name),
    ['working-tracker-issues']
  )
  const text = (await few.call('/v1/agent-skill/AGENTS.md')).body
  t.match(text, /pick_up_task/)
  t.notMatch(text, /close_task|search_tasks|create_project|load_context|delegate_task/, 'a part goes with its tools')

  const none = await testServer({ plugins: ['workspace', 'mcp', 'skills'] })
  t.teardown(() => none.close())
  t.strictSame((await none.ok<Index>(INDEX)).skills, [])
  t.equal((await none.call('/v1/agent-skill/AGENTS.md')).statusCode, 404)
})

t.test('a deployer can ask for a token', async t => {
  const closed = await testServer({ plugins: PLUGINS, settings: { plugins: { skills: { public: false } } } })
  t.teardown(() => closed.close())
  const paths = [INDEX, `${INDEX}index.json`, `${INDEX}working-tracker-issues/SKILL.md`, '/v1/agent-skill/CLAUDE.md']
  const { token } = await closed.agent('Reader', ['read'])
  for (const path of paths) {
    t.equal((await closed.call(path, { token: null })).statusCode, 401)
    t.match((await closed.call(path, { token })).headers, { 'cache-control': /private/ })
  }
})

t.test('behind a proxy prefix', async t => {
  const prefixed = await testServer({ plugins: PLUGINS, settings: { prefix: '/api' } })
  t.teardown(() => prefixed.close())
  const index = await prefixed.ok<Index>(`/api${INDEX}`, { token: null })
  const url = new URL(index.skills[0]!.url, `http://localhost/api${INDEX}`)
  t.equal((await prefixed.call(url.pathname, { token: null })).statusCode, 200)
})
