import t from 'tap'
import { assertAccessibleInSchemes, NARROW, needsChromium, pick, startBrowser } from '../../../test/runner/chromium.ts'
import { DAY_MS } from '../../../lib/util/days.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'passwords', 'events', 'ui']
interface Thing {
  id: string
  name: string
}
let clock = Date.now() - 8 * DAY_MS
const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString()

t.test('cycles are planned, followed and closed in a browser', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, now: () => new Date(clock) })
  const plan = (name: string, from: number, to: number) =>
    server.ok<Thing>('/v1/cycles', { body: { teamId: 'ENG', name, startsAt: midnight(from), endsAt: midnight(to) } })
  const current = await plan('Sprint 1', -7, 3)
  const next = await plan('Sprint 2', 3, 10)
  const { id: agentId } = await server.agent('Runner')
  const file = (title: string, body: object = {}) =>
    server.ok<{ id: string; key: string }>('/v1/issues', {
      body: { teamId: 'ENG', title, cycleId: current.id, estimate: 2, ...body }
    })
  const planned = await file('Planned', { assigneeId: agentId })
  const removed = await file('Removed again')
  for (const title of ['One', 'Two', 'Three']) await file(title)
  clock += 3 * DAY_MS
  await server.ok(`/v1/issues/${planned.id}`, { body: { state: 'In Progress' } })
  await file('Came later', { state: 'In Progress' })
  clock += 3 * DAY_MS
  await server.ok(`/v1/issues/${planned.id}`, { body: { state: 'Done' } })
  await server.ok(`/v1/issues/${removed.id}`, { body: { cycleId: null } })
  clock = Date.now()
  const page = await openSignedIn()

  await t.test('a duplicate keeps assignee, project, milestone and cycle', async t => {
    const { id: projectId } = await server.ok<Thing>('/v1/projects', { body: { name: 'Launch', teamId: 'ENG' } })
    const { id: milestoneId } = await server.ok<Thing>('/v1/milestones', { body: { projectId, name: 'Beta' } })
    const closed = await plan('Sprint 0', -14, -7)
    const { teamId } = await server.ok<{ teamId: string }>(`/v1/issues/${planned.id}`)
    const plans = { projectId, milestoneId, assigneeId: agentId, teamId }
    const issueIds: string[] = []
    for (const [title, cycleId, kept] of [
      ['In the next one', next.id, next.id],
      ['In a closed one', closed.id, null]
    ] as const) {
      const { id, key } = await file(title, { ...plans, cycleId, state: kept === null ? 'Done' : 'Todo' })
      if (kept === null) await server.ok(`/v1/cycles/${closed.id}/close`, { body: { carryOver: 'BACKLOG' } })
      await page.goto(`${url}/issue/${key}`)
      await page.getByRole('button', { name: `Actions on ${key}` }).click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      await page.getByRole('heading', { level: 1, name: `${title} (copy)` }).waitFor({ state: 'attached' })
      const copy = await server.ok<{ id: string }>(`/v1/issues/${page.url().split('/').at(-1)}`)
      t.match(copy, { ...plans, cycleId: kept })
      issueIds.push(id, copy.id)
    }
    for (const id of issueIds) await server.ok(`/v1/issues/${id}`, { method: 'DELETE' })
    await server.ok(`/v1/projects/${projectId}`, { method: 'DELETE' })
    await server.ok(`/v1/cycles/${closed.id}`, { method: 'DELETE' })
  })

  await t.test('the cycles of a team are a place in the side bar: current, upcoming and past', async t => {
    await page.goto(`${url}/board`)
    await page.getByRole('region', { name: 'Teams' }).getByRole('link', { name: 'Cycles' }).click()
    const row = page.getByRole('region', { name: 'Current' }).getByRole('listitem')
    await row.getByText('1/5').waitFor()
    await page.getByRole('region', { name: 'Upcoming' }).getByRole('link', { name: 'Sprint 2' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the cycles', 'cycles')
    const focused = page.locator(':focus')
    await page.keyboard.press('j')
    await focused.and(row.getByRole('link', { name: 'Sprint 1' })).waitFor()
    await page.keyboard.press('j')
    await focused.and(page.getByRole('link', { name: 'Sprint 2' })).waitFor()
    await row.getByRole('link', { name: 'Sprint 1' }).click()
  })

  await t.test('a cycle shows its burn-up, what came later, and who has what', async t => {
    await page.getByRole('img', { name: /^Burn-up: 1 of 5 issues completed, 1 in progress, after 8 days/ }).waitFor()
    await page.getByRole('list', { name: 'Added after its start' }).getByRole('link', { name: 'Came later' }).waitFor()
    await page.getByRole('list', { name: 'Removed after its start' }).getByText('Removed again').waitFor()
    await page.getByRole('list', { name: 'Issues of the cycle' }).getByRole('link', { name: 'Three' }).waitFor()
    await page.getByRole('button', { name: 'Points' }).click()
    await page.getByRole('img', { name: /2 of 10 points completed/ }).waitFor()
    await page.getByText('As a table').click()
    await page.getByRole('row').last().getByRole('cell').first().getByText('10').waitFor()
    await assertAccessibleInSchemes(t, page, 'a cycle', 'cycle')
    await page.getByRole('link', { name: /Runner/ }).click()
    await page.getByText('Planned').first().waitFor()
    t.match(page.url(), /\/issues\?filter=cycle:[\w-]+\+assignee:/)
    await page.goBack()
  })

  await t.test('it is changed and planned by keys alone', async t => {
    const menu = page.getByRole('button', { name: 'Actions on Sprint 1' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit cycle' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Sprint one')
    await page.getByRole('combobox', { name: 'Last day' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search: Last day' }).fill(midnight(1).slice(0, 10))
    await page.keyboard.press('Enter')
    await assertAccessibleInSchemes(t, page, 'the dialog of a cycle', 'cycle edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Sprint one' }).waitFor()
    t.match(await server.ok(`/v1/cycles/${current.id}`), { name: 'Sprint one', endsAt: midnight(2) })
  })

  await t.test('closing it moves what is open to the next one', async t => {
    await page.getByRole('button', { name: 'Actions on Sprint one' }).click()
    await page.getByRole('menuitem', { name: 'Close cycle' }).click()
    await page.getByRole('group', { name: 'Its 4 open issues' }).waitFor()
    await page.getByLabel('go into the next cycle, Sprint 2').check()
    await assertAccessibleInSchemes(t, page, 'the dialog that closes a cycle', 'cycle close')
    await page.getByRole('button', { name: 'Close cycle', exact: true }).click()
    await page.getByRole('complementary', { name: 'Properties' }).getByText('Closed').first().waitFor()
    await page.getByRole('img', { name: /1 of 5 issues completed/ }).waitFor()
    await page.goto(`${url}/cycles/${next.id}`)
    await page.getByRole('list', { name: 'Issues of the cycle' }).getByRole('link', { name: 'Came later' }).waitFor()
    await page.getByText('It has not begun').waitFor()
    await page.getByRole('button', { name: 'Actions on Sprint 2' }).click()
    await assertAccessibleInSchemes(t, page, 'the menu of a cycle', 'cycle menu')
    await page.getByRole('menuitem', { name: 'Delete cycle' }).click()
    await page.getByRole('button', { name: 'Delete cycle' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the dialog that deletes a cycle', 'cycle delete')
    await page.getByRole('button', { name: 'Delete cycle' }).click()
    await page.getByRole('region', { name: 'Past' }).getByRole('link', { name: 'Sprint one' }).waitFor()
    await page.getByText('Sprint 2').waitFor({ state: 'detached' })
  })

  await t.test('they repeat as the settings of the team say', async t => {
    await page.goto(`${url}/settings/teams`)
    await pick(page, 'Cycles of ENG', 'A cycle every week')
    await pick(page, 'At the end of a cycle of ENG', 'Open issues leave the cycle')
    await page.getByRole('combobox', { name: 'At the end' }).getByText('Open issues leave the cycle').waitFor()
    t.match(await server.ok('/v1/teams/ENG'), { cycles: { weeks: 1, startDay: 'MONDAY', carryOver: 'BACKLOG' } })
    await assertAccessibleInSchemes(t, page, 'the settings of cycles', 'cycle settings')
    await page.goto(`${url}/cycles`)
    await page.getByRole('link', { name: 'Cycle 1' }).waitFor()
  })

  await t.test('on a phone nothing is wider than the screen', async t => {
    const phone = await openSignedIn(NARROW)
    for (const [place, shown] of [
      ['/cycles', 'Sprint one'],
      [`/cycles/${current.id}`, 'Added after its start']
    ] as const) {
      await phone.goto(url + place)
      await phone.getByText(shown).first().waitFor()
      t.ok(Number(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, place)
      await assertAccessibleInSchemes(
        t,
        phone,
        `${place} on a phone`,
        place === '/cycles' ? 'cycles phone' : 'cycle phone'
      )
    }
    await phone.context().close()
  })
})
