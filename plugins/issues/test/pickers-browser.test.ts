import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  pick,
  SCREENS,
  showEmptyProperties,
  startBrowser
} from '../../../test/runner/chromium.ts'

interface Issue {
  id: string
  key: string
  stateId: string
  assigneeId: string | null
  priority: number
  labelIds: string[]
  dueDate: string | null
  estimate: number | null
  parentId: string | null
}
interface Named {
  id: string
  name: string
}
const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'passwords', 'events', 'ui']
const shots = process.env['UI_SCREENSHOTS']
const isChange = (address: string) => /\/v1\/issues\/(bulk_change|[0-9a-f-]{36})$/.test(address)
const changed = (page: Page) =>
  page.waitForResponse(answer => answer.request().method() === 'POST' && isChange(answer.url()) && answer.ok())
/** Days in UTC. */
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

t.test('the properties of an issue are chosen in pickers', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const labels = await server.ok<Named[]>('/v1/labels')
  const states = await server.ok<Named[]>('/v1/ENG/workflows')
  const me = await server.ok<{ id: string }>('/v1/users/me')
  await server.agent('Builder', ['read', 'write'])
  await server.ok('/v1/projects', { body: { name: 'Launch' } })
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  const read = (issue: Issue) => server.ok<Issue>(`/v1/issues/${issue.key}`)
  const page = await session.openSignedIn()
  const property = (name: string) => page.getByRole('combobox', { name, exact: true })
  const openPicker = (name: string) => page.getByRole('dialog', { name, exact: true })

  await t.test('by keys alone, also those that are empty', async t => {
    const issue = await file('By keys')
    await page.goto(`${url}/issue/${issue.key}`)
    await property('Status').waitFor()
    t.equal(await property('Due date').isVisible(), false)
    async function change(key: string, name: string, text: string, ...keys: string[]): Promise<void> {
      await page.keyboard.press(key)
      await openPicker(name).getByRole('combobox').and(page.locator(':focus')).waitFor()
      const saved = changed(page)
      await page.keyboard.type(text)
      for (const next of keys) await page.keyboard.press(next)
      await saved
      await openPicker(name).waitFor({ state: 'detached' })
    }
    await change('s', 'Status', 'in prog', 'Enter')
    await change('a', 'Assignee', '', 'ArrowDown', 'Enter')
    await change('p', 'Priority', 'hi', 'Enter')
    await change('l', 'Labels', '', 'Enter', 'ArrowDown', 'Enter', 'Escape')
    await change('d', 'Due date', '+3d', 'Enter')
    await change('e', 'Estimate', '2,5', 'Enter')
    const now = await read(issue)
    t.match(now, {
      stateId: states.find(({ name }) => name === 'In Progress')!.id,
      ...{ assigneeId: me.id, priority: 2, dueDate: dayFromNow(3), estimate: 2.5 }
    })
    t.strictSame(now.labelIds.toSorted(), [labels[0]!.id, labels[1]!.id].toSorted())
    await property('Due date').waitFor()

    await property('Status').focus()
    await page.keyboard.press('Enter')
    await openPicker('Status').waitFor()
    await page.keyboard.press('Escape')
    await openPicker('Status').waitFor({ state: 'detached' })
    await property('Status').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+z')
    await property('Estimate').waitFor({ state: 'hidden' })
    t.equal((await read(issue)).estimate, null)
  })

  await t.test('by the pointer', async t => {
    const [issue, parent] = [await file('By the pointer'), await file('Its future parent')]
    await page.goto(`${url}/issue/${issue.key}`)
    const by = async (name: string, ...options: string[]) => {
      const saved = changed(page)
      await pick(page, name, ...options)
      if (name === 'Labels') await page.mouse.click(5, 400)
      await saved
    }
    await by('Status', 'In Review')
    await by('Assignee', 'Builder')
    await by('Priority', 'Urgent')
    await showEmptyProperties(page)
    await by('Labels', labels[1]!.name, labels[2]!.name)
    await by('Estimate', '5')
    await by('Project', 'Launch')
    await by('Parent', `${parent.key} Its future parent`)
    await by('Due date', 'Tomorrow')
    t.match(await read(issue), { priority: 1, estimate: 5, parentId: parent.id, dueDate: dayFromNow(1) })
    await property('Project').getByText('Launch').waitFor()
    await by('Labels', labels[2]!.name)
    t.strictSame((await read(issue)).labelIds, [labels[1]!.id])

    await t.test('a day of the calendar, by both', async t => {
      await property('Due date').click()
      const calendar = openPicker('Due date').getByRole('group', { name: 'Calendar' })
      await calendar.getByRole('button', { name: 'Next month' }).click()
      let saved = changed(page)
      await calendar.getByRole('cell').getByText('15', { exact: true }).click()
      await saved
      const chosen = (await read(issue)).dueDate!
      t.match(chosen, /-15$/)
      await property('Due date').click()
      await page.keyboard.press('Tab')
      while (!(await calendar.locator('td :focus').isVisible())) await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowLeft')
      saved = changed(page)
      await page.keyboard.press('Enter')
      await saved
      t.equal((await read(issue)).dueDate, chosen.replace(/15$/, '21'))
    })
    await by('Parent', 'No parent')
    t.equal((await read(issue)).parentId, null)
  })

  await t.test('a project, a cycle and a parent by keys alone; axe finds nothing in their pickers', async t => {
    const span = { startsAt: `${dayFromNow(0)}T00:00:00.000Z`, endsAt: `${dayFromNow(14)}T00:00:00.000Z` }
    await server.ok('/v1/cycles', { body: { name: 'Sprint', teamId: 'ENG', ...span } })
    await server.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
    const [issue, parent] = [await file('Planned'), await file('Bigger plan')]
    await page.goto(`${url}/issue/${issue.key}`)
    await page.getByRole('button', { name: 'Add property' }).press('Enter')
    for (const [name, text] of [
      ['Project', 'lau'],
      ['Cycle', 'spr'],
      ['Parent', 'bigger'],
      ['Priority', 'low'],
      ['Team', '']
    ] as const) {
      await property(name).press('Enter')
      await openPicker(name).getByRole('combobox').and(page.locator(':focus')).waitFor()
      await assertAccessibleInSchemes(t, page, `the picker ${name}`, `picker ${name} desk`)
      if (text === '') {
        await page.keyboard.press('Escape')
        continue
      }
      const saved = changed(page)
      await page.keyboard.type(text)
      await openPicker(name)
        .getByRole('option', { name: new RegExp(text, 'i') })
        .waitFor()
      await page.keyboard.press('Enter')
      await saved
    }
    t.match(await read(issue), { projectId: String, cycleId: String, parentId: parent.id, priority: 4 })
  })

  await t.test('axe finds nothing in them, and a phone has them at the bottom', async t => {
    const issue = await file('Looked at', { dueDate: dayFromNow(-2), labelIds: [labels[0]!.id], estimate: 3 })
    for (const [name, options] of SCREENS) {
      const other = await session.openSignedIn(options)
      await other.goto(`${url}/issue/${issue.key}`)
      for (const label of ['Status', 'Assignee', 'Labels', 'Due date', 'Estimate']) {
        await other.getByRole('combobox', { name: label, exact: true }).click()
        const dialog = other.getByRole('dialog', { name: label, exact: true })
        await dialog.waitFor()
        await assertAccessibleInSchemes(t, other, `the picker ${label}, ${name}`, `picker ${label} ${name}`)
        if (name === 'phone') {
          const { x, y, width, height } = (await dialog.boundingBox())!
          t.strictSame([x, width, y + height], [0, 390, 844], 'a sheet at the bottom')
          await dialog.getByRole('button', { name: 'Done' }).click()
        } else await other.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
    }
  })
})

