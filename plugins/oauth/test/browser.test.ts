import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  PASSWORD,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'
import { begin, exchange, mcp, plugins, register, type Tokens } from './client.ts'

t.test('a client is connected in the browser', needsChromium, async t => {
  const { server, url, open, openSignedIn } = await startBrowser(t, {
    plugins,
    settings: { plugins: { mcp: { rateLimit: 0 } } }
  })
  /** The program that waits for its code. */
  const received: string[] = []
  const program = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) received.push(request.url)
    response.setHeader('content-type', 'text/html').end('<h1>You may close this page</h1>')
  })
  await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    program.closeAllConnections()
    program.close()
  })
  const host = `127.0.0.1:${(program.address() as AddressInfo).port}`
  const start = async () =>
    begin(await register(server), { redirect_uri: `http://${host}/callback`, resource: `${url}/v1/mcp` })

  await t.test('the page says where the code goes, and who the agent will be', async t => {
    const flow = await start()
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/authorize?${flow.query}`)
      await page.getByText(host, { exact: true }).waitFor()
      await page.getByText('A program that calls itself “Codex”').waitFor()
      t.equal(await page.getByLabel('delete').isChecked(), false)
      t.equal(await page.getByLabel('write').isChecked(), true)
      await assertAccessibleInSchemes(t, page, `consent, ${name}`)
      await page.getByRole('combobox', { name: 'Agent' }).press('Enter')
      await page.getByRole('listbox', { name: 'Agent' }).getByText('A new agent').waitFor()
      await assertAccessibleInSchemes(t, page, `consent, the agents, ${name}`)
      await page.context().close()
    }
  })

  await t.test('who must sign in first comes back to the request, and connects a new agent', async t => {
    const flow = await start()
    const page = await open()
    await page.goto(`${url}/authorize?${flow.query}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail address').fill('admin@localhost')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Name of the new agent').fill('Laptop')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('You may close this page').waitFor()
    const sent = new URL(received.at(-1)!, `http://${host}`).searchParams
    t.equal(sent.get('state'), 'a state')
    const granted = await exchange(server, flow, sent.get('code')!, { resource: '' })
    const { access_token: token } = granted.json<Tokens>()
    t.equal((await mcp(server, token)).statusCode, 200)
    await page.context().close()
  })

  const page = await openSignedIn()

  await t.test('a refused client is told so', async t => {
    await page.goto(`${url}/authorize?${(await start()).query}`)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('You may close this page').waitFor()
    t.match(received.at(-1), /error=access_denied/)
  })

  await t.test('a wrong request is displayed, and sent nowhere', async () => {
    const flow = begin(await register(server), { redirect_uri: `http://${host}/elsewhere` })
    await page.goto(`${url}/authorize?${flow.query}`)
    await page.getByText('This client cannot be connected').waitFor()
    await page.getByText('The redirect URI is none of those').waitFor()
  })

  await t.test('the settings list the connection, and end it', async t => {
    await page.goto(`${url}/settings/agents`)
    const line = page.getByRole('list', { name: 'Connected clients' }).getByRole('listitem')
    await line.getByText('Codex as Laptop').waitFor()
    await assertAccessibleInSchemes(t, page, 'connections')
    await line.getByRole('button', { name: 'Disconnect Codex as Laptop' }).click()
    await line.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('No client is connected in this way.').waitFor()
    t.same(await server.ok('/v1/oauth/grants'), [])
  })

  await t.test('administrators choose the members who may connect an agent', async t => {
    const agent = await server.agent('Shared')
    const { id } = await server.ok<{ id: string }>('/v1/users', { body: { email: 'ann@example.org', fullname: 'Ann' } })
    await page.goto(`${url}/settings/agents`)
    await page.getByText('Shared: no members').click()
    await page.getByRole('group').filter({ hasText: 'Shared:' }).getByLabel('Ann').click()
    await page.getByText('Shared: 1 member').waitFor()
    t.match(await server.ok('/v1/oauth/agents'), [{ agentId: agent.id, connectableBy: [id] }])
  })

  await t.test('two members that are chosen one after the other may both connect an agent', async t => {
    await server.ok('/v1/users', { body: { email: 'bob@example.org', fullname: 'Bob' } })
    await server.ok('/v1/users', { body: { email: 'cleo@example.org', fullname: 'Cleo' } })
    await page.reload()
    await page.getByText('Shared: 1 member').click()
    const bothChosen = Promise.withResolvers<void>()
    await page.route('**/v1/oauth/agents/*', async route => {
      await bothChosen.promise
      await route.continue()
    })
    const people = page.getByRole('group').filter({ hasText: 'Shared:' })
    for (const name of ['Bob', 'Cleo']) await people.getByLabel(name).click()
    bothChosen.resolve()
    await page.getByText('Shared: 3 members').waitFor()
    const [shared] = await server.ok<Array<{ connectableBy: string[] }>>('/v1/oauth/agents')
    t.equal(shared?.connectableBy.length, 3)
  })
})
