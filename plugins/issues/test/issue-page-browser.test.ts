import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  dragTo,
  loseFirstAnswer,
  NARROW,
  needsChromium,
  SCREENS,
  showEmptyProperties,
  startBrowser
} from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
  estimate: number | null
}
const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'passwords', 'events', 'ui']
const isChange = (address: string) => /\/v1\/issues\/(bulk_change|[0-9a-f-]{36})$/.test(address)
const changed = (page: Page) =>
  page.waitForResponse(answer => answer.request().method() === 'POST' && isChange(answer.url()) && answer.ok())

t.test('the page of an issue on a phone', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const labels = await server.ok<Array<{ id: string }>>('/v1/labels')
  const { id, key } = await server.ok<Issue>('/v1/issues', {
    body: {
      ...{ teamId: 'ENG', title: 'An export with a long title that goes over several lines of a small screen' },
      ...{ priority: 1, dueDate: '2026-01-02', labelIds: labels.slice(0, 3).map(({ id }) => id) },
      descriptionMarkdown: 'It breaks.\n\n- [x] shown\n- [ ] fixed'
    }
  })
  for (let n = 0; n < 3; n++) {
    await server.ok('/v1/issues', { body: { teamId: 'ENG', title: `A part, number ${n}`, parentId: id } })
  }

  await t.test('its properties are chips below the title, each with a sheet', async t => {
    const page = await session.openSignedIn(SCREENS[1]![1])
    await page.goto(`${url}/issue/${key}`)
    const status = page.getByRole('combobox', { name: 'Status' })
    await status.waitFor()
    const [title, chip, description] = await Promise.all(
      [page.getByRole('textbox', { name: 'Title', exact: true }), status, page.getByText('It breaks.')].map(
        async place => (await place.boundingBox())!
      )
    )
    t.ok(title!.y < chip!.y && chip!.y < description!.y, 'between the title and the description')
    t.ok(chip!.height >= 44, 'large enough for a thumb')
    await assertAccessibleInSchemes(t, page, 'an issue on a phone', 'issue phone')
    await showEmptyProperties(page)
    await page.getByRole('combobox', { name: 'Estimate' }).tap()
    const saved = changed(page)
    await page.getByRole('listbox', { name: 'Estimate' }).getByText('5', { exact: true }).tap()
    await saved
    t.equal((await server.ok<Issue>(`/v1/issues/${key}`)).estimate, 5)
    await assertAccessibleInSchemes(t, page, 'all properties on a phone', 'properties phone')
  })

  await t.test('at 320 px nothing makes it scroll sideways', async t => {
    const page = await session.openSignedIn(NARROW)
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await showEmptyProperties(page)
    await page.getByRole('button', { name: 'Add a sub-issue' }).tap()
    await page.getByRole('button', { name: 'Add a relation' }).tap()
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
    t.equal(await width(), 320)
    for (const name of ['Labels', 'Due date', 'Parent']) {
      await page.getByRole('combobox', { name, exact: true }).tap()
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      t.equal((await dialog.boundingBox())!.width, 320)
      t.equal(await width(), 320)
      await dialog.getByRole('button', { name: 'Done' }).tap()
      await dialog.waitFor({ state: 'detached' })
    }
  })

  await t.test('a finger drags a sub-issue by its handle, and scrolls the page beside it', async t => {
    const page = await session.openSignedIn(NARROW)
    await page.goto(`${url}/issue/${key}`)
    const rows = page.getByRole('list', { name: 'Sub-issues' }).getByRole('listitem')
    const titles = async () =>
      (await rows.getByRole('link').allTextContents()).map(text => text.replace(/.* number /, ''))
    await rows.nth(2).waitFor()
    t.strictSame(await titles(), ['0', '1', '2'])
    const mark = page.locator('li[data-mark]')
    /** Moves a finger from the handle of a row to a height within another one. */
    async function drag(from: number, to: number, share: number, isReleased = true) {
      const handle = rows.nth(from).locator('[data-handle]')
      await dragTo(handle, rows.nth(to), share, { isReleased, beforeEnd: () => mark.waitFor() })
      await mark.waitFor({ state: 'detached' })
    }
    await drag(0, 2, 0.8, false)
    t.strictSame(await titles(), ['0', '1', '2'], 'a touch that is interrupted moves nothing')
    let saved = changed(page)
    await drag(0, 2, 0.8)
    await saved
    t.strictSame(await titles(), ['1', '2', '0'])
    saved = changed(page)
    await drag(2, 1, 0.2)
    await saved
    t.strictSame(await titles(), ['1', '0', '2'])
    const { subIssues } = await server.ok<{ subIssues: Array<{ title: string }> }>(`/v1/issues/${key}/context`)
    t.strictSame(
      subIssues.map(({ title }) => title.slice(-1)),
      ['1', '0', '2']
    )
    await assertAccessibleInSchemes(t, page, 'sub-issues on a phone', 'sub-issues phone')
  })
})

