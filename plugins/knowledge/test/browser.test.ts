import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, pick, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import { testServer } from '../../../test/runner/harness.ts'

const plugins = [
  'workspace',
  'agents',
  'issues',
  'comments',
  'projects',
  'search',
  'knowledge',
  'passwords',
  'events',
  'ui'
]
interface Made {
  id: string
  key: string
}
interface Serving {
  issue: { key: string; state: { category: string } } | null
  token: { account: { fullname: string } }
}
const CONTENT = 'The exporter writes days as UTC midnight, and readers west of it see the day before.'

t.test('reading with record=false counts as no serving, and agents may not', async t => {
  const server = await testServer({ plugins: plugins.filter(name => name !== 'ui' && name !== 'passwords') })
  t.teardown(() => server.close())
  const { token } = await server.agent('Reader')
  const issue = await server.ok<Made>('/v1/issues', { body: { teamId: 'ENG', title: 'The exporter loses days' } })
  const { id } = await server.ok<Made>('/v1/knowledge', { body: { content: CONTENT, issueId: issue.id } })
  const paths = ['/v1/knowledge?query=exporter', `/v1/knowledge/${id}?`, `/v1/knowledge/context?issueId=${issue.key}`]
  for (const path of paths) {
    const answer = await server.call(`${path}&record=false`)
    t.ok(answer.body.includes(id), path)
    t.match((await server.call(`${path}&record=false`, { token })).json(), { statusCode: 403, message: /record=false/ })
  }
  t.strictSame(await server.ok(`/v1/knowledge/${id}/servings`), [])

  await server.ok(`/v1/knowledge/context?issueId=${issue.key}`, { token })
  await server.ok(`/v1/issues/${issue.key}`, { body: { state: 'COMPLETED' } })
  t.match(await server.ok(`/v1/issues/${issue.key}/servings`), [
    { entry: { id, content: CONTENT }, token: { account: { fullname: 'Reader' } } }
  ])
  t.match(await server.ok(`/v1/knowledge/${id}/servings`), [
    { issue: { key: issue.key, state: { category: 'COMPLETED' } }, token: { account: { fullname: 'Reader' } } }
  ] satisfies Serving[])
})

t.test('entries of one kind are found', async t => {
  const server = await testServer({ plugins: plugins.filter(name => name !== 'ui' && name !== 'passwords') })
  t.teardown(() => server.close())
  await server.ok('/v1/knowledge', { body: { content: 'Dates are days, not moments.', kind: 'DECISION' } })
  await server.ok('/v1/knowledge', { body: { content: 'The tests need a zone west of UTC.', kind: 'PITFALL' } })
  const entries = await server.ok<Array<{ kind: string }>>('/v1/knowledge?kind=PITFALL')
  t.strictSame(
    entries.map(({ kind }) => kind),
    ['PITFALL']
  )
})

