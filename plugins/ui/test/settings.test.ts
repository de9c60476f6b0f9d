import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  dragTo,
  needsChromium,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'
import { testServer } from '../../../test/runner/harness.ts'

const plugins = ['workspace', 'agents', 'issues', 'proof', 'projects', 'webhooks', 'passwords', 'events', 'ui']
interface Named {
  id: string
  name: string
}

t.test('the settings in a browser', needsChromium, async t => {
  const { server, url, browser, openSignedIn } = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  const open = async (tab: string, title: string) => {
    await page.goto(`${url}/settings/${tab}`)
    await page.getByRole('heading', { name: title, level: 2 }).waitFor()
  }
  const names = async (path: string) => (await server.ok<Named[]>(path)).map(({ name }) => name)

  await t.test('a person is added with a token that is shown once, made an administrator, and removed', async t => {
    await open('people', 'People')
    await page.getByLabel('Name', { exact: true }).fill('Bea')
    await page.getByLabel('E-mail address').fill('bea@example.org')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const secret = page.getByRole('region', { name: 'The token of Bea' })
    const token = /trk_[0-9A-Za-z]{46}/.exec((await secret.textContent()) ?? '')![0]
    t.match(await server.ok('/v1/users/me', { token }), { fullname: 'Bea', role: 'MEMBER' })
    await secret.getByRole('button', { name: 'I have saved it' }).click()
    const changed = page.waitForResponse(answer => answer.request().method() === 'POST' && answer.ok())
    await page.getByRole('combobox', { name: 'Role of Bea' }).press('Enter')
    await page.getByRole('listbox', { name: 'Role of Bea' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the roles of a person', 'people role')
    await choose(page, 'Role of Bea', 'Administrator')
    await changed
    t.match(await server.ok('/v1/users/me', { token }), { role: 'ADMIN' })
    await page.getByRole('button', { name: 'Remove Bea' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('bea@example.org').waitFor({ state: 'detached' })
    t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
  })

  await t.test('a name that is refused stays in its form, with the reason', async t => {
    await server.agent('Scout')
    await open('people', 'People')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ѕcout')
    await page.getByLabel('E-mail address').fill('scout@example.org')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').getByText("'Scout': choose a name that differs more").waitFor()
    t.equal(await name.inputValue(), 'Ѕcout')
    t.equal(await page.getByLabel('E-mail address').inputValue(), 'scout@example.org')
    await open('labels', 'Labels')
    const label = page.getByLabel('New label', { exact: true })
    await label.fill('u\u202Ei')
    await page.getByRole('form', { name: 'Add a label' }).getByRole('button').click()
    await page.getByRole('alert').getByText('direction of text').waitFor()
    t.equal(await label.inputValue(), 'u\u202Ei')
    await label.fill(' ui\u200B ')
    await page.getByRole('form', { name: 'Add a label' }).getByRole('button').click()
    await page.getByLabel('Name of the label ui', { exact: true }).waitFor()
    t.ok((await names('/v1/labels')).includes('ui'))
  })

  await t.test('a name that somebody else has changed meanwhile is replaced only on purpose', async t => {
    const { id } = await server.ok<Named>('/v1/labels', { body: { name: 'slow' } })
    const stored = async () => (await server.ok<Named>(`/v1/labels/${id}`)).name
    await open('labels', 'Labels')
    const field = page.locator('input[aria-label^="Name of the label"]').and(page.locator('[value="slow"]'))
    const line = page.getByRole('listitem').filter({ has: field })
    await field.fill('slow query')
    const typed = page.locator('input[value="slow query"]')
    await server.ok(`/v1/labels/${id}`, { body: { name: 'sluggish' } })
    await typed.press('Enter')
    await page.getByRole('alert').getByText('it is “sluggish” now').waitFor()
    t.equal(await stored(), 'sluggish')
    t.equal(await typed.inputValue(), 'slow query', 'what was typed stays')
    await typed.focus()
    await typed.press('Enter')
    await page.getByLabel('Name of the label slow query', { exact: true }).waitFor()
    t.equal(await stored(), 'slow query')
    t.equal(await line.count(), 0)
  })

  await t.test('a name can be changed again before the first change is answered', async t => {
    const { id } = await server.ok<Named>('/v1/labels', { body: { name: 'one' } })
    await open('labels', 'Labels')
    const released = Promise.withResolvers<void>()
    await page.route(`**/v1/labels/${id}`, async route => {
      const response = await route.fetch()
      await released.promise
      await route.fulfill({ response })
    })
    const changed = page.waitForRequest(`**/v1/labels/${id}`)
    await page.getByLabel('Name of the label one', { exact: true }).fill('two')
    await page.keyboard.press('Enter')
    await changed
    await page.locator('input[value="two"]').fill('three')
    const answered = page.waitForResponse(`**/v1/labels/${id}`)
    released.resolve()
    await answered
    await page.getByLabel('Name of the label two', { exact: true }).press('Enter')
    await page.getByLabel('Name of the label three', { exact: true }).waitFor()
    t.equal((await server.ok<Named>(`/v1/labels/${id}`)).name, 'three')
    await page.unroute(`**/v1/labels/${id}`)
  })

  await t.test('a team gets a state, which stands where it is put and is removed again', async t => {
    await open('teams', 'Teams')
    await page.getByLabel('Name of the team').fill('Operations')
    await page.getByLabel('Identifier').fill('OPS')
    await page.getByRole('form', { name: 'Add a team' }).getByRole('button').click()
    const team = page.getByRole('region', { name: 'Operations' })
    await team.getByLabel('New state').fill('Rolling out')
    await team.getByRole('form', { name: 'Add a state to OPS' }).getByRole('button').click()
    const field = team.getByLabel('Name of the state Rolling out')
    await field.waitFor()
    const started = async () => {
      const states = await server.ok<Array<Named & { category: string }>>('/v1/OPS/workflows')
      return states.filter(({ category }) => category === 'STARTED').map(({ name }) => name)
    }
    const list = team.getByRole('list', { name: 'States of OPS' })
    const shown = async () =>
      Promise.all((await list.getByLabel(/^Name of the state/).all()).map(field => field.inputValue()))
    const saved = () =>
      page.waitForResponse(
        answer => answer.request().method() === 'POST' && answer.url().includes('/workflows/') && answer.ok()
      )
    t.strictSame(await started(), ['In Progress', 'In Review', 'Rolling out'])
    const menu = team.getByRole('button', { name: 'Actions on the state Rolling out' })
    let answer = saved()
    await menu.press('Shift+ArrowUp')
    await answer
    t.strictSame(await started(), ['In Progress', 'Rolling out', 'In Review'])
    await page.locator('[aria-label="Actions on the state Rolling out"]:focus').waitFor()
    answer = saved()
    const firstRow = list.getByRole('listitem').first()
    await dragTo(list.locator('li:has([aria-label="Name of the state Rolling out"]) [data-handle]'), firstRow, 0.1)
    await answer
    t.strictSame(await started(), ['Rolling out', 'In Progress', 'In Review'], 'it stays in its category')
    const all = (await server.ok<Named[]>('/v1/OPS/workflows')).map(({ name }) => name)
    t.strictSame((await shown()).toSorted(), all.toSorted())
    answer = saved()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await answer
    t.strictSame(await started(), ['In Progress', 'Rolling out', 'In Review'])
    answer = saved()
    await page.keyboard.press('Control+z')
    await answer
    t.strictSame(await started(), ['Rolling out', 'In Progress', 'In Review'], 'a move is undone')
    const moves: string[] = []
    page.on('response', answer => {
      if (answer.url().includes('/workflows/')) moves.push(`${answer.request().method()} ${answer.status()}`)
    })
    await menu.press('Shift+ArrowDown')
    await page.locator('[aria-label="Actions on the state Rolling out"]:focus').waitFor()
    await menu.press('Shift+ArrowDown')
    await page.getByLabel('Category of Rolling out').click()
    const option = list.getByRole('option', { name: 'In progress' })
    await option.press('Shift+ArrowUp')
    await dragTo(option, firstRow, 0.1)
    await page.keyboard.press('Escape')
    await untilEqual(async () => moves, ['POST 200', 'POST 200'])
    t.strictSame(await started(), ['In Progress', 'In Review', 'Rolling out'], 'a picker moves nothing')
    await field.fill('Rolling')
    const { id } = (await server.ok<Named[]>('/v1/OPS/workflows')).find(({ name }) => name === 'Rolling out')!
    await server.ok(`/v1/OPS/workflows/${id}`, { body: { category: 'COMPLETED' } })
    await page.getByLabel('Category of Rolling out').getByText('Done').waitFor()
    t.equal(await field.inputValue(), 'Rolling', 'what is typed stays')
    await field.and(page.locator(':focus')).waitFor()
    await server.ok(`/v1/OPS/workflows/${id}`, { body: { category: 'STARTED' } })
    await page.getByLabel('Category of Rolling out').getByText('In progress').waitFor()
    await field.fill('Rolling out')
    await assertAccessibleInSchemes(t, page, 'the card of a team', 'team card')

    await page.route('**/v1/issues/filter', route => route.fulfill({ status: 500 }))
    await team.getByRole('button', { name: 'Actions on the team OPS' }).click()
    await page.getByRole('menuitem', { name: 'Remove the team…', disabled: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.unroute('**/v1/issues/filter')
    await server.ok('/v1/issues', { body: { teamId: 'OPS', title: 'x', state: 'Rolling out' } })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Remove', disabled: true }).getByText('An issue is in it').waitFor()
    await assertAccessibleInSchemes(t, page, 'a menu with a reason', 'team menu')
    await page.keyboard.press('Escape')
    await server.ok('/v1/issues/OPS-1', { body: { state: 'Done' } })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Remove', disabled: false }).click()
    await field.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await field.waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Remove', disabled: false }).click()
    await field.waitFor({ state: 'detached' })
    t.notOk((await started()).includes('Rolling out'))
  })

  await t.test('a team asks for criteria that are met before an issue is completed', async t => {
    await open('teams', 'Teams')
    const changed = page.waitForResponse(answer => answer.request().method() === 'POST' && answer.ok())
    const rule = page.getByLabel('When an issue of ENG may be completed')
    await rule.click()
    await page.getByRole('listbox').getByText('Completed when its criteria are met', { exact: true }).click()
    await changed
    t.match(await server.ok('/v1/teams/ENG'), { closing: { criteria: 'MET' } })
    await rule.getByText('Completed when its criteria are met', { exact: true }).waitFor()
    t.pass('the choice stays')
    await server.ok('/v1/teams/ENG', { body: { closing: { criteria: 'ANY' } } })
  })

  await t.test('labels are made and renamed, and grouped by what is before a slash', async t => {
    await open('labels', 'Labels')
    await page.getByLabel('New label', { exact: true }).fill('Flaky')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the label Flaky').fill('Flaky test')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the label Flaky test').waitFor()
    t.ok((await names('/v1/labels')).includes('Flaky test'))
    await page.getByLabel('New label', { exact: true }).fill('area/export')
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Labels' })
    const field = list.getByLabel('Name of the label area/export')
    await field.waitFor()
    await list.getByRole('heading', { name: 'area' }).waitFor()
    await field.fill('area/exports')
    const { id } = (await server.ok<Named[]>('/v1/labels')).find(({ name }) => name === 'area/export')!
    await server.ok(`/v1/labels/${id}`, { body: { name: 'tools/export' } })
    await list.getByRole('heading', { name: 'tools' }).waitFor()
    const same = list.getByLabel('Name of the label tools/export')
    t.equal(await same.inputValue(), 'area/exports', 'what is typed stays')
    await same.and(page.locator(':focus')).waitFor()
    await server.ok(`/v1/labels/${id}`, { body: { name: 'area/export' } })
    await field.fill('area/export')
    await assertAccessibleInSchemes(t, page, 'the labels', 'labels')
    await page.goto(`${url}/board`)
    await page.getByRole('button', { name: 'New issue', exact: true }).click()
    await page.getByRole('combobox', { name: 'Labels' }).click()
    const option = page.getByRole('option', { name: 'area/export', exact: true })
    t.equal((await option.textContent())?.trim(), 'export')
    await page.getByRole('listbox', { name: 'Labels' }).getByText('area', { exact: true }).waitFor()
    await assertAccessibleInSchemes(t, page, 'a picker with groups', 'label picker')
  })

  await t.test('a token of one’s own is made, used and revoked', async t => {
    await open('tokens', 'Tokens')
    await page.getByLabel('What it is for').fill('Nightly report')
    await page.getByRole('button', { name: 'Make' }).click()
    const secret = page.getByRole('region', { name: 'Your token' })
    const token = /trk_[0-9A-Za-z]{46}/.exec((await secret.textContent()) ?? '')![0]
    t.equal((await server.call('/v1/users/me', { token })).statusCode, 200)
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('list', { name: 'Your tokens' }).getByText('Nightly report').waitFor({ state: 'detached' })
    t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
  })

  await t.test('a webhook is added with its secret, tested, and what became of it is shown', async t => {
    await open('webhooks', 'Webhooks')
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
    await page.getByLabel('Event types').fill('issue.*')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    t.match(await page.getByRole('region', { name: 'The secret for http://127.0.0.1:9/hook' }).textContent(), /whsec_/)
    await page.getByRole('button', { name: 'Send a test to http://127.0.0.1:9/hook' }).click()
    await page.getByRole('button', { name: 'Deliveries to http://127.0.0.1:9/hook' }).click()
    await page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first().waitFor()
    const [webhook] = await server.ok<Named[]>('/v1/webhooks')
    t.equal((await server.ok<object[]>(`/v1/webhooks/${webhook!.id}/deliveries`)).length, 1)
  })

  await t.test('the policy of the pages lets no inline script and nothing from elsewhere run', async t => {
    const other = await browser.newPage()
    await other.goto(url)
    const refused = await other.evaluate<string[]>(`new Promise(resolve => {
      const refused = []
      document.addEventListener('securitypolicyviolation', event => {
        refused.push(event.effectiveDirective + ' ' + event.blockedURI)
        if (refused.length === 4) resolve(refused.sort())
      })
      const inline = document.head.appendChild(document.createElement('script'))
      inline.textContent = "document.title = 'an inline script ran'"
      document.head.appendChild(document.createElement('script')).src = 'https://example.org/script.js'
      document.body.insertAdjacentHTML('beforeend', "<a id=handler onclick='document.title = 1'></a>")
      document.getElementById('handler').click()
      fetch('https://example.org/data').catch(() => undefined)
    })`)
    t.strictSame(refused, [
      'connect-src https://example.org/data',
      'script-src-attr inline',
      'script-src-elem https://example.org/script.js',
      'script-src-elem inline'
    ])
    t.match(await other.title(), /tracker/)
    await other.close()
  })

  await t.test('the plugins that are on are listed with their health', async t => {
    await open('plugins', 'Plugins')
    const list = page.getByRole('list', { name: 'Plugins' })
    await list.getByText('webhooks', { exact: true }).waitFor()
    t.strictSame((await list.locator('strong').allTextContents()).toSorted(), [...plugins].toSorted())
    t.match(await list.getByRole('listitem').filter({ hasText: 'The web interface' }).textContent(), /ready/)
  })

  await t.test('axe finds nothing in the settings', async t => {
    for (const [name, options] of SCREENS) await assertTabsAccessible(await openSignedIn(options), name)
    async function assertTabsAccessible(other: Page, name: string): Promise<void> {
      for (const tab of ['people', 'teams', 'labels', 'projects', 'webhooks', 'tokens', 'plugins']) {
        await other.goto(`${url}/settings/${tab}`)
        await other.locator('main h2 ~ *').first().waitFor()
        await other.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
        await assertAccessibleInSchemes(t, other, `the tab ${tab}, ${name}`, `settings-${tab} ${name}`)
      }
    }
  })
})

t.test('only accounts that may read see the plugins', async t => {
  const server = await testServer({ plugins: ['workspace', 'agents'] })
  t.teardown(() => server.close())
  t.match((await server.call('/v1/plugins', { token: null })).json(), { statusCode: 401 })
  const { token } = await server.agent('Reader', ['read'])
  t.match(await server.ok('/v1/plugins', { token }), [{ name: String, summary: String, health: { state: String } }])
})

/** Polls for the expected answer, up to the test's time limit. */
async function untilEqual(read: () => Promise<readonly string[]>, expected: readonly string[]): Promise<void> {
  while (JSON.stringify(await read()) !== JSON.stringify(expected)) {
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
