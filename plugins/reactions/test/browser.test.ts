import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'reactions', 'passwords', 'events', 'ui']

t.test('comments have reactions, by keys and by pointer, which other browsers show', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Talked about' } })
  const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
    body: { bodyMarkdown: 'It works now.' }
  })
  const { token } = await server.agent('Builder', ['read', 'write'])
  const page = await session.openSignedIn()
  const other = await session.openSignedIn(SCREENS[1]![1])
  for (const each of [page, other]) {
    await each.goto(`${url}/issue/${key}`)
    await each.getByText('It works now.').waitFor()
  }
  const reaction = (where: typeof page, name: string) =>
    where.getByRole('group', { name: 'Reactions to the comment of Administrator' }).getByRole('button', { name })
  const opener = (where: typeof page) => where.getByRole('button', { name: 'React to the comment of Administrator' })

  await t.test('by keys', async () => {
    await opener(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Thumbs up' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await reaction(page, 'Heart, 1: Administrator').waitFor()
    await reaction(other, 'Heart, 1').waitFor()
    await server.ok(`/v1/issue_comments/${id}/reactions`, { token, body: { emoji: 'HEART' } })
    await reaction(page, 'Heart, 2: Administrator, Builder').waitFor()
  })

  await t.test('by the mouse, on a desk', async t => {
    await opener(page).click()
    await page.getByRole('menuitem', { name: 'Thumbs up' }).and(page.locator(':focus')).waitFor()
    await assertAccessibleInSchemes(t, page, 'the menu of reactions on a desk', 'reactions desk')
    await page.keyboard.press('End')
    await page.getByRole('menuitem').last().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Thumbs up' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Thumbs up' }).waitFor({ state: 'hidden' })
    await opener(page).and(page.locator(':focus')).waitFor()
    await opener(page).click()
    await page.getByRole('menuitem', { name: 'Thumbs up' }).click()
    await reaction(other, 'Thumbs up, 1').waitFor()
    await reaction(page, 'Thumbs up, 1: Administrator').click()
    await reaction(other, 'Thumbs up').waitFor({ state: 'detached' })
  })

  await t.test('by pointer, and taken back', async t => {
    await opener(other).tap()
    await other.getByRole('menuitem', { name: 'Hooray' }).tap()
    await reaction(page, 'Hooray, 1').waitFor()
    await assertAccessibleInSchemes(t, page, 'reactions', 'reactions')
    await opener(other).tap()
    await assertAccessibleInSchemes(t, other, 'the menu of reactions on a phone', 'reactions phone')
    await other.keyboard.press('Escape')
    await reaction(page, 'Heart, 2').click()
    await reaction(page, 'Heart, 1: Builder').waitFor()
    await reaction(other, 'Hooray, 1').tap()
    await reaction(page, 'Hooray').waitFor({ state: 'detached' })
  })
})
