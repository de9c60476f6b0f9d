import t from 'tap'
import { choose, needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

interface Filed {
  id: string
  key: string
}
const LABELS = 120

t.test('a browser without room for anything shows all pages', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
  const { key } = await server.ok<Filed>('/v1/issues', { body: { teamId: 'ENG', title: 'Alpha' } })
  const page = await openSignedIn()
  await page.goto(`${url}/issues`)
  await page.getByRole('link', { name: key }).waitFor()
  await page.evaluate(`{
    let text = 'x'.repeat(2 ** 20)
    for (let n = 0; text !== ''; n++) {
      try {
        localStorage.setItem('other ' + n, text)
      } catch {
        text = text.slice(0, text.length / 2)
      }
    }
  }`)
  await page.getByRole('link', { name: key }).click()
  await page.getByRole('heading', { name: 'Alpha', level: 1 }).waitFor()
  await page.goto(`${url}/board?team=ENG`)
  await page.getByRole('link', { name: key }).waitFor()
  await page.getByRole('button', { name: 'New issue' }).click()
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await dialog.getByLabel('Title').fill('Beta')
  await dialog.getByText('This browser has no room for a draft').waitFor()
  await dialog.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { name: 'Beta', level: 1 }).waitFor()
})

t.test('many labels, long titles and slow answers', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'comments', 'search', 'passwords', 'events', 'ui']
  })
  const labels: string[] = []
  for (let n = 0; n < LABELS; n++) {
    labels.push((await server.ok<Filed>('/v1/labels', { body: { name: `label ${n}`, color: '#aa5500' } })).id)
  }
  const file = (title: string, fields: object = {}) =>
    server.ok<Filed>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const last = 'label 99'
  const { key } = await file('With labels', { labelIds: [labels[0], labels[1], labels[99]] })
  const page = await openSignedIn()

  await t.test('a card says that it has more labels than it shows', async t => {
    await page.goto(`${url}/board`)
    const card = page.getByRole('link', { name: key })
    await card.getByText('+1', { exact: true }).waitFor()
    t.match(await card.getAttribute('aria-label'), last)
  })

  await t.test('of more options than are displayed, the chosen ones are', async () => {
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('combobox', { name: 'Labels' }).click()
    await page.getByRole('option', { name: last, exact: true, selected: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  await t.test('changes that are not answered yet are displayed together', async () => {
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/issues\/[0-9a-f-]{36}$/, async route => {
      await held.promise
      await route.continue()
    })
    const shown = (name: string, value: string) =>
      page.getByRole('combobox', { name, exact: true }).getByText(value, { exact: true }).waitFor()
    for (const [opener, name, value] of [
      ['p', 'Priority', 'Urgent'],
      ['s', 'Status', 'In Progress']
    ] as const) {
      await page.keyboard.press(opener)
      await choose(page, name, value)
      await shown(name, value)
    }
    await shown('Priority', 'Urgent')
    held.resolve()
    await page.getByText('changed the state from Todo to In Progress').waitFor()
    await page.unroute(/\/v1\/issues\/[0-9a-f-]{36}$/)
    await shown('Priority', 'Urgent')
  })

  await t.test('an issue with the longest title is duplicated', async t => {
    const title = `${'🐌'.repeat(4)}${'long '.repeat(199)}!`
    const { key } = await file(title)
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('button', { name: `Actions on ${key}` }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.waitForURL(address => !address.pathname.endsWith(key))
    const copy = await server.ok<{ title: string }>(`/v1/issues/${page.url().split('/').at(-1)}`)
    t.equal(copy.title, [...title].slice(0, 993).join('') + ' (copy)')
  })

  await t.test('a similar issue with a long title leaves the form of a new one as wide as it is', async t => {
    await file(`Wombats ${'dig '.repeat(240)}`)
    await server.idle()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.getByLabel('Title').fill('Wombats')
    await dialog.getByRole('region', { name: 'Similar issues' }).getByText('Wombats').waitFor()
    const [button, around] = [
      (await dialog.getByRole('button', { name: 'Create issue' }).boundingBox())!,
      (await dialog.boundingBox())!
    ]
    t.ok(button.x + button.width < around.x + around.width)
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('Escape')
  })

  await t.test('long names leave columns, rows and headings as they are', async t => {
    const title = `Numbats ${'dig '.repeat(240)}`.trim()
    const { id } = await file(title)
    await file('A part', { parentId: id })
    const heightOf = async () => (await page.getByRole('heading').getByText('Numbats').boundingBox())!.height
    await page.goto(`${url}/board?group=parent`)
    const column = page.getByRole('region', { name: 'Numbats' })
    await column.getByRole('link', { name: 'A part' }).waitFor()
    t.equal((await column.boundingBox())!.width, 292)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/board?rows=parent', '/issues?group=parent']) {
      await page.goto(url + path)
      await page.getByRole('link', { name: 'A part' }).waitFor()
      t.ok((await heightOf()) < 24, `one line: ${path}`)
    }
    await page.setViewportSize({ width: 1300, height: 860 })
  })

  await t.test('a picker that the palette opens says what for, and looks as all others', async t => {
    const { key } = await file('The other one')
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('heading', { name: 'The other one', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('This issue blocks')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This issue blocks' }).waitFor()
    const option = page.getByRole('option').first()
    await option.waitFor()
    const list = (await page.getByRole('listbox').boundingBox())!
    const { x, width } = (await option.boundingBox())!
    t.ok(x > list.x && x + width < list.x + list.width, 'an option has its space, and is not cut')
    await page.keyboard.press('Escape')
  })

  await t.test('a picker of issues chooses none that the typed text does not mean', async t => {
    const other = await file('Quokka')
    await file('The last changed one')
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('heading', { name: 'With labels', level: 1 }).waitFor()
    await page.keyboard.press('Shift+S')
    await page.getByRole('option', { name: 'The last changed one' }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/issues/filter', async route => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.type('wallaby')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search: Parent' }).fill('quokka')
    await page.keyboard.press('Enter')
    held.resolve()
    await page.getByRole('dialog', { name: 'Parent' }).waitFor({ state: 'detached' })
    await page.unroute('**/v1/issues/filter')
    await page.getByText(`Part of ${other.key} Quokka`).waitFor()
    t.equal((await server.ok<{ parentId: string }>(`/v1/issues/${key}`)).parentId, other.id)
  })

  await t.test('a list whose groups are loading says so', async () => {
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/issues/filter', async route => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${url}/issues?group=priority`)
    await page.getByText('Key', { exact: true }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    held.resolve()
    await page.getByRole('heading', { name: 'Urgent' }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    await page.unroute('**/v1/issues/filter')
  })

  await t.test('after a change is undone, no earlier one is offered as the last', async t => {
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('heading', { name: 'With labels', level: 1 }).waitFor()
    const note = page.getByRole('region', { name: 'Last change' })
    for (const value of ['High', 'Low']) {
      await page.keyboard.press('p')
      await choose(page, 'Priority', value)
      await page.getByText(`to ${value}`).waitFor()
    }
    await note.waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('#announcer').getByText('Undone').waitFor({ state: 'attached' })
    t.equal(await note.count(), 0)
    await page.getByText('to High').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('to Urgent').waitFor()
    t.equal((await server.ok<{ priority: number }>(`/v1/issues/${key}`)).priority, 1, 'the earlier one is undone, too')
  })
})
