import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, choose, needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

interface Named {
  id: string
  name: string
}
interface Issue {
  id: string
  key: string
  title: string
  stateId: string
  priority: number
  dueDate: string | null
  projectId: string | null
  milestoneId: string | null
  parentId: string | null
  cycleId: string | null
  teamId: string
  labelIds: string[]
}

t.test('issues are selected and changed together', needsChromium, async t => {
  const session = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'projects', 'passwords', 'trash', 'events', 'ui']
  })
  const { server, url } = session
  const page = await session.openSignedIn()
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const read = ({ id }: Issue) => server.ok<Issue>(`/v1/issues/${id}`)
  const bar = page.getByRole('group', { name: 'Selected issues' })
  const selected = (count: number) => bar.getByText(`${count} selected`, { exact: true }).waitFor()
  const lastChange = (text: string) =>
    page.getByRole('region', { name: 'Last change' }).getByText(text, { exact: true }).waitFor()
  const press = (...keys: string[]) => pressAll(page, keys)

  const issues: Issue[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) issues.push(await file(title))
  const [one, two, three, four, five] = issues as [Issue, Issue, Issue, Issue, Issue]
  const row = ({ key }: Issue) => page.getByRole('link', { name: key })
  const isFocused = ({ key }: Issue) => page.locator(`a:focus[aria-label^='${key} ']`).waitFor()

  await t.test('by ranges, all, and one by one', async t => {
    await page.goto(`${url}/issues?order=number`)
    // The newest is the first.
    await row(five).focus()
    await press('Shift+J', 'Shift+ArrowDown')
    await selected(3)
    await isFocused(three)
    await press('Shift+K')
    await selected(2)
    await press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: `Select ${two.key}` }).check()
    await row(five).click({ modifiers: ['Shift'] })
    await selected(4)
    t.equal(new URL(page.url()).pathname, '/issues')
    await press('Control+a')
    await selected(5)
    await row(one).focus()
    await press('x')
    await selected(4)
  })

  const changed = () => page.waitForResponse(isChange)
  const other = (title: string) =>
    bar
      .getByRole('button', { name: 'Other changes' })
      .click()
      .then(() => page.getByRole('menuitem', { name: title }).click())

  await t.test('by pickers, those of plugins included, and taken back at once', async t => {
    const project = await server.ok<Named>('/v1/projects', { body: { name: 'Lunar' } })
    const body = { projectId: project.id, name: 'Landing' }
    const milestone = await server.ok<Named>('/v1/milestones', { body })
    await page.goto(`${url}/issues?order=number`)
    await row(five).focus()
    await press('Shift+J')
    await selected(2)
    await press('Shift+P')
    let saved = changed()
    await choose(page, 'Project', 'Lunar')
    await saved
    t.strictSame([(await read(five)).projectId, (await read(four)).projectId], [project.id, project.id])
    await other('Milestone…')
    saved = changed()
    await choose(page, 'Milestone', 'Landing')
    await saved
    t.equal((await read(four)).milestoneId, milestone.id)
    await press('Shift+P')
    saved = changed()
    await choose(page, 'Project', 'No project')
    await saved
    t.match(await read(four), { projectId: null, milestoneId: null })
    await lastChange('2 issues are changed')
    saved = changed()
    await press('Control+z')
    await saved
    t.match(await read(four), { projectId: project.id, milestoneId: milestone.id })

    await press('Shift+S')
    saved = changed()
    await choose(page, 'Parent', `${one.key} One`)
    await saved
    t.strictSame([(await read(five)).parentId, (await read(four)).parentId], [one.id, one.id])
  })

  await t.test('also when they have left the listing, and taken back to what they were last', async t => {
    const low = await file('Of low priority', { priority: 4 })
    await page.goto(`${url}/issues?filter=priority:low`)
    await row(low).focus()
    await press('x')
    for (const [name, priority] of [
      ['High', 2],
      ['Urgent', 1]
    ] as const) {
      const saved = changed()
      await bar.getByRole('button', { name: 'Priority' }).click()
      await choose(page, 'Priority', name)
      await saved
      t.equal((await read(low)).priority, priority)
      await row(low).waitFor({ state: 'detached' })
    }
    await lastChange(`${low.key} is changed`)
    await page.locator('main').focus()
    const saved = changed()
    await press('Control+z')
    await saved
    t.equal((await read(low)).priority, 2)
    await server.ok(`/v1/issues/${low.id}`, { method: 'DELETE' })
  })

  await t.test('one that is refused says why, and stays selected; the others are changed', async t => {
    await page.goto(`${url}/issues?order=number`)
    for (const issue of [one, three]) await page.getByRole('checkbox', { name: `Select ${issue.key}` }).check()
    await press('Shift+S')
    const saved = changed()
    await choose(page, 'Parent', `${five.key} Five`)
    await saved
    await lastChange('1 of 2 issues are changed')
    await selected(1)
    const refusal = bar.getByRole('alert').getByRole('listitem')
    t.match(await refusal.textContent(), new RegExp(`^${one.key} .+`))
    t.strictSame([(await read(one)).parentId, (await read(three)).parentId], [null, five.id])
    await assertAccessibleInSchemes(t, page, 'a refused change of several issues', 'selection refused')
    await bar.getByRole('button', { name: 'Close' }).click()
    await press('Control+z')
    await page.getByRole('region', { name: 'Last change' }).waitFor({ state: 'detached' })
    t.equal((await read(three)).parentId, null)
  })

  await t.test('into another team, and into the trash, and back', async t => {
    const ops = await server.ok<Named>('/v1/teams', { body: { name: 'Ops', identifier: 'OPS' } })
    await page.goto(`${url}/issues?order=number`)
    await row(three).focus()
    await press('x', 'j', 'x')
    await selected(2)
    await other('Team…')
    const moved = page.waitForResponse(answer => answer.url().endsWith('/move'))
    await choose(page, 'Team', 'Ops')
    await moved
    await lastChange('2 issues are changed')
    t.equal((await read(two)).teamId, ops.id)
    await press('Control+z')
    const back = page.getByRole('link', { name: /^ENG-\d+ Two/ })
    await back.waitFor()
    t.match(await read(two), { teamId: four.teamId, stateId: two.stateId })
    const removals: string[] = []
    page.on('request', request => request.method() === 'DELETE' && removals.push(request.url()))
    // A held key, and another press.
    for (let n = 0; n < 3; n++) await page.keyboard.down('Delete')
    await page.keyboard.up('Delete')
    await back.waitFor({ state: 'detached' })
    await lastChange('2 issues are removed')
    t.equal(removals.length, 2)
    await press('Control+z')
    await back.waitFor()
  })

  await t.test('`j` and `k` lead through the rows of other pages, too', async () => {
    await server.ok('/v1/projects', { body: { name: 'Mars' } })
    await server.ok(`/v1/issues/${one.id}`, { method: 'DELETE' })
    const hasFocus = (name: string) => page.locator(':focus').and(page.getByLabel(name)).waitFor()
    await page.goto(`${url}/settings/trash`)
    await page.getByRole('button', { name: `Restore Issue ${one.key} One` }).waitFor()
    await press('j')
    await hasFocus(`Restore Issue ${one.key} One`)
    await page.goto(`${url}/projects`)
    const names = page.getByRole('region', { name: 'Planned' }).getByRole('link')
    await names.nth(1).waitFor()
    await press('j', 'j')
    await names.nth(1).and(page.locator(':focus')).waitFor()
    await press('k')
    await names.nth(0).and(page.locator(':focus')).waitFor()
    await press('k', 'Enter')
    await page.waitForURL(/\/projects\/.+/)
  })
})

const isChange = (answer: { url(): string; request(): { method(): string } }) =>
  answer.request().method() === 'POST' && /\/v1\/issues\/(bulk_change|[0-9a-f-]{36})$/.test(answer.url())

async function pressAll(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
