import type { Locator } from 'playwright-core'
import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = [
  ...['workspace', 'issues', 'comments', 'projects', 'search', 'knowledge'],
  ...['passwords', 'trash', 'events', 'ui']
]
interface Stored {
  id: string
  key: string
}

t.test('what is removed is restored in the interface', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const fileIssue = (title: string) => server.ok<Stored>('/v1/issues', { body: { teamId: 'ENG', title } })
  const first = await fileIssue('First')
  const second = await fileIssue('Second')
  const body = { bodyMarkdown: 'A comment to lose' }
  const { id: commentId } = await server.ok<Stored>(`/v1/issue_comments?issueId=${second.id}`, { body })
  const page = await openSignedIn()
  const status = async (path: string) => (await server.call(path)).statusCode

  await t.test('an issue, at once', async t => {
    await page.goto(`${url}/issue/${first.key}`)
    await page.getByRole('button', { name: `Actions on ${first.key}` }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.waitForURL(`${url}/board*`)
    t.equal(await status(`/v1/issues/${first.key}`), 404)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('link', { name: first.key }).waitFor()
    t.equal(await status(`/v1/issues/${first.key}`), 200)
  })

  await t.test('a comment, by a key', async t => {
    await page.goto(`${url}/issue/${second.key}`)
    await page.getByRole('button', { name: 'Actions on the comment of Administrator' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText(body.bodyMarkdown).waitFor({ state: 'detached' })
    await page.getByText('The comment is removed').first().waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(body.bodyMarkdown).waitFor()
    t.equal(await status(`/v1/issue_comments/${commentId}`), 200)
  })

  await t.test('a project, a label and an entry of the knowledge base, at once', async t => {
    const { id: projectId } = await server.ok<Stored>('/v1/projects', { body: { name: 'Launch' } })
    const { id: labelId } = await server.ok<Stored>('/v1/labels', { body: { name: 'slow' } })
    const { id: entryId } = await server.ok<Stored>('/v1/knowledge', {
      body: { content: 'Lamps are changed in pairs.' }
    })
    const restored = async (api: string, shown: Locator) => {
      await shown.waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'Last change' }).getByText('is removed').waitFor()
      t.equal(await status(api), 404)
      await page.getByRole('button', { name: 'Restore' }).click()
      await shown.waitFor()
      t.equal(await status(api), 200)
    }
    await page.goto(`${url}/projects/${projectId}`)
    await page.getByRole('button', { name: 'Actions on Launch' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.waitForURL(`${url}/projects`)
    await restored(`/v1/projects/${projectId}`, page.getByRole('link', { name: 'Launch' }))
    await page.goto(`${url}/settings/labels`)
    await page.getByRole('button', { name: 'Actions on the label slow' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await restored(`/v1/labels/${labelId}`, page.getByLabel('Name of the label slow'))
    await page.goto(`${url}/knowledge/${entryId}`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL(`${url}/knowledge`)
    await restored(`/v1/knowledge/${entryId}`, page.getByRole('link', { name: 'Lamps are changed in pairs.' }))
  })

  await t.test('later, in the settings; administrators remove for good', async t => {
    await page.goto(`${url}/settings/trash`)
    await page.getByText('The trash is empty').waitFor()
    await server.ok(`/v1/issue_comments/${commentId}`, { method: 'DELETE' })
    await server.ok(`/v1/issues/${first.id}`, { method: 'DELETE' })
    const line = (text: string) =>
      page.getByRole('list', { name: 'Trash' }).getByRole('listitem').filter({ hasText: text })
    await line(body.bodyMarkdown).getByRole('button', { name: 'Restore' }).click()
    await line(body.bodyMarkdown).waitFor({ state: 'detached' })
    t.equal(await status(`/v1/issue_comments/${commentId}`), 200)
    await line('ENG-1 First').getByRole('button', { name: 'Remove for good' }).click()
    await line('ENG-1 First').getByText('cannot be restored').waitFor()
    await line('ENG-1 First').getByRole('button', { name: 'Remove for good', exact: true }).click()
    await page.getByText('The trash is empty').waitFor()
    t.equal(await status(`/v1/issues/${first.id}`), 404)
  })

  await t.test('by keys, with a confirmation in which axe finds nothing', async t => {
    const [third, fourth] = [await fileIssue('Third'), await fileIssue('Fourth')]
    for (const { id } of [third, fourth]) await server.ok(`/v1/issues/${id}`, { method: 'DELETE' })
    await page.goto(`${url}/settings/trash`)
    const line = (text: string) =>
      page.getByRole('list', { name: 'Trash' }).getByRole('listitem').filter({ hasText: text })
    await line('Third').getByRole('button', { name: 'Restore' }).focus()
    await page.keyboard.press('Enter')
    await line('Third').waitFor({ state: 'detached' })
    t.equal(await status(`/v1/issues/${third.id}`), 200)
    await line('Fourth').getByRole('button', { name: 'Restore' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await line('Fourth').getByText('cannot be restored').waitFor()
    await assertAccessibleInSchemes(t, page, 'the confirmation of the trash', 'trash confirmation')
    await line('Fourth').getByRole('button', { name: 'Remove for good', exact: true }).focus()
    await page.keyboard.press('Enter')
    await line('Fourth').waitFor({ state: 'detached' })
    t.equal(await status(`/v1/issues/${fourth.id}`), 404)
  })

  await t.test('axe finds nothing', async t => {
    await server.ok(`/v1/issues/${second.id}`, { method: 'DELETE' })
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/settings/trash`)
      await page.getByRole('button', { name: 'Restore' }).waitFor()
      await assertAccessibleInSchemes(t, page, `the trash, ${name}`, `trash ${name}`)
      await page.close()
    }
  })
})
