import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { cleanLine, forceLine, lineProblem } from '../line.ts'

let server: TestServer
t.before(async () => {
  server = await testServer()
})
t.teardown(() => server.close())

const projectBody = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-02-01T00:00:00.000Z', teamId: 'ENG' }
/** Requests that take a line of text: path, field, other fields, and the line's place in the answer. */
const LINES = [
  ['/v1/users', 'fullname', () => ({ email: `${Math.random()}@example.org` })],
  ['/v1/users/agents', 'name', () => ({})],
  ['/v1/users/pat', 'name', () => ({})],
  ['/v1/issues', 'title', () => ({ teamId: 'ENG' })],
  ['/v1/teams', 'name', () => ({ identifier: `T${Math.floor(Math.random() * 1e8)}` })],
  ['/v1/labels', 'name', () => ({})],
  ['/v1/projects', 'name', () => ({})],
  ['/v1/cycles', 'name', () => projectBody]
] as const

t.test('a line is stored trimmed, in NFC, and without what shows nothing', async t => {
  for (const [path, field, others] of LINES) {
    const sent = { ...others(), [field]: `  Zoe\u0301 ${path}\u200B\u00AD ` }
    const answer = await server.ok<Record<string, unknown>>(path, { body: sent })
    t.equal(answer[field] ?? answer['fullname'], `Zo\u00E9 ${path}`, path)
  }
})

t.test('what commands a terminal, turns text or is no text is refused, and the field is named', async t => {
  for (const [path, field, others] of LINES) {
    for (const [text, what] of [
      ['red \u001B[31m', 'U\\+001B at character 5'],
      ['\u0007', 'U\\+0007 at character 1'],
      ['two\nlines', 'U\\+000A at character 4'],
      ['Admin\u202Enimda', 'direction of text: remove U\\+202E'],
      ['tag \u{E0041}', 'tags'],
      ['a\uFFFEb', 'no characters']
    ] as const) {
      const answer = await server.call(path, { body: { ...others(), [field]: text } })
      t.equal(answer.statusCode, 400, `${path} ${JSON.stringify(text)}`)
      t.match(answer.json(), { code: 'VALIDATION', field, message: new RegExp(`^body\\.${field} .*${what}`) })
    }
    for (const text of ['', ' ', '\u200B', '\u3164', '\u2800\u00A0', '\u200D\uFEFF']) {
      const answer = await server.call(path, { body: { ...others(), [field]: text } })
      t.match(answer.json(), { statusCode: 400, field, message: `body.${field} must not be empty.` })
    }
    const body = JSON.stringify({ ...others(), [field]: 'a?' }).replace('a?', String.raw`a\ud800`)
    const answer = await server.call(path, { body })
    t.equal(answer.statusCode, 400, `${path} with half a character`)
  }
})

t.test('tools refuse what REST refuses, and store what REST stores', async t => {
  const agent = await mcpAgent(server, (await server.agent('Tester')).token)
  const task = { team: 'ENG', description: 'It shows nothing at all.', acceptanceCriteria: ['it shows a name'] }
  const refusal = await agent.refused('create_task', { ...task, title: 'red \u001B[31m' })
  t.match(refusal, /title must not contain control characters or line breaks: remove U\+001B at character 5/)
  t.match(await agent.refused('create_task', { ...task, title: '\u200B' }), /title must not be empty/)
  const title = ' Zoe\u0301\u200B '
  const newTask = await agent.ok<{ key: string }>('create_task', { ...task, title, labels: [' bu\u00ADG '] })
  t.match(await server.ok(`/v1/issues/${newTask.key}/context`), { title: 'Zo\u00E9', labels: [{ name: 'Bug' }] })
})

t.test('joiners and selectors stay where they choose what is seen', async t => {
  const emoji = ['👩‍👩‍👧 family', '🏳️‍🌈', '👩🏽‍🚀', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤︎']
  const letters = ['می‌خواهم', 'क्‍ष', 'ന്‍', 'র‍্য', '葛󠄀城', 'ᠠ᠋']
  for (const text of [...emoji, ...letters]) {
    const { title } = await server.ok<{ title: string }>('/v1/issues', { body: { teamId: 'ENG', title: text } })
    t.equal(title, text)
  }
  for (const [text, seen] of [
    ['Ad\u200Dmin', 'Admin'],
    ['Ad\u200Cmin', 'Admin'],
    ['x\uFE0Fy', 'xy'],
    ['❤\uFE0F\uFE0F\u{E0100}', '❤\uFE0F'],
    ['😀\u200D', '😀']
  ] as const) {
    t.equal(cleanLine(text), seen)
  }
})

t.test('a line of another system loses what is refused, and nothing else', async t => {
  t.equal(forceLine('a\u001B[31mb\u202E\tc\r\nd '), 'a[31mb c d')
  t.equal(forceLine('🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{E0041}'), '🏴󠁧󠁢󠁥󠁮󠁧󠁿')
  for (const text of [forceLine('a\u0085b\ud800'), forceLine('\u0007\uFFFF'), '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) {
    t.equal(lineProblem(text), undefined)
    t.equal(forceLine(text), text)
  }
})
