import t, { type Test } from 'tap'
import { NARROW, needsChromium, startBrowser, tooWide } from '../../../test/runner/chromium.ts'

const shots = process.env['UI_SCREENSHOTS']
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)
const ADDRESS = `https://example.org/${'a-long-path/'.repeat(12)}`
const CODE = `const text = '${'a long line of code '.repeat(20)}'`
const row = (cell: string) => `|${` ${cell} |`.repeat(12)}\n`
const TABLE = `${row('Column')}${row('---')}${row('some words')}`
const TEXT = [
  WORD,
  `\`${WORD}\` **${WORD}** ${ADDRESS}`,
  `# ${WORD}`,
  `- [ ] ${WORD}\n  1. ${WORD}`,
  `> > ${WORD}`,
  `\`\`\`js\n${CODE}\n\`\`\``,
  TABLE,
  `<details open>\n<summary>${WORD}</summary>\n\n${TABLE}\n\`\`\`\n${CODE}\n\`\`\`\n\n</details>`,
  `> [!NOTE]\n> ${WORD}\n>\n> ${TABLE.replaceAll('\n', '\n> ')}`,
  `a[^1]\n\n[^1]: ${WORD}`,
  `![${WORD}](https://images.example/${'x'.repeat(200)}.png)`,
  `<div class="${WORD}">`
].join('\n\n')

t.test('at 320 px no page scrolls sideways', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t)
  const { id: teamId } = await server.ok<{ id: string }>('/v1/teams', {
    body: { identifier: 'ABCDEFGHIJ', name: WORD.slice(0, 100) }
  })
  const labels = await server.ok<Array<{ id: string }>>('/v1/labels')
  const file = (fields: object) =>
    server.ok<{ id: string; key: string }>('/v1/issues', {
      body: { teamId, title: `${WORD} with a long title`, labelIds: labels.slice(0, 3).map(({ id }) => id), ...fields }
    })
  const { key } = await file({ descriptionMarkdown: TEXT, subIssues: [{ title: WORD }], priority: 1 })
  const gone = await file({})
  await server.ok(`/v1/issues/${gone.id}`, { method: 'DELETE' })
  const { token } = await server.agent(WORD.slice(0, 60))
  const comment = { bodyMarkdown: TEXT, question: { options: [WORD.slice(0, 80), 'No'] } }
  await server.ok(`/v1/issue_comments?issueId=${key}`, { token, body: comment })
  await server.ok('/v1/knowledge', { body: { content: TEXT.slice(0, 500) } })
  const name = WORD.slice(0, 60)
  await server.ok('/v1/labels', { body: { name, color: '#aa5500' } })
  await server.ok(`/v1/${teamId}/workflows`, { body: { name, category: 'STARTED' } })
  await server.ok('/v1/issue_templates', { body: { teamId, name, title: WORD } })
  const page = await openSignedIn(NARROW)

  async function check(t: Test, path: string, shown: string): Promise<void> {
    await page.goto(`${url}${path}`)
    await page.getByText(shown).first().waitFor()
    t.strictSame(await tooWide(page), [], path)
    if (shots) await page.screenshot({ path: `${shots}/narrow${path.replaceAll('/', '-')}.png` })
  }
  await check(t, `/issue/${key}`, 'Reply')
  await check(t, '/issues', 'with a long title')
  await check(t, '/inbox', WORD)
  await check(t, '/knowledge', WORD)
  await check(t, '/settings', 'People')
  await check(t, '/settings/trash', 'with a long title')
  await check(t, '/settings/teams', 'Add state')
  await check(t, '/settings/labels', 'New label')
  await check(t, '/settings/templates', 'New template')
  await check(t, '/board', 'with a long title')

  await page.setViewportSize({ width: 390, height: 760 })
  await t.test('the tab of the settings that is open is in sight', async t => {
    await check(t, '/settings/plugins', 'The operator of the server')
    const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Plugins' })
    await tab.waitFor()
    const box = await tab.boundingBox()
    t.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  })

  await t.test('at 390 px a state that can be dragged takes one line', async t => {
    await check(t, '/settings/teams', 'Add state')
    const states = page.getByRole('list', { name: 'States of ABCDEFGHIJ' }).getByRole('listitem')
    const dragged = states.filter({ has: page.locator('[data-handle]') }).first()
    const tops = async (role: 'combobox' | 'button') => (await dragged.getByRole(role).last().boundingBox())?.y
    const [category = 0, menu = 100] = [await tops('combobox'), await tops('button')]
    t.ok(Math.abs(category - menu) < 20, `${category} ${menu}`)
  })
})
