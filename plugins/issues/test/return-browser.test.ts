import type { Page } from 'playwright-core'
import t from 'tap'
import { choose, needsChromium, pick, showEmptyProperties, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'projects', 'passwords', 'events', 'ui']
const ISSUES = 40

t.test('an issue is opened from a listing, changed, and left again', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const issues = Array.from({ length: ISSUES }, (_, n) => ({ teamId: 'ENG', title: `Issue number ${n + 1}` }))
  await server.ok('/v1/issues/bulk', { body: { issues } })
  const page = await openSignedIn()

  await t.test('who comes back to a listing is where they were', async t => {
    for (const path of ['/issues', '/board']) {
      await page.goto(url + path)
      const row = (index: number) => page.locator(`a[data-index="${index}"]`)
      await row(0).focus()
      for (let step = 1; step < ISSUES; step++) await page.keyboard.press('j')
      const last = row(ISSUES - 1).and(page.locator(':focus'))
      await last.waitFor()
      const id = await last.getAttribute('data-row')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL(url + path)
      await last.waitFor()
      t.equal(await last.getAttribute('data-row'), id)
      await row(0).waitFor({ state: 'detached' }) // it is scrolled as before
      await page.keyboard.press('k')
      await row(ISSUES - 2)
        .and(page.locator(':focus'))
        .waitFor()
    }
  })

  await t.test('what is chosen is displayed at once, and the stored value after a refusal', async () => {
    await server.ok('/v1/projects', { body: { name: 'Export' } })
    await page.goto(`${url}/issue/ENG-1`)
    const answer = await holdChanges(page)
    const priority = page.getByRole('combobox', { name: 'Priority' })
    await pick(page, 'Priority', 'High')
    await priority.filter({ hasText: /^High/ }).waitFor()
    await answer(409)
    await page.getByRole('alert').getByText('Refused.').waitFor()
    await priority.filter({ hasText: /^No priority/ }).waitFor()
    await page.unroute('**/v1/issues/*')

    await showEmptyProperties(page)
    await pick(page, 'Project', 'Export')
    await page.getByText('set the project to Export').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('set the project to Export').waitFor({ state: 'detached' })
  })

  await t.test('Escape leaves a text, which saves it; a changed title is as before', async t => {
    await page.goto(`${url}/issue/ENG-2`)
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    const stored = await title.inputValue()
    await title.fill('Not meant')
    await title.press('Escape')
    t.equal(await title.inputValue(), stored)

    const description = page.getByRole('textbox', { name: 'Description' })
    for (const [n, key] of ['Shift+E', 'm'].entries()) {
      await page.keyboard.press(key)
      await description.press('Escape')
      await description.waitFor({ state: 'hidden' })
      await page.keyboard.press(key)
      await description.pressSequentially(`Sentence ${n}. `)
      await description.press('Escape')
      await description.waitFor({ state: 'hidden' })
      await page.getByRole('region', { name: 'Description' }).getByText(`Sentence ${n}.`).waitFor()
    }
  })

  await t.test('a refused change of selected issues is told', async t => {
    await page.goto(`${url}/issues`)
    await page.getByRole('checkbox', { name: 'Select ENG-40', exact: true }).check()
    await page.route('**/v1/issues/*', route =>
      route.request().method() === 'POST' && !route.request().url().endsWith('filter')
        ? route.fulfill({ status: 409, json: { message: 'Refused.' } })
        : route.continue()
    )
    const bar = page.getByRole('group', { name: 'Selected issues' })
    await bar.getByRole('button', { name: 'Priority' }).click()
    await choose(page, 'Priority', 'Urgent')
    t.match(await bar.getByRole('alert').textContent(), /^ENG-\d+ Refused\.$/)
    await page.unroute('**/v1/issues/*')
  })

  await t.test('many labels leave room for the title', async t => {
    const addLabelIds: string[] = []
    for (let n = 0; n < 8; n++) {
      const body = { name: `A label with a long name, number ${n}`, color: '#5558d4' }
      addLabelIds.push((await server.ok<{ id: string }>('/v1/labels', { body })).id)
    }
    await server.ok('/v1/issues/ENG-5', { body: { addLabelIds, title: 'نص! CSV' } })
    await page.goto(`${url}/issues`)
    const row = page.getByRole('link', { name: 'ENG-5 ' })
    const labels = page.getByRole('button', { name: 'Change the labels of ENG-5' })
    await labels.getByText('A label').first().waitFor()
    const width = (await labels.boundingBox())!.x - (await row.boundingBox())!.x
    t.ok(width > 200, `${width} pixels`)
  })

  await t.test('an error of the server is shown instead of a page that never loads', async t => {
    await page.route('**/v1/workspace', route => route.fulfill({ status: 403, json: { message: 'Not today.' } }))
    for (const path of ['/board', '/issues', '/issue/ENG-1']) {
      await page.goto(url + path)
      t.equal(await page.getByRole('alert').textContent(), 'Not today.', path)
    }
    await page.unroute('**/v1/workspace')
  })

  await t.test('on a phone, an issue can be filed, and the settings of teams fit', async t => {
    const phone = await openSignedIn({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    for (const path of ['/board', '/issues']) {
      await phone.goto(url + path)
      const { x, width } = (await phone.getByRole('button', { name: 'New issue' }).boundingBox())!
      t.ok(x + width <= 390, `the button is on the screen, ${path}`)
    }
    await phone.goto(`${url}/settings/teams`)
    const { x, width } = (await phone.getByRole('button', { name: 'Actions on the state Todo' }).boundingBox())!
    t.ok(x + width <= 390)
  })
})

/** Holds changes of issues. @returns a function that answers the waiting one with an error */
async function holdChanges(page: Page): Promise<(status: number) => Promise<void>> {
  const waiting = Promise.withResolvers<(status: number) => Promise<void>>()
  await page.route('**/v1/issues/*', route => {
    if (route.request().method() !== 'POST') return route.continue()
    waiting.resolve(status => route.fulfill({ status, json: { message: 'Refused.' } }))
    return undefined
  })
  return async status => (await waiting.promise)(status)
}
