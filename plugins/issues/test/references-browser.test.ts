import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']
const TEXT = 'Ask @Robot Two about ENG-1, not `ENG-1`, a/ENG-1 or XYZ-1.'

t.test('what a text names is a link with a card', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const agent = await server.agent('Robot Two')
  const body = { teamId: 'ENG', title: 'The export loses dates', assigneeId: agent.id }
  await server.ok('/v1/issues', { body })
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Another', descriptionMarkdown: TEXT }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const link = page.getByRole('link', { name: 'ENG-1' })
  const mention = page.getByRole('link', { name: '@Robot Two' })
  const card = page.getByRole('tooltip')

  await t.test('on hover; the pointer can rest on the card; Escape closes it', async t => {
    await link.hover()
    await card.getByText('The export loses dates').waitFor()
    t.match(await card.textContent(), /Robot Two/)
    await card.hover()
    await page.waitForTimeout(400)
    t.ok(await card.isVisible())
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await mention.hover()
    await card.getByText('Agent').waitFor()
    await page.mouse.move(5, 5)
    await card.waitFor({ state: 'detached' })
    t.equal(await page.locator('[data-card]').count(), 2, 'nothing in code, in paths, of unknown teams')
  })

  await t.test('on focus by keys; Enter follows the link', async t => {
    await mention.focus()
    await page.keyboard.press('Tab')
    await card.getByText('The export loses dates').waitFor()
    t.equal(await link.getAttribute('aria-describedby'), await card.getAttribute('id'))
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The export loses dates' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Another' }).waitFor()
  })

  await t.test('in the editor, whose text stays what was typed', async t => {
    await page.getByRole('button', { name: /^Edit/ }).first().click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.getByText('ENG-1', { exact: true }).first().hover()
    await card.getByText('The export loses dates').waitFor()
    await page.mouse.move(5, 5)
    await card.waitFor({ state: 'detached' })
    await editor.getByText('Ask').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' ENG-1')
    await card.getByText('The export loses dates').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    t.ok(await editor.isVisible(), 'Escape closes only the card')
    await page.keyboard.type(' See ENG-1 now')
    await editor.locator('[data-card]').nth(3).waitFor()
    await page.keyboard.press('Control+Enter')
    await editor.waitFor({ state: 'detached' })
    const read = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)
    t.equal(read.descriptionMarkdown, `${TEXT} ENG-1 See ENG-1 now`)
  })

  await t.test('axe finds nothing in a card', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await page.getByRole('link', { name: 'ENG-1' }).first().focus()
      if (name === 'desk') {
        await page.getByRole('link', { name: 'ENG-1' }).first().hover()
        await page.getByRole('tooltip').getByText('The export loses dates').waitFor()
      }
      await assertAccessibleInSchemes(t, page, `card, ${name}`, `card ${name}`)
      if (name === 'phone') {
        await page.getByRole('link', { name: 'ENG-1' }).first().tap()
        // The card has this heading, too, as long as the words have the focus.
        await page.waitForURL(`${url}/issue/ENG-1`)
        await page.getByRole('heading', { name: 'The export loses dates' }).waitFor()
        t.equal(await page.getByRole('tooltip').count(), 0, 'a finger opens the link')
      }
      await page.close()
    }
  })
})
