import type { Page } from 'playwright-core'
import t from 'tap'
import { DAY_MS } from '../../../lib/util/days.ts'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  pick,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  priority: number
  sortOrder: number
}
interface Named {
  id: string
  name: string
}

t.test('the board and the list in a browser', needsChromium, async t => {
  const session = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'comments', 'search', 'passwords', 'events', 'ui']
  })
  const { server, url } = session
  const states = await server.ok<Named[]>('/v1/ENG/workflows')
  const stateNamed = (name: string) => states.find(state => state.name === name)!.id
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const read = (key: string) => server.ok<Issue>(`/v1/issues/${key}`)
  const page = await session.openSignedIn()
  const changed = () => page.waitForResponse(answer => answer.request().method() === 'POST' && isChange(answer.url()))

  await t.test('selected issues of a grouped list are changed by one request, which can be undone', async t => {
    const [low, high] = [
      await file('Of low priority', { priority: 4 }),
      await file('Of high priority', { priority: 2 })
    ]
    await page.goto(`${url}/issues?group=priority`)
    const headings = page.getByRole('heading', { level: 2 })
    await headings.getByText('High').waitFor()
    t.strictSame(
      (await headings.allTextContents()).map(text => text.replace(/\d+$/, '').trim()),
      ['High', 'Low']
    )
    await page.getByRole('link', { name: low.key }).focus()
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: `Select ${high.key}` }).check()
    const requests: string[] = []
    page.on('request', request => {
      if (isChange(request.url())) requests.push(request.url())
    })
    const saved = changed()
    await page.getByRole('group', { name: 'Selected issues' }).getByRole('button', { name: 'Priority' }).click()
    await choose(page, 'Priority', 'Urgent')
    await saved
    t.equal(requests.length, 1)
    t.strictSame([(await read(low.key)).priority, (await read(high.key)).priority], [1, 1])
    await headings.getByText('Urgent').waitFor()

    await page.getByRole('region', { name: 'Last change' }).waitFor()
    await page.locator('main').focus()
    const undone = changed()
    await page.keyboard.press('Control+z')
    await undone
    t.strictSame([(await read(low.key)).priority, (await read(high.key)).priority], [4, 2])
    await headings.getByText('Low').waitFor()
  })

  await t.test('in the order by hand a card stays where it is put, by dragging and by keys', async t => {
    const stateId = stateNamed('Todo')
    const issues: Issue[] = []
    for (const title of ['First', 'Second', 'Third']) issues.push(await file(title, { stateId }))
    const [first, second, third] = issues as [Issue, Issue, Issue]
    await page.goto(`${url}/board?order=sortOrder`)
    const cards = page.getByRole('region', { name: 'Todo', exact: true }).getByRole('link')
    await cards.getByText('Third').waitFor()
    const order = async () =>
      (await cards.allTextContents()).flatMap(text => /First|Second|Third/.exec(text)?.[0] ?? [])
    t.strictSame(await order(), ['First', 'Second', 'Third'])

    await page.getByRole('link', { name: first.key }).focus()
    let saved = changed()
    await page.keyboard.press('Shift+ArrowDown')
    await saved
    t.ok((await read(first.key)).sortOrder > second.sortOrder)
    t.strictSame(await order(), ['Second', 'First', 'Third'])

    saved = changed()
    await cards.getByText('Third').dragTo(cards.getByText('Second'), { targetPosition: { x: 20, y: 0 } })
    await saved
    t.ok((await read(third.key)).sortOrder < second.sortOrder)
    t.strictSame(await order(), ['Third', 'Second', 'First'])
  })

  await t.test('selected cards are dragged together, also into a collapsed column, and none waits below', async t => {
    const stateId = stateNamed('Todo')
    const title = 'Several words that need more than one line of a card, because they are many'
    const [short, long] = [await file('Together', { stateId }), await file(title, { stateId, priority: 1 })]
    const others = [stateNamed('Triage'), stateNamed('Backlog')]
    await page.goto(`${url}/board?fold=${stateNamed('Done')}&hide=${others.join()}`)
    const card = ({ key }: Issue) => page.getByRole('link', { name: key })
    const heights = await Promise.all([card(short), card(long)].map(each => each.boundingBox()))
    t.ok(heights[0]!.height < heights[1]!.height - 30, 'no card has an empty line')
    await card(short).hover()
    await page.getByRole('checkbox', { name: `Select ${short.key}` }).check()
    await card(long).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('group', { name: 'Selected issues' })
    await bar.getByText('2 selected').waitFor()
    let saved = changed()
    await card(short).dragTo(page.getByRole('button', { name: 'Open Done' }))
    await saved
    const states = async () => [(await read(short.key)).stateId, (await read(long.key)).stateId]
    t.strictSame(await states(), [stateNamed('Done'), stateNamed('Done')])
    await page.getByRole('region', { name: 'Last change' }).getByText('2 issues are moved').waitFor()
    saved = changed()
    await page.keyboard.press('Control+z')
    await saved
    t.strictSame(await states(), [stateId, stateId])
    await card(short).waitFor()
    saved = changed()
    // The head of a column takes them, too.
    await card(long).dragTo(page.getByRole('heading', { name: 'In Review', exact: true }))
    await saved
    t.strictSame(await states(), [stateNamed('In Review'), stateNamed('In Review')])
  })

  await t.test('“+” of a column creates an issue there, and the board stays', async t => {
    await page.goto(`${url}/board`)
    await page.getByRole('button', { name: 'Create in In Progress' }).click()
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.getByText('In Progress', { exact: true }).waitFor()
    await page.keyboard.type('Made in its column')
    await page.keyboard.press('Control+Enter')
    const newCard = page
      .getByRole('region', { name: 'In Progress', exact: true })
      .getByRole('link', { name: 'Made in its column' })
    await newCard.waitFor()
    t.equal(new URL(page.url()).pathname, '/board')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+z')
    await newCard.waitFor({ state: 'detached' })
  })

  await t.test('a card stays where it is put while its change is on the way, whatever else changes', async t => {
    const stateId = stateNamed('Backlog')
    const above = await file('Above', { stateId })
    const below = await file('Below', { stateId })
    await page.goto(`${url}/board?order=sortOrder`)
    const cards = page.getByRole('region', { name: 'Backlog', exact: true }).getByRole('link')
    await cards.getByText('Below').waitFor()
    const order = async () => (await cards.allTextContents()).flatMap(text => /Above|Below/.exec(text)?.[0] ?? [])
    t.strictSame(await order(), ['Above', 'Below'])

    const release = Promise.withResolvers<void>()
    await page.route(`**/v1/issues/${above.id}`, async route => {
      await release.promise
      await route.continue()
    })
    await page.getByRole('link', { name: above.key }).focus()
    const saved = changed()
    await page.keyboard.press('Shift+ArrowDown')
    await server.ok(`/v1/issues/${below.id}`, { body: { priority: 1 } })
    for (const end = Date.now() + 600; Date.now() < end; await page.waitForTimeout(20)) {
      if ((await order()).join() !== 'Below,Above') break
    }
    t.strictSame(await order(), ['Below', 'Above'])
    release.resolve()
    await saved
    await page.unroute(`**/v1/issues/${above.id}`)
  })

  await t.test('keys act on the issue that has the focus, also when another one comes to stand above it', async t => {
    const stateId = stateNamed('Todo')
    const focused = await file('In focus', { stateId })
    await page.goto(`${url}/board`)
    const cards = page.getByRole('region', { name: 'Todo', exact: true }).getByRole('link')
    await cards.first().getByText('In focus').waitFor()
    await page.getByRole('link', { name: focused.key }).focus()
    const newcomer = await file('Newcomer', { stateId })
    await cards.first().getByText('Newcomer').waitFor()
    const moved = changed()
    await page.keyboard.press('Shift+ArrowRight')
    await moved
    t.equal((await read(focused.key)).stateId, stateNamed('In Progress'))
    t.equal((await read(newcomer.key)).stateId, stateId)

    await page.goto(`${url}/issues`)
    await page.getByRole('link', { name: newcomer.key }).focus()
    await file('Another newcomer', { stateId })
    await page.getByRole('link', { name: 'Another newcomer' }).waitFor()
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: `Select ${newcomer.key}`, checked: true }).waitFor()
    t.equal(await page.getByRole('checkbox', { checked: true }).count(), 1)
  })

  await t.test('a page that is opened asks for its issues while its script is on the way', async t => {
    const { key } = await file('There at once')
    const opened = await session.openSignedIn()
    const { body } = await server.call('/board', { token: null, headers: { accept: 'text/html' } })
    const later = Promise.withResolvers<void>()
    await opened.route(
      ({ pathname }) => /\/c-\w+\.js$/.test(pathname) && !body.includes(pathname),
      async route => {
        await later.promise
        await route.continue()
      }
    )
    const requests: string[] = []
    opened.on('request', request => requests.push(new URL(request.url()).pathname))
    const forIssues = opened.waitForRequest(request => request.url().endsWith('/v1/issues/filter'))
    await opened.goto(`${url}/board`, { waitUntil: 'commit' })
    await forIssues
    later.resolve()
    await opened.getByRole('link', { name: key }).waitFor()
    const count = (path: string) => requests.filter(each => each === path).length
    t.strictSame(
      [count('/v1/session'), count('/v1/workspace'), count('/v1/labels'), count('/v1/issues/filter')],
      [1, 1, 1, states.length],
      'each once, the issues of each state in one request'
    )
    await opened.context().close()
  })

  await t.test('without a focus no key of the board changes an issue', async t => {
    const { key, stateId } = await file('Not in focus', { stateId: stateNamed('Backlog') })
    await page.goto(`${url}/board`)
    await page.getByRole('link', { name: key }).waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('j')
    await page.locator(`[data-index="0"]:focus`).getByText('Not in focus').waitFor()
    t.equal((await read(key)).stateId, stateId)
  })

  await t.test('a card says what is known of its issue, and a move of it is undone', async t => {
    const { key } = await file('Carded', {
      stateId: stateNamed('Todo'),
      descriptionMarkdown: '- [x] one\n- [ ] two'
    })
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'Noted.' } })
    await page.goto(`${url}/board`)
    const card = page.getByRole('link', { name: key })
    await card.getByText('1/2').waitFor()
    t.equal(await card.getByTitle('Comments').textContent(), '1')
    await card.focus()
    const moved = changed()
    await page.keyboard.press('Shift+ArrowRight')
    await moved
    t.equal((await read(key)).stateId, stateNamed('In Progress'))
    const undone = changed()
    await page.getByRole('region', { name: 'Last change' }).getByRole('button', { name: /Undo/ }).click()
    await undone
    t.equal((await read(key)).stateId, stateNamed('Todo'))
  })

  await t.test('sub-issues, relations and links are added and removed on the page of an issue', async t => {
    const [one, other] = [await file('Parent of others'), await file('The other one')]
    await page.goto(`${url}/issue/${one.key}`)
    const others = page.getByRole('region', { name: 'Other issues' })
    await others.getByRole('button', { name: 'Add a sub-issue' }).click()
    await others.getByLabel('Title of a new sub-issue').fill('A part of it')
    await page.keyboard.press('Enter')
    await others.getByRole('link', { name: 'A part of it' }).waitFor()
    await others.getByRole('button', { name: 'Add a relation' }).click()
    await pick(page, 'This issue', 'is blocked by')
    await others.getByRole('combobox', { name: 'Another issue' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search: Another issue' }).fill('other one')
    const option = page.getByRole('option', { name: `${other.key} The other one` })
    await option.locator('svg').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Another issue' }).waitFor({ state: 'detached' })
    const opener = others.getByRole('combobox', { name: 'Another issue' })
    await opener.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search: Another issue' }).fill(other.key)
    await option.and(page.locator('[data-active]')).waitFor()
    await page.keyboard.press('Enter')
    await others.getByRole('listitem').filter({ hasText: 'is blocked by' }).waitFor()
    // The next is typed while the one before is stored.
    const address = 'https://example.org/report The report'
    const stored = Promise.withResolvers<void>()
    await page.route('**/links', async route => {
      await stored.promise
      await route.continue()
    })
    await others.getByLabel('Address, and its title').fill(address)
    await page.keyboard.press('Enter')
    await others.getByLabel('Address, and its title').fill('what comes next')
    stored.resolve()
    await others.getByRole('link', { name: 'The report' }).waitFor()
    t.equal(await others.getByLabel('Address, and its title').inputValue(), 'what comes next')
    interface Context {
      subIssues: Array<{ title: string }>
      relations: Array<{ type: string; issue: { key: string } }>
      linkedIssues: Array<{ url: string }>
    }
    const context = () => server.ok<Context>(`/v1/issues/${one.key}/context`)
    t.match(await context(), {
      subIssues: [{ title: 'A part of it' }],
      relations: [{ type: 'BLOCKED', issue: { key: other.key } }],
      linkedIssues: [{ url: 'https://example.org/report' }]
    })
    await others.getByRole('button', { name: `Remove ${other.key}` }).click()
    await others.getByRole('link', { name: other.key }).waitFor({ state: 'detached' })
    t.strictSame((await context()).relations, [])
  })

  await t.test('axe finds nothing in a grouped list with a selection', async t => {
    for (const [name, options] of SCREENS) await assertListAccessible(t, await session.openSignedIn(options), name)
  })

  async function assertListAccessible(t: Parameters<typeof assertAccessibleInSchemes>[0], page: Page, name: string) {
    await page.goto(`${url}/issues?group=status`)
    await page.getByRole('checkbox').first().check()
    await page.getByRole('group', { name: 'Selected issues' }).waitFor()
    await assertAccessibleInSchemes(t, page, `the grouped list, ${name}`, `grouped ${name}`)
  }
})

