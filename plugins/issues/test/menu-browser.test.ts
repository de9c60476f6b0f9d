import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui']
interface Filed {
  id: string
  key: string
}

t.test('the menu of an issue', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/teams', { body: { name: 'Operations', identifier: 'OPS' } })
  const title = 'Die Größe: “wrong” / 12 %'
  const descriptionMarkdown = 'Why.\n\n- [x] Met\n- [ ] Open\n\n```\n- [x] code\n```\n'
  const body = { teamId: 'ENG', title, descriptionMarkdown, priority: 2, estimate: 3 }
  const { key } = await server.ok<Filed>('/v1/issues', { body })
  const page = await openSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${url}/issue/${key}`)
  const opener = page.getByRole('button', { name: `Actions on ${key}` })
  const item = (name: string) => page.getByRole('menuitem', { name })
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')

  await t.test('it is used by keys', async t => {
    await opener.focus()
    await page.keyboard.press('Enter')
    await item('Copy link').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowUp')
    await item('Remove').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await item('Remove').waitFor({ state: 'hidden' })
    await opener.and(page.locator(':focus')).waitFor()
    t.equal(page.url(), `${url}/issue/${key}`)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('#announcer').getByText('The branch name is copied').waitFor({ state: 'attached' })
    t.equal(await copied(), 'eng-1-die-große-wrong-12')
  })

  await t.test('a key right after the one that opens it is for the menu', async t => {
    await opener.focus()
    const script = 'document.activeElement.click(); document.activeElement.textContent'
    t.equal(await page.evaluate(script), 'Copy link')
    await page.keyboard.press('Escape')
  })

  await t.test('link and Markdown are copied by pointer', async t => {
    await opener.click()
    await item('Copy link').click()
    await page.locator('#announcer').getByText('The link is copied').waitFor({ state: 'attached' })
    t.equal(await copied(), `${url}/issue/${key}`)
    await opener.click()
    await item('Copy as Markdown').click()
    await page.locator('#announcer').getByText('The Markdown is copied').waitFor({ state: 'attached' })
    t.equal(await copied(), `# ${key} ${title}\n\n${descriptionMarkdown}`)
  })

  await t.test('without TLS, where a page has no clipboard, they are copied, too', async t => {
    const page = await openSignedIn()
    await page.addInitScript('delete Navigator.prototype.clipboard')
    const descriptionMarkdown = '```\nconst n = 1\n```'
    const { key } = await server.ok<Filed>('/v1/issues', {
      body: { teamId: 'ENG', title: 'Code', descriptionMarkdown }
    })
    await page.goto(`${url}/issue/${key}`)
    const pasted = async () => {
      await page.keyboard.press('Control+k')
      const search = page.getByRole('combobox', { name: 'Search' })
      await search.waitFor()
      await page.keyboard.press('Control+v')
      const text = await search.inputValue()
      await page.keyboard.press('Escape')
      return text
    }
    await page.getByRole('button', { name: `Actions on ${key}` }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.locator('#announcer').getByText('The link is copied').waitFor({ state: 'attached' })
    t.equal(await pasted(), `${url}/issue/${key}`)
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.locator('#announcer').getByText('Code copied').waitFor({ state: 'attached' })
    t.equal((await pasted()).trim(), 'const n = 1')
    await server.ok(`/v1/issues/${key}`, { method: 'DELETE' })
    await page.close()
  })

  await t.test('a command of the palette duplicates it; the criteria of the copy are not met', async t => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Duplicate')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/issue/ENG-3`)
    t.match(await server.ok('/v1/issues/ENG-3'), {
      ...{ title: `${title} (copy)`, priority: 2, estimate: 3 },
      descriptionMarkdown: 'Why.\n\n- [ ] Met\n- [ ] Open\n\n```\n- [x] code\n```\n'
    })
  })

  await t.test('it is moved to another team, and its old key finds it', async t => {
    await page.goto(`${url}/issue/${key}`)
    await opener.click()
    await item('Move to another team…').click()
    await choose(page, 'Team', 'Operations')
    await page.waitForURL(`${url}/issue/OPS-1`)
    t.match(await server.ok(`/v1/issues/${key}`), { key: 'OPS-1' })
  })

  await t.test('a refusal is told', async () => {
    await page.route('**/v1/issues/*', route =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 409, json: { message: 'It is held.' } })
        : route.continue()
    )
    await page.getByRole('button', { name: 'Actions on OPS-1' }).click()
    await item('Remove').click()
    await page.getByRole('alert').getByText('It is held.').waitFor()
  })

  await t.test('axe finds nothing in the open menu', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/OPS-1`)
      await page.getByRole('button', { name: 'Actions on OPS-1' }).click()
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
      await assertAccessibleInSchemes(t, page, `the menu, ${name}`, `menu ${name}`)
      await page.close()
    }
  })
})