t.test('keys change the issues at the cursor, and selected ones', needsChromium, async t => {
  const session = await startBrowser(t, { plugins })
  const { server, url } = session
  const labels = await server.ok<Named[]>('/v1/labels')
  const states = await server.ok<Named[]>('/v1/ENG/workflows')
  const idOf = (name: string) => states.find(state => state.name === name)!.id
  const file = (title: string, fields: object = {}) =>
    server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, stateId: idOf('Todo'), ...fields } })
  const read = (issue: Issue) => server.ok<Issue>(`/v1/issues/${issue.key}`)
  const page = await session.openSignedIn()
  const focused = ({ key }: Issue) => page.locator(`a:focus[aria-label^='${key} ']`).waitFor()
  const search = (label: string) => page.getByRole('combobox', { name: `Search: ${label}` })
  const [late, soon] = [await file('Late', { dueDate: dayFromNow(-1) }), await file('Soon', { dueDate: dayFromNow(9) })]

  await t.test('a card that moves to another column keeps the focus', async t => {
    await page.goto(`${url}/board`)
    const card = page.getByRole('link', { name: late.key })
    await card.focus()
    await page.keyboard.press('s')
    await search('Status').and(page.locator(':focus')).waitFor()
    let saved = changed(page)
    await page.keyboard.type('review')
    await page.keyboard.press('Enter')
    await saved
    await page.getByRole('region', { name: 'In Review' }).getByRole('link', { name: late.key }).waitFor()
    await focused(late)
    t.equal((await read(late)).stateId, idOf('In Review'))
    saved = changed(page)
    await page.keyboard.press('p')
    await choose(page, 'Priority', 'High')
    await saved
    await focused(late)
    t.match(await read(late), { priority: 2, stateId: idOf('In Review') })
  })

  await t.test('a card gets an assignee, a due date, an estimate and a label by keys', async t => {
    for (const [key, label, text] of [
      ['a', 'Assignee', 'admin'],
      ['d', 'Due date', '+2d'],
      ['e', 'Estimate', '3'],
      ['l', 'Labels', labels[2]!.name]
    ] as const) {
      await page.getByRole('link', { name: soon.key }).focus()
      await page.keyboard.press(key)
      await search(label).and(page.locator(':focus')).waitFor()
      const saved = changed(page)
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      if (key === 'l') await page.keyboard.press('Escape')
      await saved
      await focused(soon)
    }
    const now = await read(soon)
    t.match(now, { assigneeId: String, dueDate: dayFromNow(2), estimate: 3, labelIds: [labels[2]!.id] })
    await server.ok(`/v1/issues/${soon.id}`, { body: { removeLabelIds: [labels[2]!.id] } })
  })

  await t.test('cards show due dates, and which are overdue until they are done', async t => {
    await page.getByRole('link', { name: late.key }).getByTitle('Overdue').waitFor()
    await page.getByRole('link', { name: soon.key }).getByTitle('Due').waitFor()
    t.match(await page.getByRole('link', { name: late.key }).getAttribute('aria-label'), /, Overdue /)
    if (shots) await page.screenshot({ path: `${shots}/board due.png` })
    await page.getByRole('link', { name: late.key }).focus()
    await page.keyboard.press('s')
    await choose(page, 'Status', 'Done')
    await page.getByRole('link', { name: late.key }).getByTitle('Due').waitFor()
  })

  await t.test('rows of a list get a due date and an estimate by keys, one or all selected', async t => {
    await page.goto(`${url}/issues`)
    const press = async (key: string, label: string, text: string) => {
      await page.keyboard.press(key)
      await search(label).and(page.locator(':focus')).waitFor()
      const saved = changed(page)
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await saved
    }
    await page.getByRole('link', { name: soon.key }).focus()
    await press('d', 'Due date', '+4d')
    await focused(soon)
    await press('e', 'Estimate', '5')
    t.match(await read(soon), { dueDate: dayFromNow(4), estimate: 5 })
    const before = await read(late)
    await page.getByRole('checkbox', { name: `Select ${soon.key}` }).check()
    await page.getByRole('checkbox', { name: `Select ${late.key}` }).check()
    await page.getByRole('link', { name: soon.key }).focus()
    await press('d', 'Due date', '+6d')
    await press('e', 'Estimate', '8')
    for (const issue of [soon, late]) t.match(await read(issue), { dueDate: dayFromNow(6), estimate: 8 })
    const { dueDate, estimate } = before
    await server.ok(`/v1/issues/${late.id}`, { body: { dueDate, estimate } })
    await server.ok(`/v1/issues/${soon.id}`, { body: { dueDate: dayFromNow(2), estimate: 3 } })
    await page.keyboard.press('Escape')
  })

  await t.test('selected issues of a list get labels and lose them, each with one request', async t => {
    await page.goto(`${url}/issues`)
    await page.getByRole('link', { name: soon.key }).focus()
    await page.keyboard.press('x')
    await page.getByRole('checkbox', { name: `Select ${late.key}` }).check()
    await page.keyboard.press('l')
    let saved = changed(page)
    await choose(page, 'Labels', labels[0]!.name, labels[1]!.name)
    await page.keyboard.press('Escape')
    t.match((await saved).url(), 'bulk_change')
    for (const issue of [late, soon]) t.equal((await read(issue)).labelIds.length, 2)

    // They stay selected.
    const without = (label: Named) => new RegExp(`^${soon.key}(?!.*${label.name})`)
    await server.ok(`/v1/issues/${soon.id}`, { body: { removeLabelIds: [labels[1]!.id] } })
    await page.getByRole('link', { name: without(labels[1]!) }).waitFor()
    await page.getByRole('group', { name: 'Selected issues' }).getByRole('button', { name: 'Labels' }).click()
    await page.getByRole('option', { name: `${labels[1]!.name} 1 of 2` }).waitFor()
    saved = changed(page)
    await choose(page, 'Labels', labels[0]!.name)
    await page.keyboard.press('Escape')
    await saved
    t.strictSame([(await read(late)).labelIds, (await read(soon)).labelIds], [[labels[1]!.id], []])
    if (shots) await page.screenshot({ path: `${shots}/list due.png` })

    // One that only some have is chosen for all first, then for none.
    await page.getByRole('link', { name: without(labels[0]!) }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('option', { name: `${labels[1]!.name} 1 of 2` }).waitFor()
    saved = changed(page)
    await choose(page, 'Labels', labels[1]!.name, labels[1]!.name)
    await page.keyboard.press('Escape')
    await saved
    for (const issue of [late, soon]) t.strictSame((await read(issue)).labelIds, [])
  })

  await t.test('without the plugin of projects, there is no project', async t => {
    const other = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
    const { key } = await other.server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title: 'Alone' } })
    const alone = await other.openSignedIn()
    await alone.goto(`${other.url}/issue/${key}`)
    await showEmptyProperties(alone)
    await alone.getByRole('combobox', { name: 'Due date' }).waitFor()
    t.equal(await alone.getByRole('combobox', { name: /Project|Cycle/ }).count(), 0)
  })
})