const isChange = (address: string) => /\/v1\/issues\/(bulk_change|[0-9a-f-]{36})$/.test(address)

t.test('boards leave out what was closed long ago, and say so', needsChromium, async t => {
  let clock = Date.now() - 20 * DAY_MS
  const plugins = ['workspace', 'issues', 'views', 'passwords', 'events', 'ui']
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, now: () => new Date(clock) })
  const file = (title: string) => server.ok('/v1/issues', { body: { teamId: 'ENG', title, state: 'Done' } })
  await file('Closed long ago')
  clock = Date.now()
  await file('Closed now')
  const page = await openSignedIn()
  const done = page.getByRole('region', { name: 'Done', exact: true })
  const old = page.getByText('Closed long ago')
  await page.goto(`${url}/board`)
  await done.getByText('Closed now').waitFor()
  t.equal(await old.count(), 0)
  await done.getByText('Closed over 14 days ago: hidden.').waitFor()
  t.equal(await page.getByText(/: hidden\./).count(), 2, 'the columns of closed states say so')
  await assertAccessibleInSchemes(t, page, 'a board without old closed issues', 'older')
  await done.getByRole('link', { name: 'Show all' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]closed=(&|$)/)
  await old.waitFor()
  await page.reload()
  await old.waitFor()
  t.equal(await page.getByText(/: hidden\./).count(), 0)
  await page.goto(`${url}/board?group=assignee`)
  await page.getByText('Closed now').waitFor()
  t.equal(await page.getByText('Closed over 14 days ago: hidden.').count(), 1, 'a board without such columns says so')
  await assertAccessibleInSchemes(t, page, 'a board by assignee without old closed issues', 'older by assignee')
  await page.goto(`${url}/board?group=assignee&closed=0`)
  await page.getByText('Closed issues are hidden.').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await old.waitFor()
  t.equal(await page.getByText('Closed issues are hidden.').count(), 0)
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('combobox', { name: 'Closed issues' }).getByText('Any time').waitFor()
  await page.keyboard.press('Escape')

  await page.goto(`${url}/issues`)
  await old.waitFor()
  const saved = (body: object) => server.ok<{ id: string }>('/v1/views', { body: { layout: 'board', ...body } })
  const unlimited = await saved({ name: 'All of them' })
  await page.goto(`${url}/board?view=${unlimited.id}`)
  await old.waitFor()
  const limited = await saved({ name: 'Of a month', closedWithinDays: 30 })
  await page.goto(`${url}/board?view=${limited.id}&group=stateCategory&rows=priority`)
  await old.waitFor()
  await page.getByText('Closed over 30 days ago: hidden.').first().waitFor()
})
