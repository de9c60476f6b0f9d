import t from 'tap'
import {
  choose,
  drag,
  loseFirstAnswer,
  needsChromium,
  pick,
  settledBox,
  startBrowser
} from '../../../test/runner/chromium.ts'

t.test('Ctrl Enter files an issue from each field of the dialog', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await openSignedIn()
  for (const field of ['Title', 'Description', 'Priority']) {
    await page.goto(`${url}/board`)
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    const title = `Filed from ${String(field)}`
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel(field, { exact: true }).press('Control+Enter')
    await page.getByRole('heading', { name: title }).waitFor()
  }
})

t.test('what is typed after “c” is the title, and is kept until it is filed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'passwords', 'events', 'ui']
  })
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const page = await openSignedIn()
  await page.goto(`${url}/board?team=OPS`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await dialog.waitFor()
  await page.keyboard.type('Two words')
  t.equal(await dialog.getByLabel('Title').inputValue(), 'Two words')

  const { x, y } = await settledBox(dialog)
  const field = await settledBox(dialog.getByLabel('Title'))
  await drag(page, { x: field.x + 40, y: field.y + 10 }, [{ x: x - 40, y: field.y + 10 }])
  t.ok(await dialog.isVisible(), 'a selection that ends outside does not close it')
  await page.mouse.click(x - 40, y)
  await dialog.waitFor({ state: 'hidden' })

  await page.keyboard.press('c')
  t.equal(await dialog.getByLabel('Title').inputValue(), 'Two words', 'it is still there')
  await dialog.getByLabel('Title').press('Control+Enter')
  await page.waitForURL('**/issue/OPS-1')
  await page.getByRole('heading', { name: 'Two words' }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('c')
  t.equal(await dialog.getByLabel('Title').inputValue(), '')
  t.equal(await dialog.getByRole('combobox', { name: 'Team' }).textContent(), 'Operations')

  await t.test('what is chosen in the form goes before its column', async t => {
    const isChosen = (name: string, value: string) =>
      dialog.getByRole('combobox', { name }).getByText(value, { exact: true }).waitFor()
    await page.goto(`${url}/board?team=OPS&group=priority`)
    await page.getByRole('button', { name: 'Create in High' }).click()
    await isChosen('Priority', 'High')
    await pick(page, 'Priority', 'Low')
    await dialog.getByRole('button', { name: 'Not in High' }).waitFor({ state: 'detached' })
    await isChosen('Team', 'Operations')
    await dialog.getByLabel('Title').fill('Not so urgent')
    await dialog.getByLabel('Title').press('Control+Enter')
    await page.waitForURL('**/issue/OPS-2')
    t.equal((await server.ok<{ priority: number }>('/v1/issues/OPS-2')).priority, 4)
    await page.goto(`${url}/board?team=OPS`)
    await page.getByRole('button', { name: 'Create in In Progress' }).click()
    await dialog.getByRole('combobox', { name: 'Team' }).click()
    await choose(page, 'Team', 'Engineering')
    await dialog.getByLabel('Title').fill('Of the others')
    await dialog.getByLabel('Title').press('Control+Enter')
    await page.waitForURL('**/issue/ENG-1')
  })

  await t.test('so are labels, in the column of one', async t => {
    const [one, other] = await server.ok<Array<{ id: string; name: string }>>('/v1/labels')
    const pickLabel = async (name: string) => {
      await pick(page, 'Labels', name)
      await page.keyboard.press('Escape')
    }
    const column = dialog.getByRole('button', { name: `Not in ${one!.name}` })
    const noLabels = dialog.getByRole('combobox', { name: 'Labels' }).getByText('Labels', { exact: true })
    const { id } = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Removed soon', color: '#aa5500' } })
    await page.goto(`${url}/board?team=OPS&group=label`)
    await page.getByRole('button', { name: `Create in ${one!.name}` }).click()
    await pick(page, 'Priority', 'Low')
    await column.click()
    await noLabels.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Create in ${one!.name}` }).click()
    await pickLabel(other!.name)
    await column.waitFor()
    await pickLabel(one!.name)
    await column.waitFor({ state: 'detached' })
    t.equal(await dialog.getByRole('combobox', { name: 'Team' }).textContent(), 'Operations')
    await pickLabel(other!.name)
    await pickLabel('Removed soon')
    await server.ok(`/v1/labels/${id}`, { method: 'DELETE' })
    await noLabels.waitFor()
    await dialog.getByLabel('Title').fill('Without labels')
    await dialog.getByLabel('Title').press('Control+Enter')
    await page.waitForURL('**/issue/OPS-3')
    t.match(await server.ok('/v1/issues/OPS-3'), { priority: 4, labelIds: { length: 0 } })
  })

  await t.test('an assignee is chosen, and goes before the one of the column', async t => {
    const body = { fullname: 'Ada', email: 'ada@example.org' }
    const { id: assigneeId } = await server.ok<{ id: string }>('/v1/users', { body })
    const isAssigned = (name: string) =>
      dialog.getByRole('combobox', { name: 'Assignee' }).getByText(name, { exact: true }).waitFor()
    await page.goto(`${url}/board?team=OPS`)
    await page.getByRole('button', { name: 'Create in Todo' }).waitFor()
    await page.keyboard.press('c')
    await pick(page, 'Assignee', 'Ada')
    await isAssigned('Ada')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Create in Todo' }).waitFor()
    await page.keyboard.press('c')
    await isAssigned('Ada')
    await dialog.getByLabel('Title').fill('For Ada')
    await dialog.getByLabel('Title').press('Control+Enter')
    await page.waitForURL('**/issue/OPS-4')
    t.match(await server.ok('/v1/issues/OPS-4'), { assigneeId })

    await page.goto(`${url}/board?team=OPS&group=assignee`)
    await page.getByRole('button', { name: 'Create in Ada' }).click()
    await isAssigned('Ada')
    await pick(page, 'Assignee', 'Nobody')
    await dialog.getByRole('button', { name: 'Not in Ada' }).waitFor({ state: 'detached' })
    await isAssigned('Assignee')
    await dialog.getByLabel('Title').fill('For nobody')
    await dialog.getByLabel('Title').press('Control+Enter')
    await page.waitForURL('**/issue/OPS-5')
    t.match(await server.ok('/v1/issues/OPS-5'), { assigneeId: null })
  })
})

t.test('Escape closes the form from its description, after the list of what is typed', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  const editor = dialog.locator('[contenteditable][aria-label=Description]')
  await page.keyboard.press('c')
  await dialog.getByRole('textbox', { name: 'Description', exact: true }).click()
  await editor.waitFor()
  await page.keyboard.type('Some words /')
  const list = page.getByRole('listbox')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  t.ok(await dialog.isVisible(), 'first the list')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('c')
  await editor.getByText('Some words /').waitFor()
  await dialog.getByLabel('Title').press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

t.test('a dialog that is closed and opened again at once is open', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await openSignedIn()
  await page.goto(`${url}/board`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await dialog.waitFor()
  // The key is pressed before the browser reports that the dialog was closed.
  await page.evaluate(`(async () => {
    const dialog = document.querySelector('dialog[open]')
    dialog.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
    for (let n = 0; dialog.open && n < 1e6; n++) await null
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }))
    await new Promise(resolve => setTimeout(resolve, 500))
  })()`)
  t.ok(await dialog.isVisible())
})

t.test('the title is typed before the teams are loaded', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await openSignedIn()
  const typed = Promise.withResolvers<void>()
  await page.route('**/v1/workspace', async route => {
    await typed.promise
    await route.continue()
  })
  await page.goto(`${url}/settings/plugins`)
  await page.getByRole('list', { name: 'Plugins' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await dialog.waitFor()
  await page.keyboard.type('Two words')
  t.equal(await dialog.getByLabel('Title').inputValue(), 'Two words')
  typed.resolve()
  await dialog.getByLabel('Team').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Two words' }).waitFor()
})

t.test('an issue whose answer is slow or lost is created once, without later input', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
  const page = await openSignedIn()
  const titles = async () => {
    const body = { filters: {}, view: 'list' }
    const { issues } = await server.ok<{ issues: Array<{ title: string }> }>('/v1/issues/filter', { body })
    return issues.map(({ title }) => title)
  }
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  const title = dialog.getByLabel('Title')
  await page.goto(`${url}/board`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()

  await loseFirstAnswer(page, '**/v1/issues')
  await page.keyboard.press('c')
  await title.fill('Sent twice')
  await title.press('Control+Enter')
  await dialog.getByRole('alert').waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  await page.keyboard.press('c')
  t.equal(await title.inputValue(), 'Sent twice', 'the draft is there')
  await title.press('Control+Enter')
  await page.waitForURL('**/issue/ENG-1')
  await page.getByRole('heading', { name: 'Sent twice' }).waitFor()
  t.strictSame(await titles(), ['Sent twice'])
  await page.unroute('**/v1/issues')

  await page.keyboard.press('c')
  await title.fill('A long one')
  for (const mode of ['Edit', 'Markdown']) {
    await dialog.getByRole('button', { name: `${mode}: Description` }).click()
    const text = dialog.getByRole('textbox', { name: /^Description/ })
    await text.fill('A line.\n\n'.repeat(60))
    const create = dialog.getByRole('button', { name: 'Create issue' })
    const [button, around] = [(await create.boundingBox())!, (await dialog.boundingBox())!]
    t.ok(button.y + button.height < around.y + around.height, `the button stays in sight: ${mode}`)
  }
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.keyboard.press('Escape')

  const held = Promise.withResolvers<void>()
  await page.route('**/v1/issues', async route => {
    await held.promise
    await route.continue()
  })
  await page.keyboard.press('c')
  await title.fill('A slow one')
  await title.press('Control+Enter')
  await dialog.getByRole('button', { name: 'Create issue', disabled: true }).waitFor()
  t.notOk(await title.isEditable(), 'what is typed now would be lost')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('c')
  await dialog.getByRole('button', { name: 'Create issue', disabled: true }).waitFor()
  t.notOk(await title.isEditable(), 'it is still being created')
  await page.keyboard.press('Escape')
  held.resolve()
  const note = page.getByRole('region', { name: 'Last change' })
  await note.getByText('ENG-2 is created').waitFor()
  t.match(page.url(), /ENG-1$/, 'who has closed the form stays')
  await page.keyboard.press('c')
  t.equal(await title.inputValue(), '')
  t.ok(await title.isEditable())
  t.strictSame((await titles()).toSorted(), ['A slow one', 'Sent twice'])
})
