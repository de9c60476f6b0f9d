import type { Page } from 'playwright-core'
import t from 'tap'
import { needsChromium, pick, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']

const moveTo = (page: Page, name: string) => pick(page, 'Status', name)

t.test('what the pages of issues tell is so', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const file = async (title: string, body: object = {}) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...body } })
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const stateId = (name: string) => states.find(state => state.name === name)!.id
  const { id, key } = await file('Alpha', { stateId: stateId('Backlog') })
  const page = await openSignedIn()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })

  await t.test('the draft of a new issue survives a reload', async t => {
    await page.goto(`${url}/board?team=ENG`)
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.getByLabel('Title').fill('Half a thought')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('and its reasons')
    await dialog.getByText('Draft, just now').waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.keyboard.press('c')
    t.equal(await dialog.getByLabel('Title').inputValue(), 'Half a thought')
    await dialog.getByRole('textbox', { name: 'Description' }).getByText('and its reasons').waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    t.equal(await dialog.getByLabel('Title').inputValue(), '')
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await t.test('the draft of a title survives Back and a reload, and can be saved or discarded', async t => {
    const note = page.getByRole('group', { name: 'Unsaved title' })
    await page.goto(`${url}/issue/${key}`)
    await title.fill('Alpha and more')
    // As Back does: the page is left while the field has the focus.
    await page.goBack()
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.goForward()
    await note.waitFor()
    t.equal(await title.inputValue(), 'Alpha and more')
    await page.reload()
    await note.getByRole('button', { name: 'Discard' }).click()
    t.equal(await title.inputValue(), 'Alpha')
    await title.pressSequentially('!')
    await page.reload()
    await note.getByRole('button', { name: 'Save' }).click()
    await page.getByText('changed the title from Alpha to Alpha!').waitFor()
  })

  await t.test('activity tells of titles, descriptions and due dates', async () => {
    await server.ok(`/v1/issues/${key}`, { body: { descriptionMarkdown: 'Text', dueDate: '2030-01-31' } })
    const activity = page.getByRole('region', { name: 'Activity' })
    await activity.getByText('changed the description').waitFor()
    await activity.getByText('set the due date to 2030-01-31').waitFor()
  })

  await t.test('what is undone is told as it is then', async () => {
    await page.goto(`${url}/board?team=ENG`)
    await page.getByRole('link', { name: `${key} Alpha!` }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText(`${key} is in Todo`).first().waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('#announcer').getByText(`Undone: ${key} is in Backlog again`).waitFor()
    // Exactly one.
    await page.getByRole('region', { name: 'Backlog' }).getByRole('link').waitFor()
  })

  await t.test('a card that is dropped on the head of a column is in it', async () => {
    const column = page.getByRole('region', { name: 'In Progress', exact: true })
    // It is displayed there before it is stored.
    const stored = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`))
    await page.getByRole('link', { name: `${key} Alpha!` }).dragTo(column.getByRole('heading'))
    await column.getByRole('link', { name: `${key} Alpha!` }).waitFor()
    await stored
  })

  await t.test('“By status” has a group for each status', async t => {
    await file('Beta', { stateId: stateId('In Review') })
    await page.goto(`${url}/issues?group=status`)
    await page.getByRole('link', { name: 'Beta' }).waitFor()
    t.strictSame(await page.getByRole('heading', { level: 2 }).allTextContents(), ['In Progress 1', 'In Review 1'])
  })

  await t.test('the names of cards and rows have what is visible', async t => {
    const label = await server.ok<{ id: string }>('/v1/labels', { body: { name: 'Slow', color: '#888888' } })
    const me = await server.ok<{ id: string }>('/v1/users/me')
    const { key: blocker } = await file('Gamma')
    const { key: full } = await file('Delta', {
      priority: 1,
      labelIds: [label.id],
      assigneeId: me.id,
      stateId: stateId('Todo'),
      descriptionMarkdown: '- [ ] one\n- [x] two',
      blockedByIds: [blocker]
    })
    await server.ok(`/v1/issue_comments?issueId=${full}`, { body: { bodyMarkdown: 'Hello' } })
    for (const path of ['/board?team=ENG', '/issues']) {
      await page.goto(url + path)
      const selector = `a[href$="/issue/${full}"]`
      // Names of labels come with an answer of their own.
      await page.locator(`${selector}[aria-label*=Slow]`).waitFor()
      const name = (await page.locator(selector).getAttribute('aria-label'))!
      for (const part of [`${full} Delta`, 'Blocked', 'Urgent', 'Slow', 'Administrator', '1 comment', '1/2 criteria']) {
        t.ok(name.includes(part), `${path}: “${name}” has ${part}`)
      }
    }
  })

  await t.test('print has all that is loaded, not the first screen', async t => {
    const issues = Array.from({ length: 45 }, (_, n) => ({ teamId: 'ENG', title: `Number ${n + 1}` }))
    await server.ok('/v1/issues/bulk', { body: { issues } })
    for (const path of ['/issues', '/board?team=ENG']) {
      await page.goto(url + path)
      await page.getByRole('link', { name: 'Number' }).first().waitFor()
      await page.emulateMedia({ media: 'print' })
      await page.getByRole('link', { name: 'Number' }).nth(44).waitFor()
      const height = await page.evaluate<number>('document.scrollingElement.scrollHeight')
      t.ok(height > 1800, `${path} is ${height} pixels high`)
      t.equal(await page.getByRole('button', { name: 'Search' }).isVisible(), false)
      await page.emulateMedia({ media: 'screen' })
    }
  })
})

t.test('what is stored can be changed in the interface', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  const { key, id } = await server.ok<{ key: string; id: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Alpha' }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)

  await t.test('due date and estimate', async t => {
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await page.keyboard.press('d')
    await page.keyboard.type('2030-02-03')
    await page.keyboard.press('Enter')
    await page.getByText('set the due date to 2030-02-03').waitFor()
    await page.keyboard.press('e')
    await page.keyboard.type('2.5')
    await page.keyboard.press('Enter')
    await page.getByText('set the estimate to 2.5').waitFor()
    t.match(await server.ok(`/v1/issues/${key}`), { dueDate: '2030-02-03', estimate: 2.5 })
    await pick(page, 'Estimate', 'No estimate')
    await page.getByText('set the estimate to 2.5').waitFor({ state: 'detached' })
    await moveTo(page, 'Todo')
  })

  await t.test('a comment is edited and removed', async t => {
    await page.getByRole('textbox', { name: 'Comment' }).fill('Frist')
    await page.getByRole('button', { name: 'Send' }).click()
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions on the comment of Administrator' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act('Edit')
    const thread = page.getByRole('article', { name: 'Comment of Administrator' })
    await thread.getByRole('textbox', { name: 'Comment' }).getByText('Frist').waitFor()
    await thread.getByRole('textbox', { name: 'Comment' }).fill('First')
    await thread.getByRole('button', { name: 'Save' }).click()
    await thread.getByText('First', { exact: true }).waitFor()
    await act('Edit')
    const editor = thread.getByRole('textbox', { name: 'Comment' })
    await editor.fill('First, by hand')
    const [comment] = await server.ok<Array<{ id: string }>>(`/v1/issue_comments?issueId=${key}`)
    const stored = async () => (await server.ok<{ bodyMarkdown: string }>(path)).bodyMarkdown
    const path = `/v1/issue_comments/${comment!.id}`
    await server.ok(path, { body: { bodyMarkdown: 'First, elsewhere' } })
    await page.reload()
    await editor.getByText('First, by hand').waitFor()
    await thread.getByRole('button', { name: 'Save' }).click()
    await thread.getByRole('alert').getByText('First, elsewhere').waitFor()
    t.equal(await stored(), 'First, elsewhere', 'what somebody else has written meanwhile stays')
    await server.ok(path, { body: { bodyMarkdown: 'First, again' } })
    await thread.getByRole('button', { name: 'Keep mine' }).click()
    await thread.getByRole('alert').getByText('First, again').waitFor()
    await thread.getByRole('button', { name: 'Keep mine' }).click()
    // A text field that was filled from a draft contains the text, too: wait until it is closed.
    await editor.waitFor({ state: 'detached' })
    await thread.getByText('First, by hand', { exact: true }).waitFor()
    t.equal(await stored(), 'First, by hand')
    await act('Remove')
    await thread.waitFor({ state: 'detached' })
    t.strictSame(await server.ok(`/v1/issue_comments?issueId=${key}`), [])
  })

  await t.test('an issue moves to another team, and is removed', async t => {
    await pick(page, 'Team', 'Operations')
    await page.waitForURL('**/issue/OPS-1')
    await page.getByRole('button', { name: 'Actions on OPS-1' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    t.equal((await server.call(`/v1/issues/${id}`)).statusCode, 404)
  })
})
