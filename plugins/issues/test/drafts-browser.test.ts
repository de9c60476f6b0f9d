import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  PASSWORD,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'comments', 'projects', 'search', 'knowledge', 'passwords', 'events', 'ui']
interface Filed {
  id: string
  key: string
}

/** A button, or after “…” an item of the open menu. */
const stepOf = (page: Page, name: string) =>
  name.startsWith('… ')
    ? page.getByRole('menuitem', { name: name.slice(2), exact: true })
    : page.getByRole('button', { name, exact: true })

/** Waits until words are in the storage that another tab of the browser has, too. */
async function untilStored(other: Page, words: string): Promise<void> {
  while (!String(await other.evaluate('JSON.stringify(localStorage)')).includes(words)) await setTimeout(50)
}

/** Ends the process of a tab without any event in it. */
async function crash(tab: Page): Promise<void> {
  const crashed = tab.waitForEvent('crash')
  const cdp = await tab.context().newCDPSession(tab)
  // Nobody answers.
  cdp.send('Page.crash').catch(() => {})
  await crashed
  await tab.close()
}

t.test('every text has the same editor, and a draft that is there again', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await server.ok<Filed>('/v1/issues', { body: { teamId: 'ENG', title: 'Alpha' } })
  const body = { bodyMarkdown: 'A comment', question: { options: ['Yes'] } }
  const comment = await server.ok<Filed>(`/v1/issue_comments?issueId=${id}`, { body })
  const project = await server.ok<Filed>('/v1/projects', { body: { name: 'Launch' } })
  const entry = await server.ok<Filed>('/v1/knowledge', { body: { content: 'One fact.' } })
  const page = await openSignedIn()

  const onIssue = `/issue/${key}`
  /** Each place: its page, the steps to the field, its label, and the button that saves. */
  const PLACES: ReadonlyArray<readonly [path: string, steps: string[], label: string, button: string]> = [
    [onIssue, ['Edit'], 'Description', 'Save'],
    [onIssue, [], 'Comment', 'Send'],
    [onIssue, ['Reply'], 'Reply', 'Send'],
    [onIssue, [], 'Answer', 'Answer'],
    [onIssue, ['Actions on the comment of Administrator', '… Edit'], 'Edited comment', 'Save'],
    ['/board', ['New issue'], 'Description', 'Create issue'],
    ['/knowledge', [], 'Entry text', 'Add entry'],
    [`/knowledge/${entry.id}`, ['Supersede…'], 'Corrected text', 'Supersede'],
    [`/projects/${project.id}`, ['Edit'], 'Description', 'Save'],
    [`/projects/${project.id}`, ['Write an update'], 'Update', 'Post update']
  ]
  for (const [path, steps, label, button] of PLACES) {
    await t.test(`${label}, ${button}, at ${path}`, async t => {
      const field = page.locator(`[contenteditable][aria-label="${label}"]`).first()
      await page.goto(url + path)
      for (const step of steps) await stepOf(page, step).first().click()
      await page.getByRole('textbox', { name: label, exact: true }).first().click()
      await field.waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' Mine is **bold** now')
      await page.getByText('Draft, just now').waitFor()
      await page.reload()
      if (path === '/board') await page.getByRole('button', { name: 'New issue', exact: true }).click()
      await field.getByText('Mine is bold now').waitFor()
      t.equal(await field.locator('strong').textContent(), 'bold')
      await page.goto(`${url}/drafts`)
      await page.getByRole('list', { name: 'Drafts' }).getByRole('link').click()
      await field.getByText('Mine is bold now').waitFor()
      if (button === 'Create issue') await page.getByLabel('Title').fill('Beta')
      const form = field.locator(`xpath=ancestor::*[.//button[normalize-space()="${button}"]][1]`)
      await form.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('link', { name: 'Drafts' }).first().waitFor({ state: 'detached' })
    })
  }
  t.match(await server.ok(`/v1/issues/${key}`), { descriptionMarkdown: 'Mine is **bold** now' })
  t.match(await server.ok(`/v1/projects/${project.id}`), { descriptionMarkdown: 'Mine is **bold** now' })
  t.match(await server.ok(`/v1/issue_comments/${comment.id}`), { bodyMarkdown: 'A comment Mine is **bold** now' })

  await t.test('the titles of a new issue and of a sub-issue are drafts, too', async t => {
    await page.goto(url + onIssue)
    await page.getByRole('button', { name: 'Add a sub-issue' }).click()
    const subIssue = page.getByLabel('Title of a new sub-issue')
    await subIssue.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('A part')
    await page.reload()
    await subIssue.waitFor()
    t.equal(await subIssue.inputValue(), 'A part')
    t.equal(await page.locator('input:focus').count(), 0, 'keys act on the page')
    await page.keyboard.press('c')
    const title = page.getByRole('dialog').getByLabel('Title')
    await title.fill('Gamma')
    await page.getByText('Draft, just now').waitFor()
    await page.goto(`${url}/drafts`)
    await page.getByRole('link', { name: `New sub-issue of ${key}` }).waitFor()
    await page.getByRole('link', { name: 'New issue' }).click()
    await title.waitFor()
    t.equal(await title.inputValue(), 'Gamma')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(url + onIssue)
    await subIssue.press('Enter')
    await page.getByRole('link', { name: /A part/ }).waitFor()
    t.equal(await subIssue.inputValue(), '')
    await page.getByRole('link', { name: 'Drafts' }).first().waitFor({ state: 'detached' })
  })

  await t.test('drafts survive a crash of the tab, and the way back', async () => {
    for (const [label, words] of [
      ['Description', 'Described before it crashed'],
      ['Comment', 'Said before it crashed']
    ] as const) {
      const tab = await page.context().newPage()
      await tab.goto(url + onIssue)
      const field = (where: Page) => where.locator(`[contenteditable][aria-label="${label}"]`)
      if (label === 'Description') await tab.getByRole('button', { name: 'Edit', exact: true }).click()
      else await tab.getByRole('textbox', { name: label, exact: true }).click()
      await field(tab).and(tab.locator(':focus')).waitFor()
      await tab.keyboard.press('Control+End')
      await tab.keyboard.type(` ${words}`)
      await tab.getByText('Draft, just now').waitFor()
      await untilStored(page, words)
      await crash(tab)
      const next = await page.context().newPage()
      await next.goto(url + onIssue)
      await field(next).getByText(words).waitFor()
      if (label === 'Comment') {
        await next.getByRole('link', { name: 'Drafts' }).first().click()
        await next.waitForURL(`${url}/drafts`)
        await next.goBack()
        await field(next).getByText(words).waitFor()
      }
      await next.getByRole('button', { name: 'Discard' }).click()
      await next.getByText(words).waitFor({ state: 'detached' })
      await next.close()
    }
  })

  await t.test('drafts survive signing out, and are shown to nobody else', async t => {
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await page.goto(url + onIssue)
    await field.click()
    await page.keyboard.type('Only mine')
    await page.getByText('Draft, just now').waitFor()
    const invited = await server.ok<{ token: string }>('/v1/users', {
      body: { fullname: 'Somebody Else', email: 'else@example.org', role: 'MEMBER' }
    })
    const signIn = (data: object) => page.request.post(`${url}/v1/passwords/sign_in`, { data, headers: SAME_ORIGIN })
    await page.request.post(`${url}/v1/session/sign_out`, { data: {}, headers: SAME_ORIGIN })
    const data = { token: invited.token, password: PASSWORD }
    t.ok((await page.request.post(`${url}/v1/passwords/first`, { data, headers: SAME_ORIGIN })).ok())
    await page.goto(url + onIssue)
    await field.waitFor()
    t.equal(await page.getByText('Only mine').count(), 0)
    t.equal(await page.getByRole('link', { name: 'Drafts' }).count(), 0)
    await page.request.post(`${url}/v1/session/sign_out`, { data: {}, headers: SAME_ORIGIN })
    t.ok((await signIn({ email: 'admin@localhost', password: PASSWORD })).ok())
    await page.goto(url + onIssue)
    await page.getByText('Only mine').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Drafts' }).first().waitFor({ state: 'detached' })
  })

  await t.test('leaving a stored text saves it; another window does not', async t => {
    await page.goto(url + onIssue)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('[contenteditable][aria-label=Description]').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and left')
    await page.evaluate('document.hasFocus = () => false; document.activeElement.blur()')
    await page.evaluate('delete document.hasFocus')
    t.notMatch(await server.ok(`/v1/issues/${key}`), { descriptionMarkdown: /left/ })
    await page.locator('[contenteditable][aria-label=Description]').click()
    const saved = page.waitForResponse(answer => answer.url().endsWith(`/v1/issues/${id}`))
    await page.getByRole('textbox', { name: 'Title', exact: true }).click()
    await saved
    t.match(await server.ok(`/v1/issues/${key}`), { descriptionMarkdown: 'Mine is **bold** now and left' })
  })

  await t.test('what is typed before the editor is there stays', async t => {
    const fresh = await openSignedIn()
    const loadEditor = await holdEditor(fresh)
    await fresh.goto(url + onIssue)
    await fresh.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await fresh.keyboard.type('*')
    await loadEditor()
    await fresh.keyboard.type('*early** and late')
    await fresh.keyboard.press('Control+Enter')
    await fresh.getByRole('article').getByText('early and late').waitFor()
    t.equal(await fresh.getByRole('article').locator('strong').last().textContent(), 'early')
    // The next one has the editor.
    await fresh.locator('[contenteditable][aria-label=Comment]').waitFor()
  })

  await t.test('keys are for the field, also while its editor is loaded', async t => {
    const fresh = await openSignedIn()
    const loadEditor = await holdEditor(fresh)
    await fresh.goto(url + onIssue)
    await fresh.getByRole('region', { name: 'Description' }).getByText('Mine is bold now').waitFor()
    await fresh.keyboard.press('Shift+E')
    await fresh.keyboard.type('gi')
    t.equal(await fresh.locator('[contenteditable]').count(), 0)
    await loadEditor()
    const editor = fresh.locator('[contenteditable][aria-label=Description]')
    await editor.and(fresh.locator(':focus')).waitFor()
    await fresh.keyboard.type('First. ')
    await editor.getByText(/^First\. Mine is/).waitFor()
  })

  await t.test('axe finds nothing in fields with drafts, in either mode', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      for (const mode of ['Edit', 'Markdown']) {
        await page.goto(url + onIssue)
        await page.getByRole('button', { name: `${mode}: Comment` }).click()
        const field = page.getByRole('textbox', { name: 'Comment' }).first()
        await field.click()
        await field.and(page.locator(':focus')).waitFor()
        await page.keyboard.type('# Some text')
        await page.getByText('Draft, just now').waitFor()
        await assertAccessibleInSchemes(t, page, `a comment, ${mode}, ${name}`, `comment ${mode} ${name}`)
      }
      await page.goto(`${url}/drafts`)
      await page.getByRole('list', { name: 'Drafts' }).getByRole('link').waitFor()
      await assertAccessibleInSchemes(t, page, `drafts, ${name}`, `drafts ${name}`)
      await page.context().close()
    }
  })
})
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** Holds the chunk of the editor, as a slow network does. @returns a function that resolves when it has been loaded */
async function holdEditor(page: Page): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  await page.route('**/assets/c-*.js', async route => {
    const answer = await route.fetch()
    if ((await answer.text()).includes('clipboardTextParser')) {
      held.resolve(route.request().url())
      await released.promise
    }
    await route.fulfill({ response: answer })
  })
  return async () => {
    const address = await held.promise
    released.resolve()
    // The same module as the page's: it is evaluated once.
    await page.evaluate(`import(${JSON.stringify(address)})`)
  }
}
