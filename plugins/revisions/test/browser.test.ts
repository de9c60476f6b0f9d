import type { Page } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import { editsOf } from '../ui/data.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'revisions', 'passwords', 'events', 'ui']
interface Stored {
  id: string
  key: string
}

const SAME = Array.from({ length: 12 }, (_, n) => `Line ${n}`).join('\n')

t.test('the edits of an entry are those of its account within its time', t => {
  const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
  const by = (id: string) => ({ id, fullname: id })
  const edits = [
    { n: 4, at: minute(31), by: by('Ada') },
    { n: 3, at: minute(12), by: by('Bob') },
    { n: 2, at: minute(10), by: by('Ada') },
    { n: 1, at: minute(2), by: by('Ada') }
  ]
  const numbers = (who: string, at: number, since?: number) =>
    editsOf(edits, {
      at: minute(at),
      ...(since !== undefined && { since: minute(since) }),
      actor: by(who)
    }).map(({ n }) => n)
  t.strictSame(numbers('Ada', 10, 2), [2, 1])
  t.strictSame(numbers('Ada', 6), [1], 'an edit goes on for five minutes')
  t.strictSame(numbers('Bob', 12), [3])
  t.strictSame(numbers('Ada', 13), [], 'the edit of another account ends it')
  t.strictSame(numbers('Ada', 31), [4])
  t.strictSame(numbers('Bob', 31), [])
  t.end()
})

t.test('the interface shows edits', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Second')
  const body = { teamId: 'ENG', title: 'Alpha', descriptionMarkdown: `Begin\n\n${SAME}\n\nEnd` }
  const { id, key } = await server.ok<Stored>('/v1/issues', { body })
  const comment = await server.ok<Stored>(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'As it was' } })
  const describe = (descriptionMarkdown: string, by = server.token) =>
    server.ok(`/v1/issues/${id}`, { token: by, body: { descriptionMarkdown } })
  await describe(`Start\n\n${SAME}\n\nEnd`)
  await describe(`Start\n\n${SAME}\n\nThe end`, token)
  const page = await openSignedIn()
  const activity = page.getByRole('region', { name: 'Activity' })
  const differenceOf = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Activity' }).getByRole('listitem').filter({ hasText: name })
  const dialog = page.getByRole('dialog', { name: `Edits of the description of ${key}` })

  await t.test('what an account changed in a description, by keys', async t => {
    await page.goto(`${url}/issue/${key}`)
    const opener = differenceOf(page, 'Second').getByRole('button', { name: 'Show the difference' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog.locator('ins', { hasText: 'The end' }).waitFor()
    t.equal(await dialog.getByRole('listitem').count(), 1, 'not the edit of the other account')
    t.match(await dialog.locator('del').textContent(), 'Removed: End')
    t.equal(await dialog.getByText('Line 3').isVisible(), false)
    const more = dialog.getByRole('button', { name: /^Show \d+ unchanged lines$/ })
    await more.focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('Line 3').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await opener.and(page.locator(':focus')).waitFor()
    t.equal(page.url(), `${url}/issue/${key}`, 'Escape does not leave the page')
  })

  await t.test('by pointer, the edit of the other account', async () => {
    await differenceOf(page, 'Administrator').getByRole('button', { name: 'Show the difference' }).click()
    await dialog.locator('ins', { hasText: 'Start' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  await t.test('a comment that is edited gets a mark, which shows who edited it, when, and what', async t => {
    const mark = page.getByRole('button', { name: 'Comment of Administrator, edited: show the edits' })
    await activity.getByText('As it was').waitFor()
    t.equal(await mark.count(), 0)
    await server.ok(`/v1/issue_comments/${comment.id}`, { body: { bodyMarkdown: 'As it is' } })
    await activity.getByText('As it is').waitFor()
    await mark.focus()
    await page.keyboard.press('Enter')
    const edits = page.getByRole('dialog', { name: 'Edits of the comment of Administrator' })
    const edit = edits.getByRole('listitem')
    await edit.getByText('Administrator', { exact: true }).waitFor()
    await edit.getByText('just now').waitFor()
    t.equal(await edit.locator('del').textContent(), 'Removed: As it was')
    t.equal(await edit.locator('ins').textContent(), 'Added: As it is')
    await edit.locator('summary').click()
    await edit.locator('ins').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await mark.and(page.locator(':focus')).waitFor()
  })

  await t.test('a former text that is not stored any more is said', async () => {
    await page.route('**/revisions', route => route.fulfill({ json: { revisions: [] } }))
    await page.reload()
    await differenceOf(page, 'Second').getByRole('button', { name: 'Show the difference' }).click()
    await dialog.getByText('The former text is not stored').waitFor()
    await page.unroute('**/revisions')
  })

  await t.test('axe finds nothing in the dialog', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await differenceOf(page, 'Second').getByRole('button', { name: 'Show the difference' }).click()
      await page.locator('dialog[open] ins').waitFor()
      await assertAccessibleInSchemes(t, page, `the edits, ${name}`, `edits ${name}`)
      const { x, width } = (await page.locator('dialog[open]').boundingBox())!
      t.ok(x >= 0 && x + width <= page.viewportSize()!.width, `the dialog is within the window, ${name}`)
      await page.close()
    }
  })
})
