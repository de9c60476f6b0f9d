import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { generatorCheckout } from './runner/generator-checkout.ts'

/** An optional field `minutes` changes three files: by file, the texts that are replaced. */
const MINUTES: Record<string, Record<string, string>> = {
  'context.ts': {
    'import type { Static }': 'import { Type, type Static }',
    'text: Line(500)': 'text: Line(500), minutes: Type.Optional(Type.Integer({ minimum: 1 }))'
  },
  'migrations/001_release_notes.ts': { 'text text not null,': 'text text not null, minutes integer,' },
  'ui/index.tsx': {
    'id: string; text: string': 'id: string; text: string; minutes?: number',
    'map(({ id, text })': 'map(({ id, text, minutes })',
    '<li key={id}>{text}</li>': '<li key={id}>{text} {minutes}</li>'
  }
}
/** Every place that has the field then. */
const MINUTES_TEST = `import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { carryOver } from '../../../test/transfer.ts'

t.test('minutes', async t => {
  const plugins = ['workspace', 'events', 'issues', 'mcp', 'transfer', 'releaseNotes']
  const [server, other] = [await testServer({ plugins }), await testServer({ plugins })]
  t.teardown(() => Promise.all([server.close(), other.close()]))
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Task' } })
  const path = '/v1/release_notes?issueId=' + key
  t.match(await server.ok(path, { body: { text: 'a', minutes: 5 } }), { minutes: 5 })
  await (await mcpAgent(server)).ok('add_release_notes_entry', { task: key, text: 'b', minutes: 7 })
  t.notHas(await server.ok(path, { body: { text: 'c' } }), { minutes: Number })
  t.equal((await server.call(path, { body: { text: 'd', minutes: 0 } })).statusCode, 400)
  t.match(await server.ok(path), [{ minutes: 5 }, { minutes: 7 }, { text: 'c' }])
  t.match(await server.ok('/v1/events?types=release_notes.added'), { events: [{ data: { minutes: 5 } }] })
  const { before, after } = await carryOver(server, other, 'releaseNotes')
  t.match(before, [{ minutes: 5 }, { minutes: 7 }, { text: 'c' }])
  t.strictSame(after, before)
})

t.test('the panel', needsChromium, async t => {
  const plugins = ['workspace', 'issues', 'passwords', 'events', 'ui', 'releaseNotes']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Task' } })
  await server.ok('/v1/release_notes?issueId=' + key, { body: { text: 'a', minutes: 5 } })
  const page = await openSignedIn()
  await page.goto(url + '/issue/' + key)
  await page.getByRole('listitem').filter({ hasText: 'a 5' }).waitFor()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('From the panel')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'From the panel' }).waitFor()
})
`

const skip = process.env['TEST_DATABASE_URL'] ? 'the same on either database' : false

t.test('a generated plugin breaks no test of another, and takes a field in one place', { skip }, async t => {
  const { copy, shell } = generatorCheckout(t)
  await shell('npm run new-plugin release-notes && npm run generate')

  // A tool with a long description, for its own budget.
  const tools = join(copy, 'plugins/release-notes/routes.ts')
  writeFileSync(tools, readFileSync(tools, 'utf8').replace('Add an entry', `Add an entry ${'and more '.repeat(120)}`))
  // In one process: each would load and compile everything again.
  const others = [
    'plugins/mcp/test/every-tool.test.ts',
    'plugins/skills/test/guides.test.ts',
    'test/statements.test.ts',
    'test/events.test.ts',
    'test/locks.test.ts',
    'test/run-tokens.test.ts',
    'test/catalogue.test.ts'
  ]
  writeFileSync(join(copy, 'test/others.test.ts'), others.map(file => `await import('../${file}')\n`).join(''))
  const { stdout: results } = await shell('tap test/others.test.ts')
  // One of test/statements.test.ts and two of test/locks.test.ts need PostgreSQL.
  t.match(results, /# \{ total: \d{3,}, pass: \d{3,}, skip: 3 \}/, 'no test of another plugin fails because of it')
  t.notMatch(results, /not ok/)

  for (const [file, changes] of Object.entries(MINUTES)) {
    for (const [before, after] of Object.entries(changes)) replaceIn(copy, file, before, after)
  }
  const added = 'plugins/release-notes/test/minutes.test.ts'
  writeFileSync(join(copy, added), MINUTES_TEST)
  await shell('npm run types')
  t.notMatch((await shell(`tap ${added}`)).stdout, /not ok/, 'the field is in each place at once')
})

function replaceIn(copy: string, file: string, before: string, after: string): void {
  const path = join(copy, 'plugins/release-notes', file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(before)) throw new Error(`${file} has no ${before}`)
  writeFileSync(path, text.replace(before, after))
}
