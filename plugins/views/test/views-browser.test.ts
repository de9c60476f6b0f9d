import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  NARROW,
  needsChromium,
  pick,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'projects', 'passwords', 'views', 'events', 'ui']
interface View {
  id: string
  name: string
}

t.test('views: saved, opened, changed, shared and removed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const file = (title: string, fields: object) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const { id: projectId } = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Export' } })
  const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'odd', color: '#aa5500' } })
  await file('Dates are lost', { priority: 1, projectId })
  await file('Slow sign-in', { priority: 3, labelIds: [label.id] })
  await file('Nothing is found', { priority: 1 })
  const page = await openSignedIn()
  const openDisplay = async (page: Page) => {
    await page.getByRole('button', { name: 'Display', exact: true }).click()
    await page.getByRole('dialog', { name: 'Display' }).waitFor()
  }
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (key: string) => page.getByRole('link', { name: new RegExp(`^${key} `) })
  const views = page.getByRole('list', { name: 'Views' })

  await t.test('what is displayed is saved as a view, and opened from the side bar', async t => {
    await page.goto(`${url}/board?filter=priority:urgent`)
    await card('ENG-1').waitFor()
    await openDisplay(page)
    await pick(page, 'Group by', 'Priority')
    await page.keyboard.press('Escape')
    await column('Urgent').getByText('ENG-3').waitFor()
    await page.getByRole('button', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Urgent first')
    await dialog.getByRole('combobox', { name: 'Icon' }).click()
    await page.keyboard.type('fire engine')
    await page.getByRole('option', { name: /fire engine/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('🚒').waitFor()
    await assertAccessibleInSchemes(t, page, 'the dialog of a view', 'view dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Urgent first' }).waitFor()
    const [view] = await server.ok<View[]>('/v1/views')
    t.match(view, { name: 'Urgent first', icon: '🚒', groupBy: 'priority', layout: 'board', isShared: false })
    t.equal(page.url(), `${url}/board?view=${view!.id}`)
    await page.goto(`${url}/issues`)
    await card('ENG-2').waitFor()
    await views.getByRole('link', { name: 'Urgent first' }).click()
    await column('Urgent').getByText('ENG-3').waitFor()
    t.equal(await card('ENG-2').count(), 0)
  })

  await t.test('what a reader changes is in the address, until it is saved or reset', async t => {
    const changed = page.getByRole('group', { name: 'Changed view' })
    t.equal(await changed.count(), 0)
    await openDisplay(page)
    await pick(page, 'Order', 'Most urgent')
    await page.getByText('List', { exact: true }).click()
    await page.waitForURL(/\/issues\?view=.*order=urgency/)
    await page.keyboard.press('Escape')
    await changed.getByRole('button', { name: 'Reset' }).click()
    await page.waitForURL(/\/board\?view=[^&]*$/)
    await changed.waitFor({ state: 'detached' })
    await openDisplay(page)
    await page.getByRole('checkbox', { name: 'No priority' }).uncheck()
    await page.getByRole('checkbox', { name: 'Labels' }).uncheck()
    await page.keyboard.press('Escape')
    await column('No priority').waitFor({ state: 'detached' })
    await changed.getByRole('button', { name: 'Save', exact: true }).click()
    await changed.waitFor({ state: 'detached' })
    t.match(await server.ok('/v1/views'), [{ hiddenGroups: ['0'], properties: { length: 6 } }])
    await page.getByRole('button', { name: 'Show No priority' }).click()
    await column('No priority').waitFor()
    await changed.getByRole('button', { name: 'Save as new view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as new view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All priorities')
    await dialog.getByRole('checkbox', { name: 'Share with the workspace' }).check()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'All priorities' }).waitFor()
    await views.getByRole('link').nth(1).waitFor()
  })

  await t.test('the menu of a view edits, duplicates, shares and removes it, and it can be restored', async t => {
    const menu = page.getByRole('button', { name: 'Actions on the view All priorities' }).first()
    const item = async (name: string) => {
      await menu.click()
      await page.getByRole('menuitem', { name }).click()
    }
    await page.keyboard.press('*')
    const favourites = page.getByRole('list', { name: 'Favourites', exact: true })
    await favourites.getByRole('link', { name: 'All priorities' }).waitFor()
    await item('Remove from favourites')
    await favourites.waitFor({ state: 'detached' })
    await item('Keep to yourself')
    await page.getByRole('region', { name: 'Last change' }).getByText('All priorities is yours alone').waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('#announcer').getByText('All priorities is shared').waitFor({ state: 'attached' })
    t.match(await server.ok('/v1/views'), [{ name: 'All priorities', isShared: true }, {}])
    await item('Duplicate')
    await page.getByRole('heading', { name: 'All priorities (copy)' }).waitFor()
    await page.getByRole('button', { name: 'Actions on the view All priorities (copy)' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit name and icon…' }).click()
    await page.getByRole('dialog', { name: 'Edit view' }).getByRole('textbox').fill('Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    await page.getByRole('button', { name: 'Actions on the view Mine' }).first().click()
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
    await page.waitForURL(`${url}/board`)
    await page.getByRole('button', { name: /^Restore/ }).click()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    await server.ok(`/v1/views/${(await server.ok<View[]>('/v1/views')).find(({ name }) => name === 'Mine')!.id}`, {
      method: 'DELETE'
    })
    await page.getByText('This view does not exist any more').waitFor()
  })

  await t.test('a card is moved between columns of any property, by keys and back', async t => {
    await page.goto(`${url}/board?group=project`)
    await column('Export').getByText('ENG-1').waitFor()
    await card('ENG-1').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await column('No project').getByText('ENG-1').waitFor()
    await column('No project').locator('a:focus').getByText('ENG-1').waitFor()
    await page.getByRole('region', { name: 'Last change' }).getByText('ENG-1 is in No project').waitFor()
    await page.keyboard.press('Control+z')
    await column('Export').getByText('ENG-1').waitFor()
    t.match(await server.ok('/v1/issues/ENG-1/context'), { project: { name: 'Export' } })
    await card('ENG-2').dragTo(column('Export'))
    await column('Export').getByText('ENG-2').waitFor()
    await page.getByRole('region', { name: 'Last change' }).getByText('ENG-2 is in Export').waitFor()
  })

  await t.test('columns are collapsed, and rows of lanes have the columns', async t => {
    await page.goto(`${url}/board?group=state&rows=priority`)
    const lane = page.getByRole('region', { name: 'Urgent', exact: true })
    await lane.getByText('ENG-3').waitFor()
    await page.getByRole('button', { name: 'Column Backlog' }).click()
    await page.getByRole('menuitem', { name: 'Collapse' }).click()
    await column('Urgent: Backlog').waitFor({ state: 'detached' })
    await card('ENG-3').dragTo(column('Medium: Todo'))
    await column('Medium: Todo').getByText('ENG-3').waitFor()
    await card('ENG-1').focus()
    await page.keyboard.press('j')
    await page
      .locator('a:focus')
      .getByText(/ENG-[23]/)
      .waitFor()
    await assertAccessibleInSchemes(t, page, 'the lanes', 'lanes desk')
    await page.getByRole('button', { name: 'Open Backlog' }).click()
    await column('Urgent: Backlog').waitFor()
    await lane.getByRole('button', { name: /^Urgent/ }).click()
    await card('ENG-1').waitFor({ state: 'detached' })
  })

  await t.test('a list is grouped, its groups collapsed, and old closed issues are left out', async () => {
    await server.ok('/v1/issues/ENG-2/complete', { body: {} }).catch(() => undefined)
    await page.goto(`${url}/issues`)
    await openDisplay(page)
    await pick(page, 'Group by', 'Label')
    await page.keyboard.press('Escape')
    const heading = page.getByRole('button', { name: /^odd/ })
    await heading.waitFor()
    await card('ENG-2').waitFor()
    await heading.press('Enter')
    await card('ENG-2').waitFor({ state: 'detached' })
    await page.waitForURL(/fold=/)
    await openDisplay(page)
    await pick(page, 'Closed issues', 'Past week')
    await page.waitForURL(/closed=7/)
  })

  await t.test('a view that names something gone says so', async () => {
    const { id } = await server.ok<View>('/v1/views', {
      body: { name: 'Odd ones', layout: 'list', filters: { label: { filterType: 'IS', value: ['odd'] } } }
    })
    await server.ok(`/v1/labels/${label.id}`, { method: 'DELETE' })
    await page.goto(`${url}/issues?view=${id}`)
    await page.getByRole('alert').getByText(/odd/).waitFor()
  })

  await t.test('an edited view does not overwrite what another has changed meanwhile', async t => {
    const { id } = await server.ok<View>('/v1/views', { body: { name: 'Mine', isShared: true } })
    await views.getByRole('button', { name: 'Actions on the view Mine' }).click()
    await page.getByRole('menuitem', { name: 'Edit name and icon…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Yours')
    await server.ok(`/v1/views/${id}`, { body: { name: 'Theirs' } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('it is “Theirs” now').waitFor()
    const all = await server.ok<View[]>('/v1/views')
    t.equal(all.find(view => view.id === id)?.name, 'Theirs')
    await page.keyboard.press('Escape')
    await server.ok(`/v1/views/${id}`, { method: 'DELETE' })
  })

  await t.test('a refused change of a view says why', async () => {
    await page.route('**/v1/views/*', route => route.fulfill({ status: 409, json: { message: 'There are too many.' } }))
    await views.getByRole('button', { name: 'Actions on the view Odd ones' }).click()
    await page.getByRole('menuitem', { name: 'Share with the workspace' }).click()
    await page.getByRole('region', { name: 'Not done' }).getByText('There are too many.').waitFor()
    await page.unrouteAll()
  })

  await t.test('the next visit begins with the last view, and boards with the last team', async t => {
    await server.ok('/v1/teams', { body: { name: 'Operations', identifier: 'OPS' } })
    const [view] = await server.ok<View[]>('/v1/views')
    await page.goto(`${url}/board?team=OPS`)
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
    await views.getByRole('link', { name: view!.name }).click()
    await page.getByRole('heading', { name: view!.name }).waitFor()
    await page.goto(`${url}/settings/you`)
    await page.getByLabel('Your name').waitFor()
    await page.goto(url)
    await page.waitForURL(`${url}/board?view=${view!.id}`)
    await page.getByRole('heading', { name: view!.name }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
    await page.getByRole('combobox', { name: 'Team', exact: true }).getByText('Operations').waitFor()

    const issues = Array.from({ length: 40 }, (_, n) => ({ teamId: 'OPS', title: `Task ${n}` }))
    await server.ok('/v1/issues/bulk', { body: { issues } })
    await page.goto(`${url}/issues?order=number`)
    await page.getByRole('link', { name: /^OPS-40 / }).waitFor()
    const list = page.getByRole('list', { name: 'Issues' })
    await list.hover()
    await page.mouse.wheel(0, 900)
    await page.getByRole('link', { name: /^OPS-40 / }).waitFor({ state: 'detached' })
    await page.reload()
    await list.getByRole('link').first().waitFor()
    t.equal(await page.getByRole('link', { name: /^OPS-40 / }).count(), 0)
  })

  await t.test('on a phone nothing scrolls sideways, and axe finds nothing', async t => {
    const [view] = await server.ok<View[]>('/v1/views')
    for (const [name, options] of [...SCREENS, ['narrow', NARROW] as const]) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/board?view=${view!.id}&order=urgency`)
      await page.getByRole('group', { name: 'Changed view' }).waitFor()
      await page.getByRole('link', { name: /^ENG-1/ }).waitFor()
      t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), name)
      if (name !== 'narrow') await assertAccessibleInSchemes(t, page, `a view, ${name}`, `view ${name}`)
      await page.getByRole('button', { name: 'Display', exact: true }).click()
      await page.getByRole('dialog', { name: 'Display' }).waitFor()
      if (name !== 'narrow') await assertAccessibleInSchemes(t, page, `the display, ${name}`, `display ${name}`)
      await page.getByRole('combobox', { name: 'Group by' }).click()
      await choose(page, 'Group by', 'Assignee')
      await page.getByRole('region', { name: 'Nobody' }).waitFor({ state: 'attached' })
      await page.close()
    }
  })
})
