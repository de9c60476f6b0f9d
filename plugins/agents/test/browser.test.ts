import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
}
const DAY_MS = 86_400_000

t.test('the page of the agents', needsChromium, async t => {
  const plugins = ['workspace', 'agents', 'issues', 'claims', 'passwords', 'events', 'ui']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const file = (title: string) =>
    server.ok<Issue>('/v1/issues', {
      body: { teamId: 'ENG', title, descriptionMarkdown: 'It breaks.\n\n- [x] found\n- [ ] mended\n' }
    })
  const page = await openSignedIn()

  await t.test('without agents it says where one is made', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/agents`)
      await page.getByText('No agents yet').waitFor()
      await assertAccessibleInSchemes(t, page, `no agents, ${name}`)
    }
  })

  const builder = await server.agent('Builder', ['read', 'write'])
  await server.agent('Idler')
  const held = await file('The export loses a day')

  await t.test('it shows, live, who works on what and when each agent was last active', async t => {
    const stream = page.waitForResponse(answer => answer.url().includes('/v1/events'))
    await page.goto(`${url}/agents`)
    await stream
    const line = page.getByRole('listitem', { name: 'Builder' })
    await line.getByText('No current work.').waitFor()
    await page.getByRole('listitem', { name: 'Idler' }).getByText('never active').waitFor()
    await server.ok(`/v1/issues/${held.id}/pick_up`, { token: builder.token, body: {} })
    const work = line.getByRole('link', { name: held.key })
    await work.getByText('The export loses a day').waitFor()
    await work.getByText('1/2 criteria').waitFor()
    await line.getByText('last active').waitFor()
    t.equal(await line.getByText('expired').count(), 0)
    await server.ok(`/v1/issues/${held.id}/release`, { token: builder.token, body: {} })
    await line.getByText('No current work.').waitFor()
  })

  await t.test('a claim that has lapsed is marked, and links to its issue', async t => {
    await server.ok(`/v1/issues/${held.id}/pick_up`, { token: builder.token, body: {} })
    const later = await openSignedIn()
    await later.clock.setFixedTime(Date.now() + DAY_MS)
    await later.goto(`${url}/agents`)
    await later.getByRole('listitem', { name: 'Builder' }).getByText('expired').waitFor()
    await later.getByRole('link', { name: held.key }).click()
    await later.getByRole('heading', { name: 'The export loses a day' }).waitFor()
    t.match(later.url(), new RegExp(`/issue/${held.key}$`))
  })

  await t.test('axe finds nothing in it', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/agents`)
      await page.getByRole('link', { name: held.key }).waitFor()
      await assertAccessibleInSchemes(t, page, `the agents, ${name}`, `agents ${name}`)
    }
  })
})
