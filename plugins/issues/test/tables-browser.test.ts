import t from 'tap'
import {
  assertAccessibleInSchemes,
  cursorReported,
  needsChromium,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'passwords', 'events', 'ui']
interface Issue {
  id: string
  key: string
  descriptionMarkdown: string
}

/** Written by hand: with other spaces and dashes than the server writes. */
const TABLE = '| A    |  B |\n|:-----|---:|\n| x    |  1 |\n| y y  |  2 |'
const BELOW = '| A    |  B |\n|:-----|---:|\n| x    |  1 |\n|  |  |\n| y y  |  2 |'
const ALONE = '| A |\n| --- |\n| x |'

t.test('tables gain and lose rows and columns, and are aligned', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const page = await openSignedIn()
  const { keyboard } = page
  const editor = page.locator('[contenteditable][aria-label=Description]')
  const toolbar = page.getByRole('toolbar', { name: 'Table' })
  const tool = (name: string) => toolbar.getByRole('button', { name, exact: true })
  const cell = (text: string) => editor.locator('th, td').filter({ hasText: new RegExp(`^${text}$`) })

  /** @returns the Markdown that is stored after `act` with the cursor at the end of a cell */
  async function stored(text: string, act: () => Promise<unknown>, descriptionMarkdown = TABLE): Promise<string> {
    const body = { teamId: 'ENG', title: 'Edited', descriptionMarkdown }
    const { id, key } = await server.ok<Issue>('/v1/issues', { body })
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await editor.waitFor()
    await cell(text).click()
    await cursorReported(page)
    await toolbar.waitFor()
    await act()
    await keyboard.press('Control+Enter')
    await editor.waitFor({ state: 'detached' })
    return (await server.ok<Issue>(`/v1/issues/${id}`)).descriptionMarkdown
  }

  await t.test('by pointer, and every other byte stays', async t => {
    const used = (name: string, text = 'x') => stored(text, () => tool(name).click())
    t.equal(await used('Add a row below'), BELOW)
    t.equal(await used('Add a row above'), '| A    |  B |\n|:-----|---:|\n|  |  |\n| x    |  1 |\n| y y  |  2 |')
    t.equal(await used('Remove the row'), '| A    |  B |\n|:-----|---:|\n| y y  |  2 |')
    t.equal(
      await used('Add a column before'),
      '|  | A    |  B |\n| --- |:-----|---:|\n|  | x    |  1 |\n|  | y y  |  2 |'
    )
    t.equal(
      await used('Add a column after'),
      '| A    |  |  B |\n|:-----| --- |---:|\n| x    |  |  1 |\n| y y  |  |  2 |'
    )
    t.equal(await used('Remove the column'), '|  B |\n|---:|\n|  1 |\n|  2 |')
    t.equal(await used('Align right'), '| A    |  B |\n|-----:|---:|\n| x    |  1 |\n| y y  |  2 |')
    t.equal(await used('Align center', '1'), '| A    |  B |\n|:-----|:--:|\n| x    |  1 |\n| y y  |  2 |')
    t.equal(await used('Align left'), '| A    |  B |\n|------|---:|\n| x    |  1 |\n| y y  |  2 |', 'a second use')
    t.equal(await used('Remove the row', 'A'), '| x    |  1 |\n|:-----|---:|\n| y y  |  2 |', 'the next is the head')
  })

  await t.test('by keys, with the cursor in what is new', async t => {
    const pressed = (keys: string, typed = 'new', text = 'x') =>
      stored(text, async () => {
        await keyboard.press(keys)
        await keyboard.type(typed)
      })
    t.equal(await pressed('Control+Alt+ArrowDown'), BELOW.replace('|  |  |', '| new |  |'))
    t.match(await pressed('Control+Alt+ArrowUp'), '|:-----|---:|\n| new |  |\n| x    |  1 |')
    t.match(await pressed('Control+Alt+ArrowLeft'), '|  | A    |  B |\n| --- |:-----|---:|\n| new | x    |  1 |\n')
    t.match(await pressed('Control+Alt+ArrowRight'), '| x    | new |  1 |')
    t.equal(await pressed('Control+Alt+Shift+ArrowUp', ''), '| A    |  B |\n|:-----|---:|\n| y y  |  2 |')
    t.equal(await pressed('Control+Alt+Shift+ArrowLeft', ''), '|  B |\n|---:|\n|  1 |\n|  2 |')
    t.equal(await pressed('Control+Alt+ArrowUp', '', 'A'), TABLE, 'nothing goes above the head')
    t.equal(await pressed('ArrowDown', 'after', 'y y'), `${TABLE}\n\nafter`, 'below a table at the end')
    t.equal(await pressed('Tab', 'z', 'x'), TABLE.replace('  1 ', ' z1 '), 'a cell keeps its width')
  })

  await t.test('by the keys of the toolbar, and one Ctrl Z takes it back', async t => {
    const chosen = (steps: readonly string[]) =>
      stored('x', async () => {
        await keyboard.press('Alt+F10')
        for (const key of steps) await keyboard.press(key)
      })
    t.equal(await chosen(['ArrowRight', 'Enter']), BELOW)
    t.match(await chosen(['End', 'Space']), '\n|-----:|---:|\n')
    t.equal(await chosen(['ArrowRight', 'Enter', 'Control+z']), TABLE)
    t.equal(await chosen(['Escape']), TABLE)
  })

  await t.test('the last row and the last column are the table', async t => {
    t.equal(await stored('x', () => tool('Remove the column').click(), ALONE), '')
    const removeBoth = async () => {
      await tool('Remove the row').click()
      await tool('Remove the row').click()
    }
    t.equal(await stored('x', removeBoth, `Before\n\n${ALONE}\n\nAfter`), 'Before\n\nAfter')
  })

  await t.test('its state is told, and axe finds nothing in it', async t => {
    const { key } = await server.ok<Issue>('/v1/issues', {
      body: { teamId: 'ENG', title: 'Edited', descriptionMarkdown: TABLE }
    })
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.locator('[contenteditable] th').first().click()
      const toolbar = page.getByRole('toolbar', { name: 'Table' })
      const state = (name: string, attribute: string) =>
        toolbar.getByRole('button', { name, exact: true }).getAttribute(attribute)
      t.equal(await state('Align left', 'aria-pressed'), 'true')
      t.equal(await state('Align right', 'aria-pressed'), 'false')
      t.equal(await state('Add a row above', 'aria-disabled'), 'true')
      await assertAccessibleInSchemes(t, page, `toolbar of a table, ${name}`, `table ${name}`)
      await page.close()
    }
  })
})
