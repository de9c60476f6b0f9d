import t from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

t.test('what the settings, the inbox and the knowledge tell is so', needsChromium, async t => {
  const plugins = ['workspace', 'agents', 'issues', 'comments', 'projects', 'search', 'knowledge', 'inbox']
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: [...plugins, 'webhooks', 'passwords', 'events', 'ui']
  })
  const { token } = await server.agent('Builder')
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Alpha' } })
  const page = await openSignedIn()

  await t.test('beside the secret of a new webhook nothing says that there are none', async t => {
    await page.goto(`${url}/settings/webhooks`)
    await page.getByText('No webhooks').waitFor()
    // Delays the list.
    await page.route('**/v1/webhooks', async route => {
      if (route.request().method() === 'GET') await new Promise(resolve => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByLabel('Address').fill('https://example.org/hook')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('shown only now').waitFor()
    t.equal(await page.getByText('No webhooks').count(), 0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  await t.test('what would be refused is not offered', async t => {
    await page.goto(`${url}/settings/people`)
    await page.getByText('The only administrator').waitFor()
    t.equal(await page.getByRole('button', { name: 'Remove Administrator' }).count(), 0)
    await page.goto(`${url}/settings/teams`)
    await page.getByRole('button', { name: 'Actions on the team ENG' }).click()
    await page.getByRole('menuitem', { disabled: true }).getByText('An issue is in it: move it first.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions on the state Canceled' }).click()
    await page.getByRole('menuitem', { name: 'Remove', disabled: false }).click()
    await page.getByRole('button', { name: 'Actions on the state Canceled' }).waitFor({ state: 'detached' })
  })

  await t.test('an answered question leaves “Needs you”', async t => {
    const body = { bodyMarkdown: 'Which zone?', question: { options: ['UTC'] } }
    await server.ok(`/v1/issue_comments?issueId=${key}`, { token, body })
    await page.goto(`${url}/inbox`)
    await page.getByRole('button', { name: 'UTC', exact: true }).click()
    await page.getByText('Nothing needs you').waitFor()
    await page.getByRole('button', { name: 'Show read entries' }).click()
    await page.getByRole('list', { name: 'Inbox' }).getByText('asks about').waitFor()
    t.equal(await page.getByRole('link', { name: `${key} Alpha` }).count(), 1)
  })

  await t.test('knowledge is shown as it is meant', async t => {
    const content = 'Run **every** test with `npm test`:\n\n- one\n- two'
    const { id } = await server.ok<{ id: string }>('/v1/knowledge', { body: { content } })
    for (const path of ['/knowledge', `/knowledge/${id}`]) {
      await page.goto(url + path)
      await page.locator('strong', { hasText: 'every' }).waitFor()
      await page.locator('code', { hasText: 'npm test' }).waitFor()
      t.equal(await page.locator('main li', { hasText: /^(one|two)$/ }).count(), 2, path)
    }
  })
})
