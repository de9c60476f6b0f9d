import type { Locator } from 'playwright-core'
import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'delegation', 'passwords', 'events', 'ui']

t.test('the page of an issue on paper: what is written, and nothing to press', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const descriptionMarkdown = 'It breaks.\n\n- [x] shown\n- [ ] fixed\n\n```ts\nconst value = 1\n```'
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'The export', priority: 1, descriptionMarkdown }
  })
  await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'It did so before.' } })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const isVisible = (role: 'button' | 'combobox' | 'heading', name: string) =>
    page.getByRole(role, { name, exact: true }).first().isVisible()
  await page.getByText('It did so before.').waitFor()
  t.ok(await isVisible('heading', 'Sub-issues'), 'on a screen')
  await page.emulateMedia({ media: 'print' })
  for (const text of ['It breaks.', 'shown', 'const value = 1', 'It did so before.', 'created the issue']) {
    t.ok(await page.getByText(text).first().isVisible(), text)
  }
  for (const name of ['Status', 'Priority']) t.ok(await isVisible('combobox', name), name)
  for (const name of ['Send', 'Delegate to the agent', `Actions on ${key}`, 'Add a sub-issue', 'Add property']) {
    t.notOk(await isVisible('button', name), name)
  }
  t.notOk(await isVisible('combobox', 'Order of the activity'))
  t.notOk(await isVisible('heading', 'Sub-issues'), 'nothing is in it')
  t.notOk(await page.getByRole('navigation', { name: 'Main navigation' }).isVisible())
  t.notOk(await page.getByRole('textbox', { name: 'Comment' }).isVisible())

  const topOf = async (shown: Locator) => Math.round((await shown.first().boundingBox())!.y)
  const inOrder = [
    page.getByRole('textbox', { name: 'Title' }),
    page.getByRole('combobox', { name: 'Status' }),
    page.getByText('It breaks.'),
    page.getByText('shown'),
    page.getByText('It did so before.')
  ]
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    const tops = await Promise.all(inOrder.map(topOf))
    t.strictSame(
      tops.toSorted((a, b) => a - b),
      tops,
      `title, properties, description, criteria, comments, ${width} pixels wide`
    )
    t.equal(new Set(tops).size, tops.length)
  }

  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'A part', parentId: id } })
  await page.getByRole('list', { name: 'Sub-issues' }).getByText('A part').waitFor()
  t.ok(await isVisible('heading', 'Sub-issues'))
})