t.test('the page of an issue that somebody else removes says so, and keeps what is written', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { id, key } = await server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Gone soon' } })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const comment = page.getByRole('textbox', { name: 'Comment', exact: true })
  await comment.fill('Half a comment')
  await server.ok(`/v1/issues/${id}`, { method: 'DELETE' })
  const notice = page.getByRole('alert')
  await notice.getByText(`${key} has been removed`).waitFor()
  t.equal(await notice.count(), 1, 'with nothing of the errors that follow from it')
  await server.ok(`/v1/issues/${id}/restore`, { method: 'POST' })
  await notice.waitFor({ state: 'detached' })
  t.equal(await comment.inputValue(), 'Half a comment')
})

t.test('sub-issues have progress, and an order by hand', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const parent = await file('Parent')
  const page = await session.openSignedIn()
  await page.goto(`${url}/issue/${parent.key}`)
  const others = page.getByRole('region', { name: 'Other issues' })
  const list = others.getByRole('list', { name: 'Sub-issues' })
  const titles = async () => (await list.getByRole('link').allTextContents()).map(text => text.split(' ')[1])
  const stored = async () => {
    const context = await server.ok<{ subIssues: Array<{ title: string }> }>(`/v1/issues/${parent.key}/context`)
    return context.subIssues.map(({ title }) => title)
  }

  await t.test('they are added behind “+”, one after the other', async t => {
    await others.getByRole('button', { name: 'Add a sub-issue' }).click()
    for (const title of ['One', 'Two', 'Three']) {
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await list.getByRole('link', { name: title }).waitFor()
    }
    await page.keyboard.press('Escape')
    await others.getByRole('button', { name: 'Add a sub-issue' }).and(page.locator(':focus')).waitFor()
    await others.getByText('0 of 3 done').waitFor()
    await list.getByRole('link', { name: 'Two' }).click()
    await page.getByRole('heading', { name: 'Two', level: 1 }).waitFor()
    await page.keyboard.press('s')
    const saved = changed(page)
    await choose(page, 'Status', 'Done')
    await saved
    await page.goBack()
    await others.getByText('1 of 3 done').waitFor()
    t.strictSame(await stored(), ['One', 'Two', 'Three'])
  })

  await t.test('keys move one, which keeps the focus', async t => {
    await list.getByRole('link', { name: 'One' }).focus()
    let saved = changed(page)
    await page.keyboard.press('Shift+ArrowDown')
    await saved
    saved = changed(page)
    await page.keyboard.press('Shift+ArrowDown')
    await saved
    t.strictSame(await titles(), ['Two', 'Three', 'One'])
    await list.getByRole('link', { name: 'One' }).and(page.locator(':focus')).waitFor()
    t.strictSame(await stored(), ['Two', 'Three', 'One'])
  })

  await t.test('so does the pointer, and the menu', async t => {
    let saved = changed(page)
    await list
      .getByRole('listitem')
      .filter({ hasText: 'One' })
      .dragTo(list.getByRole('listitem').filter({ hasText: 'Two' }), { targetPosition: { x: 60, y: 2 } })
    await saved
    t.strictSame(await titles(), ['One', 'Two', 'Three'])
    saved = changed(page)
    await list
      .getByRole('listitem')
      .filter({ hasText: 'Three' })
      .getByRole('button', { name: /^Actions on/ })
      .click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await saved
    t.strictSame(await stored(), ['One', 'Three', 'Two'])
    await page.locator('main').focus()
    const undone = changed(page)
    await page.keyboard.press('Control+z')
    await undone
    t.strictSame(await stored(), ['One', 'Two', 'Three'])
    // A menu closes when its row moves.
    await list.getByRole('listitem').nth(2).filter({ hasText: 'Three' }).waitFor()
    await list
      .getByRole('listitem')
      .filter({ hasText: 'Three' })
      .getByRole('button', { name: /^Actions on/ })
      .click()
    await page.getByRole('menuitem', { name: `Remove from ${parent.key}` }).click()
    await list.getByRole('link', { name: 'Three' }).waitFor({ state: 'detached' })
  })

  await t.test('one whose answer is lost is added once', async t => {
    const { id, key } = await file('Over a bad network')
    await page.goto(`${url}/issue/${key}`)
    await loseFirstAnswer(page, '**/v1/issues')
    await others.getByRole('button', { name: 'Add a sub-issue' }).click()
    await page.keyboard.type('Once')
    await page.keyboard.press('Enter')
    await others.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.keyboard.press('Enter')
    const field = others.getByLabel('Title of a new sub-issue')
    await field.and(page.locator('[value=""]')).waitFor()
    await page.unroute('**/v1/issues')
    const { total } = await server.ok<{ total: number }>('/v1/issues/filter', {
      body: { filters: { parent: { filterType: 'IS', value: [id] } }, view: 'list' }
    })
    t.equal(total, 1)
  })

  await t.test('a list item of the description becomes one, and the rest keeps its bytes', async t => {
    const descriptionMarkdown =
      '__Why__.\n\n- [ ] keep *this*\n- [ ] write the\n  test\n  - [ ] with zones\n- [x] done\n\n1) last\n'
    const { key } = await file('With a list', { descriptionMarkdown })
    const read = () => server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${key}`)
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('listitem').filter({ hasText: 'write the' }).hover()
    let saved = changed(page)
    await page.getByRole('button', { name: 'Make a sub-issue of “write the test”' }).click()
    await saved
    const subIssue = list.getByRole('link', { name: 'write the test' })
    await subIssue.waitFor()
    const subIssueKey = /ENG-\d+/.exec((await subIssue.textContent())!)![0]
    t.equal(
      (await read()).descriptionMarkdown,
      descriptionMarkdown.replace('write the\n  test\n  - [ ] with zones', `${subIssueKey} write the test`)
    )
    t.match(await server.ok(`/v1/issues/${subIssueKey}`), {
      title: 'write the test',
      descriptionMarkdown: '- [ ] with zones'
    })
    t.equal(await page.getByRole('button', { name: 'Make a sub-issue of', exact: false }).count(), 3)
    saved = changed(page)
    await page.getByRole('button', { name: 'Make a sub-issue of “last”' }).focus()
    await page.keyboard.press('Enter')
    await saved
    await list.getByRole('link', { name: 'last' }).waitFor()
    t.match((await read()).descriptionMarkdown, /\n1\) ENG-\d+ last\n$/)
    await assertAccessibleInSchemes(t, page, 'a description with a list', 'list items')
    await page.goto(`${url}/issue/${parent.key}`)
  })

  await t.test('a list item becomes one once, also when others change the text, or the connection fails', async t => {
    const subIssues = async (key: string) => {
      const { subIssues } = await server.ok<{ subIssues: Array<{ key: string }> }>(`/v1/issues/${key}/context`)
      return subIssues.map(({ key }) => key)
    }
    const { id, key } = await file('With items', { descriptionMarkdown: 'Why.\n\n- [ ] twin\n- [ ] other\n' })
    const read = async () => (await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${key}`)).descriptionMarkdown
    await page.goto(`${url}/issue/${key}`)
    const make = page.getByRole('button', { name: 'Make a sub-issue of “other”' })
    const twin = page.getByRole('button', { name: 'Make a sub-issue of “twin”' })
    await page.route('**/v1/issues', async route => {
      const descriptionMarkdown = 'Because.\n\n- [ ] new\n- [x] twin\n- [ ] other\n'
      await server.ok(`/v1/issues/${id}`, { body: { descriptionMarkdown } })
      await twin.press('Enter')
      await page.getByText('Another item is becoming a sub-issue').waitFor({ state: 'attached' })
      await route.continue()
    })
    await make.focus()
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'other' }).waitFor()
    await make.waitFor({ state: 'detached' })
    // No item can be converted until all that the last one has changed is loaded.
    await page.reload()
    const [first] = await subIssues(key)
    t.equal(await read(), `Because.\n\n- [ ] new\n- [x] twin\n- [ ] ${first} other\n`)
    await page.unroute('**/v1/issues')

    await page.route(`**/v1/issues/${id}`, route => route.abort())
    await twin.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    t.match(await read(), /twin/)
    await page.unroute(`**/v1/issues/${id}`)
    await page.reload()
    await twin.focus()
    await page.keyboard.press('Enter')
    await twin.waitFor({ state: 'detached' })
    await page.reload()
    const keys = await subIssues(key)
    t.equal(keys.length, 2, 'the second attempt creates no other one')
    t.equal(await read(), `Because.\n\n- [ ] new\n- [x] ${keys[1]} twin\n- [ ] ${first} other\n`)

    const theirs = '- [ ] newer\n'
    await page.route('**/v1/issues', async route => {
      await server.ok(`/v1/issues/${id}`, { body: { descriptionMarkdown: theirs } })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Make a sub-issue of “new”' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('is created, but somebody has changed the item meanwhile').waitFor()
    await page.unroute('**/v1/issues')
    t.equal(await read(), theirs)
    t.equal((await subIssues(key)).length, 3)
    await server.ok(`/v1/issues/${id}`, { body: { descriptionMarkdown: '- [ ] new\n' } })
    await page.reload()
    const again = page.getByRole('button', { name: 'Make a sub-issue of “new”' })
    await again.focus()
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    t.equal((await subIssues(key)).length, 4, 'an item with the same text is another one then')
    await page.goto(`${url}/issue/${parent.key}`)
  })

  await t.test('axe finds nothing in them, and in the forms', async t => {
    await others.getByRole('button', { name: 'Add a sub-issue' }).click()
    await others.getByRole('button', { name: 'Add a relation' }).click()
    await assertAccessibleInSchemes(t, page, 'an issue with sub-issues and open forms', 'sub-issues')
    await list
      .getByRole('button', { name: /^Actions on/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: /^Remove from/ }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the menu of a sub-issue', 'sub-issue menu')
  })
})
