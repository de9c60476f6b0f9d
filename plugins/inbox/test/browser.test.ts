import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

interface Made {
  id: string
  key: string
}
interface Comment {
  parentId: string | null
  bodyMarkdown: string
  question?: { status: string }
}

t.test('the page “Needs you”', needsChromium, async t => {
  const plugins = ['workspace', 'agents', 'issues', 'comments', 'inbox', 'passwords', 'events', 'ui']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Builder')
  const issue = await server.ok<Made>('/v1/issues', { body: { teamId: 'ENG', title: 'Dates lose their zone' } })
  const ask = (bodyMarkdown: string, question: object) =>
    server.ok<Made>(`/v1/issue_comments?issueId=${issue.key}`, { token, body: { bodyMarkdown, question } })
  const comments = () => server.ok<Comment[]>(`/v1/issue_comments?issueId=${issue.key}`)
  const page = await openSignedIn()
  const inbox = page.getByRole('list', { name: 'Inbox' })
  const entryWith = (text: string) => inbox.getByRole('listitem').filter({ hasText: text })

  await t.test('without entries it says what will come', async () => {
    const stream = page.waitForResponse(answer => answer.url().includes('/v1/events'))
    await page.goto(`${url}/inbox`)
    await stream
    await page.getByText('Nothing needs you').waitFor()
  })

  await t.test('a question appears and is answered in place, with an option or a text', async t => {
    await ask('Keep the old format?', { options: ['Yes', 'No'] })
    await entryWith('Keep the old format?').getByRole('button', { name: 'No', exact: true }).click()
    await entryWith('Keep the old format?').waitFor({ state: 'detached' })
    await ask('Which zone?', {})
    await entryWith('Which zone?').getByRole('textbox', { name: 'Answer' }).click()
    await page.keyboard.type('**UTC**, always.')
    await page.keyboard.press('Control+Enter')
    await entryWith('Which zone?').waitFor({ state: 'detached' })
    const all = await comments()
    t.strictSame(
      all.filter(({ question }) => question).map(({ question }) => question!.status),
      ['ANSWERED', 'ANSWERED']
    )
    t.strictSame(
      all.filter(({ parentId }) => parentId !== null).map(({ bodyMarkdown }) => bodyMarkdown.trim()),
      ['No', '**UTC**, always.']
    )
  })

  await t.test('an edited question is displayed as it is now', async () => {
    const { id } = await ask('Which zoen?', {})
    await entryWith('Which zoen?').waitFor()
    await server.ok(`/v1/issue_comments/${id}`, { token, body: { bodyMarkdown: 'Which zone, please?' } })
    await entryWith('Which zone, please?').waitFor()
    await server.ok(`/v1/issue_comments/${id}/answer`, { body: { bodyMarkdown: 'UTC' } })
    await entryWith('Which zone, please?').waitFor({ state: 'detached' })
  })

  await t.test('an entry is marked as read, alone or with all others, and leads to its issue', async () => {
    const mention = (n: number) =>
      server.ok(`/v1/issue_comments?issueId=${issue.key}`, { token, body: { bodyMarkdown: `@Administrator ${n}` } })
    const unread = inbox.getByRole('button', { name: `Mark as read: ${issue.key}` })
    for (const n of [1, 2, 3]) await mention(n)
    await unread.nth(2).waitFor()
    await unread.first().click()
    await unread.nth(2).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await unread.first().waitFor({ state: 'detached' })
    await page.getByText('Nothing needs you').waitFor()
    await page.getByRole('button', { name: 'Show read entries' }).click()
    await inbox.getByRole('link', { name: issue.key }).first().click()
    await page.getByRole('heading', { name: 'Dates lose their zone' }).waitFor()
  })

  await t.test('a question can be answered at its issue, too', async t => {
    await ask('And in the file name?', { options: ['Yes'] })
    const question = page.getByRole('region', { name: 'Question' }).filter({ hasText: 'waits for the answer' })
    await question.getByRole('button', { name: 'Yes' }).click()
    await question.waitFor({ state: 'detached' })
    t.ok((await comments()).every(({ question }) => question === undefined || question.status === 'ANSWERED'))
  })

  await t.test('the side bar shows the number of unread entries, live', async () => {
    const place = page
      .getByRole('navigation', { name: 'Main navigation', exact: true })
      .getByRole('link', { name: 'Needs you' })
    await server.ok('/v1/inbox/read', { body: { before: new Date().toISOString() } })
    await place.getByText('unread').waitFor({ state: 'detached' })
    for (const n of [1, 2]) {
      const body = { bodyMarkdown: `@Administrator, look: ${n}` }
      await server.ok(`/v1/issue_comments?issueId=${issue.key}`, { token, body })
    }
    await place.getByText('2 unread').waitFor()
    const removed = await server.ok<Made>('/v1/issues', { token, body: { teamId: 'ENG', title: 'Removed soon' } })
    const body = { bodyMarkdown: '@Administrator, look here' }
    await server.ok(`/v1/issue_comments?issueId=${removed.key}`, { token, body })
    await place.getByText('3 unread').waitFor()
    await server.ok(`/v1/issues/${removed.key}`, { method: 'DELETE' })
    await place.getByText('2 unread').waitFor()
  })

  await t.test('an issue is watched, and watched no longer, on its page', async t => {
    const other = await server.ok<Made>('/v1/issues', { token, body: { teamId: 'ENG', title: 'Filed by an agent' } })
    const isWatching = async () => (await server.ok<{ watching: boolean }>(`/v1/issues/${other.key}/watch`)).watching
    const button = page.getByRole('switch', { name: 'Watch' })
    const state = (checked: boolean) => page.getByRole('switch', { name: 'Watch', checked }).waitFor()
    await page.goto(`${url}/issue/${other.key}`)
    await state(false)
    await button.click()
    await state(true)
    t.equal(await isWatching(), true)
    await button.click()
    await state(false)
    t.equal(await isWatching(), false)
    await server.ok(`/v1/issues/${other.key}/watch`, { method: 'POST' })
    await state(true)
  })

  await t.test('axe finds nothing in it', async t => {
    await ask('Is this all?', { options: ['Yes', `No, ${'and a long reason '.repeat(8)}`.trim()] })
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/inbox`)
      await page.getByRole('textbox', { name: 'Answer' }).waitFor()
      const { x, width } = (await page.getByRole('button', { name: 'No, and' }).boundingBox())!
      t.ok(x + width < page.viewportSize()!.width, `a long option is on the screen, ${name}`)
      await assertAccessibleInSchemes(t, page, `needs you, ${name}`, `inbox ${name}`)
    }
  })
})
