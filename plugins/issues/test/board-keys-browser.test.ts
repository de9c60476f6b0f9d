import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { needsChromium, startBrowser, type Session } from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  sortOrder: number
}
const plugins = ['workspace', 'issues', 'passwords', 'events', 'ui']

/** A board with issues in some of its states, and helpers for its keys. */
async function openBoard({ server, url, openSignedIn }: Session) {
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const idOf = (name: string) => states.find(state => state.name === name)!.id
  const file = (title: string, state: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, stateId: idOf(state), ...fields } })
  const stateOf = async (issue: Issue) => {
    const { stateId } = await server.ok<Issue>(`/v1/issues/${issue.key}`)
    return states.find(({ id }) => id === stateId)!.name
  }
  const page = await openSignedIn()
  const settled = settling(page)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  return {
    server,
    page,
    settled,
    file,
    stateOf,
    idOf,
    column,
    go: (query = '') => page.goto(`${url}/board${query}`),
    titles: async (name: string) => (await column(name).locator('a strong').allTextContents()).join(' '),
    change: (issue: Issue, body: object) => server.ok(`/v1/issues/${issue.id}`, { body })
  }
}

/** Waits until the card of an issue has the focus. */
const focused = (page: Page, { key }: Issue) => page.locator('a:focus').getByText(key, { exact: true }).waitFor()
/** Without a pending request: after so many, everything is sent, answered, and refetched. */
const QUIET_ROUNDS = 8
const ROUND_MS = 50
/** A page on a slow processor sends what a key asks for later: when it has done all before. */
const IDLE = 'new Promise(resolve => requestIdleCallback(resolve))'
/** @returns a function that waits until every change is answered and refetched */
function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let changes = 0
  const note = (change: (request: Request) => void) => (request: Request) => {
    if (request.method() !== 'POST') return
    change(request)
    changes++
  }
  page.on(
    'request',
    note(request => open.add(request))
  )
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    page.on(
      end as 'requestfinished',
      note(request => open.delete(request))
    )
  }
  return async () => {
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds++) {
      const before = changes
      await page.evaluate(IDLE)
      await page.waitForTimeout(ROUND_MS)
      if (open.size > 0 || changes !== before) rounds = 0
    }
  }
}

t.test('keys move the issue that had the focus, and no other', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const board = await openBoard(session)
  const { page, settled, file, stateOf, column } = board

  await t.test('through columns with other issues', async t => {
    const beta = await file('Beta', 'In Progress')
    const alpha = await file('Alpha', 'Todo')
    await board.go()
    await column('Todo').getByRole('link', { name: alpha.key }).waitFor()
    await column('In Progress').getByRole('link', { name: beta.key }).waitFor()
    await page.keyboard.press('j')
    await focused(page, alpha)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await column('In Review').getByRole('link', { name: alpha.key }).waitFor()
    await focused(page, alpha)
    await settled()
    t.strictSame([await stateOf(alpha), await stateOf(beta)], ['In Review', 'In Progress'])

    await page.keyboard.press('Shift+ArrowLeft')
    await focused(page, alpha)
    await settled()
    await page.keyboard.press('Shift+ArrowLeft')
    await settled()
    await page.keyboard.press('Shift+ArrowRight')
    await focused(page, alpha)
    await settled()
    t.strictSame([await stateOf(alpha), await stateOf(beta)], ['In Progress', 'In Progress'])
    await page.keyboard.press('j')
    await focused(page, beta)
  })

  await t.test('while the answers are slow, and in the order in which the keys were pressed', async t => {
    const [slow] = [await file('Slow', 'Backlog')]
    await board.go()
    await column('Backlog').getByRole('link', { name: slow.key }).focus()
    let waitMs = 600
    await page.route(`**/v1/issues/${slow.id}`, async route => {
      await new Promise(resolve => setTimeout(resolve, (waitMs -= 250)))
      await route.continue()
    })
    for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowRight')
    await column('In Review').getByRole('link', { name: slow.key }).waitFor()
    await focused(page, slow)
    await settled()
    await page.unroute(`**/v1/issues/${slow.id}`)
    t.equal(await stateOf(slow), 'In Review')
    await column('In Review').getByRole('link', { name: slow.key }).waitFor()
  })

  await t.test('into an empty column', async t => {
    const { key, id } = await file('Alone', 'Todo')
    const alone = { key, id } as Issue
    await board.go('?priority=1')
    await board.change(alone, { priority: 1 })
    await column('Todo').getByRole('link', { name: key }).focus()
    for (const name of ['In Progress', 'In Review', 'Done']) {
      await page.keyboard.press('Shift+ArrowRight')
      await column(name).getByRole('link', { name: key }).waitFor()
      await focused(page, alone)
      await settled()
      t.equal(await stateOf(alone), name)
    }
  })

  await t.test('into a long column that is scrolled down', async t => {
    for (let n = 0; n < 12; n++) await file(`Filler ${n}`, 'Todo')
    const far = await file('Far', 'Backlog')
    await board.go()
    await column('Todo').locator('a').first().focus()
    for (let n = 0; n < 9; n++) await page.keyboard.press('j')
    await column('Backlog').getByRole('link', { name: far.key }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await focused(page, far)
    await settled()
    await focused(page, far)
    t.ok((await column('Todo').getByRole('link', { name: far.key }).boundingBox())!.y > 0, 'it is in sight')
    await page.keyboard.press('Shift+ArrowRight')
    await settled()
    t.equal(await stateOf(far), 'In Progress')
  })
})

