import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  assertAccessibleInSchemes,
  NARROW,
  needsChromium,
  showEmptyProperties,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'passwords', 'usage', 'events', 'ui']
const PICKERS = 'button[role=combobox]:visible'

/** Opens each picker of a page, one after the other. @returns their names */
async function openEach(t: Test, page: Page, where: string): Promise<string[]> {
  const buttons = await page.locator(PICKERS).all()
  const labels = await Promise.all(buttons.map(async button => (await button.getAttribute('aria-label'))!))
  for (const label of labels) {
    await page.getByRole('combobox', { name: label, exact: true }).tap()
    const dialog = page.getByRole('dialog', { name: label, exact: true })
    await dialog.waitFor()
    await assertAccessibleInSchemes(t, page, `the picker ${label} ${where}`, `narrow ${where} ${label}`)
    const { x, y, width, height } = (await dialog.boundingBox())!
    t.strictSame([x, width, y + height], [0, 320, 640], `${label} is a sheet at the bottom`)
    t.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 320)
    await dialog.getByRole('button', { name: 'Done' }).tap()
    await dialog.waitFor({ state: 'detached' })
  }
  return labels
}

t.test('axe finds nothing in any picker at 320 px, in both schemes', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const labels = await server.ok<Array<{ id: string }>>('/v1/labels')
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  await server.ok('/v1/projects', { body: { name: 'Launch' } })
  const span = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-14T00:00:00.000Z' }
  await server.ok('/v1/cycles', { body: { name: 'Sprint', teamId: 'ENG', ...span } })
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: {
      ...{ teamId: 'ENG', title: 'Looked at', dueDate: '2026-01-02', estimate: 3, labelIds: [labels[0]!.id] },
      subIssues: [{ title: 'A part' }]
    }
  })
  const page = await session.openSignedIn(NARROW)

  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('combobox', { name: 'Status', exact: true }).waitFor()
  await showEmptyProperties(page)
  await page.getByRole('button', { name: 'Add a relation' }).tap()
  await page.getByRole('combobox', { name: 'This issue' }).waitFor()
  const ofIssue = await openEach(t, page, 'of an issue')
  for (const label of [
    'Status',
    'Assignee',
    'Priority',
    'Labels',
    'Due date',
    'Estimate',
    'Project',
    'Cycle',
    'Parent',
    'Team'
  ]) {
    t.ok(ofIssue.includes(label), label)
  }
  t.ok(ofIssue.includes('Order of the activity') && ofIssue.includes('This issue'), 'choices, too')

  await page.goto(`${url}/board`)
  await page.getByRole('combobox', { name: 'Team', exact: true }).waitFor()
  t.ok((await openEach(t, page, 'of the board')).includes('Team'))
})
