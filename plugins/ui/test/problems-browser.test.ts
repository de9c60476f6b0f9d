import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

t.test('what fails says so, and what is under way does not look failed', needsChromium, async t => {
  const plugins = ['workspace', 'issues', 'comments', 'search', 'passwords', 'events', 'ui']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const body = { teamId: 'ENG', title: 'Dates lose their zone' }
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body })
  const page = await openSignedIn()
  const problem = page.getByRole('region', { name: 'Not done' })
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('heading', { name: body.title }).waitFor()

  await t.test('the palette says “No results.” only once the search has none', async t => {
    const answer = Promise.withResolvers<undefined>()
    await page.route('**/v1/search*', async route => {
      await answer.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.fill('zebras')
    await page.getByText('Searching…').waitFor()
    t.equal(await page.getByText('No results.').count(), 0)
    answer.resolve(undefined)
    await page.getByText('No results.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.route('**/v1/search*', route => route.fulfill({ status: 400, json: { message: 'It cannot search.' } }))
    await field.fill('giraffes')
    await page.getByText('It cannot search.').waitFor()
    await page.unrouteAll()
    await page.keyboard.press('Escape')
  })

  await t.test('an action that is refused says why, each time', async () => {
    await page.route('**/v1/session/sign_out', route => route.fulfill({ status: 503, json: { message: 'Too busy.' } }))
    const signOut = async () => {
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await problem.getByText('Too busy.').waitFor()
    }
    await signOut()
    await problem.waitFor({ state: 'detached' })
    await signOut()
    await page.unrouteAll()
  })

  await t.test('a note on a pasted text goes with it', async () => {
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await field.click()
    await page.locator('[contenteditable][aria-label="Comment"]').waitFor()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', '<p>Look <a href="javascript:alert(1)">here</a></p>')
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
    }`)
    const note = page.getByText('One address that cannot be stored')
    await note.waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article', { name: 'Comment of Administrator' }).waitFor()
    await note.waitFor({ state: 'detached' })
  })

  await t.test('a refused stream is not opened again for nobody', async t => {
    await page.route('**/v1/events*', route => route.fulfill({ status: 503, json: { message: 'Too busy.' } }))
    await page.reload()
    await page.waitForResponse(answer => answer.url().includes('/v1/events'))
    await page.context().clearCookies()
    await page.evaluate(`dispatchEvent(new Event('tracker:signed-out'))`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const streams: string[] = []
    page.on('request', request => {
      if (request.url().includes('/v1/events')) streams.push(request.url())
    })
    await page.waitForResponse(answer => answer.url().endsWith('/v1/session'))
    await page.evaluate(() => fetch('/health/live'))
    t.strictSame(streams, [])
  })
})
