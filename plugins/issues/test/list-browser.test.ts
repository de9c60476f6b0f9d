import type { Locator } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, choose, needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
  title: string
  rev: number
  priority: number
  dueDate: string | null
  assigneeId: string | null
  stateCategory: string
  labelIds: string[]
}

t.test('the list is changed in place', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const { server, url } = session
  const page = await session.openSignedIn()
  const file = (title: string) => server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title } })
  const read = ({ id }: Issue) => server.ok<Issue>(`/v1/issues/${id}`)
  const [low, mid, top] = [await file('The low one'), await file('The one between'), await file('The top one')]
  const row = ({ key }: Issue) => page.getByRole('link', { name: key })
  const button = (what: string, { key }: Issue) => page.getByRole('button', { name: `Change the ${what} of ${key}` })
  const isFocused = (locator: Locator) => locator.and(page.locator(':focus')).waitFor()
  const field = ({ key }: Issue) => page.getByRole('textbox', { name: `Title of ${key}` })
  await page.goto(`${url}/issues?order=number`)
  await row(low).waitFor()

  await t.test('each property where it is displayed', async t => {
    for (const [what, label, value] of [
      ['priority', 'Priority', 'Urgent'],
      ['status', 'Status', 'In Progress'],
      ['assignee', 'Assignee', 'Administrator']
    ] as const) {
      await button(what, mid).click()
      await choose(page, label, value)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await button('labels', mid).click()
    await choose(page, 'Labels', 'Bug')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button('due date', mid).click()
    await page.keyboard.type('+3d')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { priority, stateCategory, assigneeId, labelIds, dueDate } = await read(mid)
    t.equal(priority, 1)
    t.equal(stateCategory, 'STARTED')
    t.ok(assigneeId)
    t.equal(labelIds.length, 1)
    t.ok(dueDate)
    t.equal(new URL(page.url()).pathname, '/issues', 'the issue is not opened')
    t.equal((await read(low)).priority, 0)
  })

  await t.test('of all selected issues, if it is one of them', async t => {
    await page.getByRole('checkbox', { name: `Select ${low.key}` }).check()
    await page.getByRole('checkbox', { name: `Select ${top.key}` }).check()
    await button('priority', top).click()
    await choose(page, 'Priority', 'High')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.strictSame([(await read(low)).priority, (await read(mid)).priority, (await read(top)).priority], [2, 1, 2])
    await button('priority', mid).click()
    await choose(page, 'Priority', 'Low')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.strictSame([(await read(low)).priority, (await read(mid)).priority], [2, 4], 'another one is changed alone')
    await page.keyboard.press('Escape')
  })

  await t.test('the title, by key and by pointer', async t => {
    await row(low).focus()
    await page.keyboard.press('F2')
    await isFocused(field(low))
    await page.keyboard.type('The lowest  one')
    await page.keyboard.press('Enter')
    await isFocused(page.getByRole('link', { name: 'The lowest one' }))
    t.equal((await read(low)).title, 'The lowest one')
    await page.keyboard.press('k')
    await isFocused(row(mid))

    await row(mid).hover()
    await page.getByRole('button', { name: `Rename ${mid.key}` }).click()
    await field(mid).fill('Something else')
    await page.keyboard.press('Escape')
    await isFocused(row(mid))
    t.equal((await read(mid)).title, 'The one between', 'Escape keeps the title')

    await page.keyboard.press('F2')
    await field(mid).fill('The middle one')
    await row(top).focus()
    await page.getByRole('link', { name: 'The middle one' }).waitFor()
    t.equal((await read(mid)).title, 'The middle one', 'another focus changes it')
    await page.getByRole('region', { name: 'Last change' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'The one between' }).waitFor()
    t.equal((await read(mid)).title, 'The one between')
  })

  await t.test('a refused title is not lost', async t => {
    await page.route(`**/v1/issues/${top.id}`, route => {
      const body = { message: 'Not now.', code: 'CONFLICT' }
      return route.request().method() === 'POST' ? route.fulfill({ status: 409, json: body }) : route.continue()
    })
    await row(top).focus()
    await page.keyboard.press('F2')
    await field(top).fill('Long thought about')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    t.equal(await field(top).inputValue(), 'Long thought about')
    await page.unroute(`**/v1/issues/${top.id}`)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Long thought about' }).waitFor()
    t.equal((await read(top)).title, 'Long thought about')
  })

  await t.test('columns have the width that one gives them, until it is changed again', async t => {
    const edge = (name: string) => page.getByRole('separator', { name: `Width of the column ${name}` })
    const widthOf = async (column: string) => Number(await edge(column).getAttribute('aria-valuenow'))
    const labels = await widthOf('Labels')
    const box = (await edge('Labels').boundingBox())!
    await page.mouse.move(box.x + 4, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x - 56, box.y + 10, { steps: 3 })
    await page.mouse.up()
    t.equal(await widthOf('Labels'), labels + 60)
    const cell = (await button('labels', mid).boundingBox())!
    t.equal(Math.round(cell.width), labels + 60, 'lines follow')
    await edge('Assignee').focus()
    for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowLeft')
    await button('assignee', mid).getByText('Administrator').waitFor()
    await page.reload()
    await button('assignee', mid).getByText('Administrator').waitFor()
    t.equal(await widthOf('Labels'), labels + 60, 'they are remembered')
    await edge('Labels').dblclick()
    t.equal(await widthOf('Labels'), labels)
    await page.goto(`${url}/issues?order=number&show=key,assignee`)
    await row(low).waitFor()
    t.equal(await edge('Labels').count(), 0, 'only of shown columns')
    t.equal(await edge('Key').count(), 1)
  })

  await t.test('rows are compact at once, and after a reload', async t => {
    const switchDensity = async () => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('compact')
      await page.getByRole('option', { name: 'Switch between comfortable and compact' }).click()
    }
    /** From one row to the next, and of a row itself. */
    const heights = async () => {
      const rows = page.getByRole('list', { name: 'Issues', exact: true }).getByRole('listitem')
      const [one, next] = await Promise.all([0, 1].map(n => rows.nth(n).boundingBox()))
      return [next!.y - one!.y, one!.height]
    }
    await page.goto(`${url}/issues?order=number`)
    await row(mid).waitFor()
    t.strictSame(await heights(), [40, 40])
    await switchDensity()
    await page.locator('[data-compact]').waitFor()
    t.strictSame(await heights(), [32, 32])
    await page.reload()
    await row(mid).waitFor()
    t.strictSame(await heights(), [32, 32])
    await switchDensity()
    await page.locator('[data-compact]').waitFor({ state: 'detached' })
    t.strictSame(await heights(), [40, 40])
  })

  await t.test('paper has the properties, and nothing to press', async t => {
    await page.goto(`${url}/issues?order=number`)
    await row(mid).waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const what of ['priority', 'status', 'labels', 'due date', 'assignee']) {
      t.ok(await button(what, mid).isVisible(), what)
    }
    t.notOk(await page.getByRole('button', { name: `Rename ${mid.key}` }).isVisible())
    await page.emulateMedia({ media: 'screen' })
  })

  await t.test('for everybody', async t => {
    await page.goto(`${url}/issues?order=number`)
    await row(low).waitFor()
    await assertAccessibleInSchemes(t, page, 'the list', 'list')
    await row(low).focus()
    await page.keyboard.press('F2')
    await assertAccessibleInSchemes(t, page, 'the list with a field')
    await page.keyboard.press('Escape')
  })

  await t.test('on a phone', async t => {
    await page.setViewportSize({ width: 390, height: 800 })
    t.equal(await page.getByRole('separator').count(), 0)
    await button('status', low).click()
    await choose(page, 'Status', 'In Progress')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal((await read(low)).stateCategory, 'STARTED')
    await page.setViewportSize({ width: 320, height: 700 })
    await assertAccessibleInSchemes(t, page, 'the list at 320 px', 'list phone')
  })
})
