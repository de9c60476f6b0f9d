import t from 'tap'
import {
  assertAccessibleInSchemes,
  NARROW,
  needsChromium,
  pick,
  showEmptyProperties,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'trash', 'passwords', 'events', 'ui']
interface Thing {
  id: string
  key: string
}

t.test('a project is planned, followed and removed in a browser', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.locator('main').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.getByText('No projects yet').waitFor()
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Launch')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Launch' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const path = `/v1/projects/${id}`
  const issue = (title: string, more: object = {}) =>
    server.ok<Thing>('/v1/issues', { body: { teamId: 'ENG', title, projectId: id, ...more } })

  await t.test('its properties are chosen by pointer and keys, and a change can be undone', async t => {
    await pick(page, 'State', 'In progress')
    await pick(page, 'Lead', 'Administrator')
    await page.getByRole('combobox', { name: 'Target date' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('combobox').fill('2028-03-01')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Target date' }).getByText('1 Mar 2028').waitFor()
    const me = await server.ok<Thing>('/v1/users/me')
    t.match(await server.ok(path), { state: 'STARTED', leadId: me.id, targetOn: '2028-03-01' })
    await page.keyboard.press('Control+z')
    await page.getByRole('combobox', { name: 'Target date' }).getByText('None').waitFor()
    t.match(await server.ok(path), { targetOn: null })
    await pick(page, 'Start date', 'Today')
    await page.getByRole('combobox', { name: 'Target date' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('2020-01-01')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('must not be before').waitFor()
  })

  await t.test('milestones are added, dated and renamed; an issue is put into one', async t => {
    const { key } = await issue('The first step')
    await page.getByLabel('Name of a new milestone').fill('Beta')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Date of Beta' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('2028-02-01')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Date of Beta' }).getByText('1 Feb 2028').waitFor()
    await page.getByLabel('Name of the milestone Beta').fill('Public beta')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the milestone Public beta').waitFor()
    await page.goto(`${url}/issue/${key}`)
    await showEmptyProperties(page)
    await pick(page, 'Milestone', 'Public beta')
    await page.getByRole('combobox', { name: 'Milestone' }).getByText('Public beta').waitFor()
    t.match(await server.ok(`/v1/issues/${key}/context`), { milestone: { name: 'Public beta', date: '2028-02-01' } })
    await server.ok(`/v1/issues/${key}`, { body: { state: 'Done' } })
    await issue('The second step', { milestone: 'Public beta' })
    await page.goto(`${url}/projects/${id}`)
    await page.getByRole('list', { name: 'Milestones' }).getByText('1/2').waitFor()
    await page.getByText('1 of 2 issues completed').waitFor()
    const issues = page.getByRole('list', { name: 'Issues of the project' })
    await issues.getByRole('link', { name: 'The second step' }).waitFor()
  })

  await t.test('an update says how it stands, and a draft of it survives a reload', async t => {
    await page.getByRole('button', { name: 'Write an update' }).click()
    await page.locator('[contenteditable][aria-label=Update]:focus').waitFor()
    await page.keyboard.type('The import is **late** ')
    await page.getByText('Draft, just now').waitFor()
    await page.reload()
    await page.locator('[contenteditable][aria-label=Update]').getByText('The import is late').waitFor()
    await pick(page, 'Health', 'At risk')
    await page.getByRole('button', { name: 'Post update' }).click()
    const update = page.getByRole('list', { name: 'Updates' }).getByRole('listitem')
    await update.getByText('At risk').waitFor()
    t.match(await server.ok(`/v1/project_updates?projectId=${id}`), [
      { health: 'AT_RISK', bodyMarkdown: 'The import is **late**' }
    ])
    await page.getByRole('complementary', { name: 'Properties' }).getByText('At risk').waitFor()
    const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
    await activity.filter({ hasText: 'posted an update: At risk' }).waitFor()
    await activity.filter({ hasText: 'added the milestone' }).first().waitFor()
    await activity.filter({ hasText: 'created the project' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'a project', 'project')
    for (const what of ['Actions on the update', 'Actions on Public beta']) {
      await page.getByRole('button', { name: what }).click()
      await page.getByRole('menuitem').first().waitFor()
      await assertAccessibleInSchemes(t, page, what, what)
      await page.keyboard.press('Escape')
    }
  })

  await t.test('its activity is shown page by page, by keys, too', async t => {
    const { id } = await server.ok<Thing>('/v1/projects', { body: { name: 'Busy' } })
    const issues = Array.from({ length: 75 }, (_, n) => ({ teamId: 'ENG', title: `Issue ${n}`, projectId: id }))
    for (let n = 0; n < 2; n++) await server.ok('/v1/issues/bulk', { body: { issues } })
    await page.goto(`${url}/projects/${id}`)
    const entries = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
    const earlier = page.getByRole('button', { name: 'Show earlier changes' })
    await earlier.waitFor()
    t.equal(await entries.count(), 20)
    await earlier.click()
    await entries.nth(119).waitFor()
    t.equal(await entries.count(), 120)
    await earlier.focus()
    await page.keyboard.press('Enter')
    await entries.nth(150).getByText('created the project').waitFor()
    await earlier.waitFor({ state: 'detached' })
    await server.ok(`/v1/projects/${id}`, { body: { state: 'PAUSED' } })
    await entries.first().getByText('changed the state to Paused').waitFor()
    await entries.nth(151).getByText('created the project').waitFor()
    await server.ok(`/v1/projects/${id}`, { method: 'DELETE' })
    await page.goto(url + path.replace('/v1', ''))
  })

  await t.test('the list shows projects by state; on a phone nothing is wider than the screen', async t => {
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click()
    const row = page.getByRole('region', { name: 'In progress' }).getByRole('listitem')
    await row.getByText('1/2').waitFor()
    await row.getByText('At risk').waitFor()
    await assertAccessibleInSchemes(t, page, 'the projects', 'projects')
    const { id: longId } = await issue('An issue with a title that goes on and on, and on for ever, and for ever more')
    const phone = await openSignedIn(NARROW)
    for (const place of ['/projects', `/projects/${id}`]) {
      await phone.goto(url + place)
      await phone.getByText('At risk').first().waitFor()
      if (place !== '/projects') await phone.locator('[data-rows] a').getByText('goes on and on').waitFor()
      t.ok(Number(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, place)
      const right =
        'Math.max(...[...document.querySelectorAll("[data-rows] a")].map(link => link.getBoundingClientRect().right))'
      t.ok(Number(await phone.evaluate(right)) <= NARROW.viewport.width, place)
      await assertAccessibleInSchemes(
        t,
        phone,
        `${place} on a phone`,
        place === '/projects' ? 'projects phone' : 'project phone'
      )
    }
    await phone.context().close()
    await server.ok(`/v1/issues/${longId}`, { method: 'DELETE' })
  })

  await t.test('it is removed, and restored from the toast', async t => {
    await page.getByRole('link', { name: 'Launch' }).click()
    await page.getByRole('button', { name: 'Actions on Launch' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No projects yet').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('link', { name: 'Launch' }).waitFor()
    t.match(await server.ok(`/v1/milestones?projectId=${id}`), [{ name: 'Public beta' }])
  })
})
