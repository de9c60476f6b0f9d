import t from 'tap'
import { choose, needsChromium, pick, startBrowser } from '../../../test/runner/chromium.ts'

t.test('Ctrl Enter files an issue from each field of the dialog', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
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
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const page = await openSignedIn()
  await page.goto(`${url}/board?team=OPS`)
  await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await dialog.waitFor()
  await page.keyboard.type('Two words')
  t.equal(await dialog.getByLabel('Title').inputValue(), 'Two words')

  const { x, y } = (await dialog.boundingBox())!
  const field = (await dialog.getByLabel('Title').boundingBox())!
  await page.mouse.move(field.x + 40, field.y + 10)
  await page.mouse.down()
  await page.mouse.move(x - 40, field.y + 10)
  await page.mouse.up()
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
})

t.test('a dialog that is closed and opened again at once is open', needsChromium, async t => {
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
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
  const { url, openSignedIn } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'ui'] })
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