t.test('keys move an issue up and down, however often they are pressed', needsChromium, async t => {
  const board = await openBoard(await startBrowser(t, { plugins }))
  const { page, settled, file, titles, column } = board
  const issues = []
  for (const title of ['One', 'Two', 'Three', 'Four']) issues.push(await file(title, 'Todo'))
  await board.go('?order=sortOrder')
  const [one] = issues as [Issue]
  await column('Todo').getByRole('link', { name: one.key }).focus()
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowDown')
  await settled()
  t.equal(await titles('Todo'), 'Two Three Four One')
  await focused(page, one)
  await page.keyboard.press('Shift+ArrowUp')
  await focused(page, one)
  await settled()
  await page.keyboard.press('Shift+ArrowUp')
  await settled()
  await focused(page, one)
  t.equal(await titles('Todo'), 'Two One Three Four')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await settled()
  await focused(page, one)
  t.equal(await titles('Todo'), 'Two One Three Four')
})

t.test('keys follow the issue when somebody else moves it, or others', needsChromium, async t => {
  const board = await openBoard(await startBrowser(t, { plugins }))
  const { page, settled, file, column, stateOf, change, idOf } = board
  const mine = await file('Mine', 'Todo')
  const other = await file('Other', 'Todo')
  await board.go()
  await column('Todo').getByRole('link', { name: mine.key }).focus()
  await change(mine, { stateId: idOf('In Progress') })
  await column('In Progress').getByRole('link', { name: mine.key }).waitFor()
  await focused(page, mine)
  await page.keyboard.press('Shift+ArrowRight')
  await settled()
  t.strictSame([await stateOf(mine), await stateOf(other)], ['In Review', 'Todo'])

  await change(other, { stateId: idOf('In Review') })
  await column('In Review').getByRole('link', { name: other.key }).waitFor()
  await focused(page, mine)
  await page.keyboard.press('Shift+ArrowLeft')
  await settled()
  t.strictSame([await stateOf(mine), await stateOf(other)], ['In Progress', 'In Review'])

  await t.test('a selected issue moves on from where it is now', async t => {
    await column('In Review').getByRole('link', { name: other.key }).focus()
    await page.keyboard.press('x')
    await change(other, { stateId: idOf('Backlog') })
    await column('Backlog').getByRole('link', { name: other.key }).waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await settled()
    t.equal(await stateOf(other), 'Todo')
  })

  await t.test('a repeated key goes on moving what is selected, and not what has the focus', async t => {
    await column('In Progress').getByRole('link', { name: mine.key }).focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowRight')
    await settled()
    t.strictSame([await stateOf(other), await stateOf(mine)], ['Done', 'In Progress'])
    await page.keyboard.press('Escape')
  })

  await t.test('an issue that is gone is not replaced by its neighbour', async t => {
    const [last, gone] = [await file('Last', 'Backlog'), await file('Gone', 'Backlog')]
    await board.go()
    await column('Backlog').getByRole('link', { name: gone.key }).focus()
    await board.server.ok(`/v1/issues/${gone.id}`, { method: 'DELETE' })
    await column('Backlog').getByRole('link', { name: gone.key }).waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('j')
    await focused(page, last)
    await settled()
    t.equal(await stateOf(last), 'Backlog')
  })

  await t.test('in the list, too', async t => {
    const [one] = [await file('One', 'Todo'), await file('Two', 'Todo'), await file('Three', 'Todo')]
    await page.goto(page.url().replace('/board', '/issues'))
    await page.getByRole('link', { name: one.key }).focus()
    const first = page.getByRole('list', { name: 'Issues' }).getByRole('listitem').first()
    await change(one, { priority: 1 })
    await first.getByText(one.key, { exact: true }).waitFor()
    await page.locator(`a:focus[aria-label^='${one.key} ']`).waitFor()
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: `Select ${one.key}`, checked: true }).waitFor()
    t.equal(await page.getByRole('checkbox', { checked: true }).count(), 1)
  })
})