t.test('what is known is found, written, disputed and superseded in a browser', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { token } = await server.agent('Ada')
  const issue = await server.ok<Made>('/v1/issues', { body: { teamId: 'ENG', title: 'The exporter loses days' } })
  const body = { content: CONTENT, kind: 'PITFALL', tags: ['export'], issueId: issue.id }
  const { id } = await server.ok<Made>('/v1/knowledge', { body })
  await server.ok(`/v1/knowledge/context?issueId=${issue.key}`, { token, headers: { 'x-tracker-session': 'lima-1' } })
  await server.ok(`/v1/issues/${issue.key}`, { body: { state: 'COMPLETED' } })

  const page = await openSignedIn()
  await page.goto(`${url}/issue/${issue.key}`)
  await page.getByRole('region', { name: 'Related knowledge' }).getByText(CONTENT).waitFor()
  const activity = page.getByRole('region', { name: 'Activity' }).getByRole('listitem').filter({ hasText: 'Ada' })
  await activity.getByText('received one entry of knowledge, in lima-1').click()
  await activity.getByRole('link', { name: CONTENT }).waitFor()
  await page.locator('main').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.getByLabel('Search knowledge').fill('exporter midnight')
  await page.getByRole('link', { name: CONTENT }).click()
  const served = page.getByRole('region', { name: 'Served' })
  await served.getByText('Ada in lima-1').waitFor()
  t.match(await served.getByRole('listitem').textContent(), `${issue.key} The exporter loses days`)
  t.match(await served.getByRole('listitem').textContent(), 'Done')

  await page.getByRole('button', { name: 'Dispute' }).click()
  await page.getByText('disputed').waitFor()
  t.match(await server.ok(`/v1/knowledge/${id}`, { token }), { status: 'DISPUTED' })
  await page.getByRole('button', { name: 'Supersede…' }).click()
  await page.getByRole('textbox', { name: 'Corrected text' }).fill('Since 2.0 the exporter writes days without a time.')
  await page.getByRole('button', { name: 'Supersede', exact: true }).click()
  await page.getByText('It replaced').waitFor()
  t.match(await server.ok(`/v1/knowledge/${id}`, { token }), { status: 'SUPERSEDED' })

  await page.goto(`${url}/knowledge`)
  await page.getByRole('textbox', { name: 'Entry text' }).fill('Since 2.0 the exporter writes days without a time!')
  await pick(page, 'Kind of the entry', 'Decision')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await page.getByRole('button', { name: 'Keep both' }).click()
  await page.getByRole('region', { name: 'Served' }).waitFor()
  t.equal((await server.ok<object[]>('/v1/knowledge?record=false')).length, 2)
  t.equal((await server.ok<object[]>('/v1/knowledge?record=false&kind=DECISION')).length, 1)
  const servings = await server.ok<Serving[]>(`/v1/knowledge/${id}/servings`)
  t.notOk(
    servings.some(({ token }) => token.account.fullname !== 'Ada'),
    'browsing is no serving'
  )

  const entry = page.url()
  await page.goto(`${url}/knowledge`)
  await page.getByLabel('Search knowledge').fill('unheard of')
  await page.getByText('No matching entries').waitFor()
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
  await page.waitForFunction("document.querySelector('[data-search]').value === ''")
  await page.getByRole('link', { name: /without a time!/ }).waitFor()

  for (const [name, options] of SCREENS) {
    const other = await openSignedIn(options)
    await other.goto(`${url}/knowledge`)
    await other.getByRole('link', { name: /without a time!/ }).waitFor()
    await assertAccessibleInSchemes(t, other, `knowledge, ${name}`, `knowledge ${name}`)
    await other.goto(entry)
    await other.getByRole('region', { name: 'Served' }).getByText('Not served yet').waitFor()
    await assertAccessibleInSchemes(t, other, `an entry, ${name}`)
  }
})

t.test('people say what helped and what is wrong, and list it, on a phone, too', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key } = await server.ok<Made>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Days', descriptionMarkdown: 'They are lost.' }
  })
  const { id } = await server.ok<Made>('/v1/knowledge', { body: { content: CONTENT, issueId: key } })
  await server.ok('/v1/knowledge', { body: { content: 'Deployments happen on Tuesdays.' } })
  const { token } = await server.agent('Ada')
  await server.ok(`/v1/issues/${key}`, { token, body: { descriptionMarkdown: 'They are moved.' } })

  const page = await openSignedIn(SCREENS.find(([name]) => name === 'phone')![1])
  await page.goto(`${url}/knowledge`)
  const entries = page.getByRole('link', { name: /^Open: / })
  await entries.nth(1).waitFor()
  for (const name of ['Kind', 'Standing']) {
    const box = await page.getByRole('main').getByRole('combobox', { name }).last().boundingBox()
    t.ok(box && box.width > 70, `${name} shows what is chosen`)
  }
  await pick(page, 'Standing', 'To be checked')
  await entries.nth(1).waitFor({ state: 'detached' })
  await entries.getByText('its issue changed').click()
  await page.getByRole('button', { name: 'It helped' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('helped 1').waitFor()
  t.match(await server.ok(`/v1/knowledge/${id}?record=false`), { doubt: null, standing: { helped: 1, wrong: 0 } })
  await page.getByRole('button', { name: 'It is wrong' }).click()
  await page.getByText('wrong 1').waitFor()
  t.match(await server.ok(`/v1/knowledge/${id}?record=false`), { standing: { helped: 0, wrong: 1 } })
  await page.goto(`${url}/knowledge?standing=WRONG`)
  await entries.getByText('wrong 1').waitFor()
  t.equal(await entries.count(), 1)
})
