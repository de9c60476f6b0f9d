import t from 'tap'
import { assertAccessibleInSchemes, NARROW, needsChromium, pick, startBrowser } from '../../../test/runner/chromium.ts'
import { DAY_MS } from '../../../lib/util/days.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'passwords', 'insights', 'events', 'ui']
const HOUR_MS = DAY_MS / 24
let clock = Date.now() - 20 * DAY_MS

t.test('insights in a browser', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, now: () => new Date(clock) })
  const { id: agentId } = await server.agent('Robot')
  const { id: projectId } = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Launch' } })
  const file = (title: string, more: object = {}) =>
    server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...more } })
  const move = (key: string, state: string) => server.ok(`/v1/issues/${key}`, { body: { state } })
  const fixed = await file('Export loses dates', { assigneeId: agentId, state: 'In Progress', projectId })
  const begun = await file('Sign-in is slow')
  await file('An idea')
  clock += 10 * HOUR_MS
  await move(fixed.key, 'Done')
  clock += 9 * DAY_MS
  await move(fixed.key, 'In Progress')
  await move(begun.key, 'In Progress')
  clock += DAY_MS
  await move(fixed.key, 'Done')
  clock = Date.now()

  const page = await openSignedIn()
  const figures = page.getByRole('list', { name: 'Figures' })
  const dialog = page.getByRole('dialog')
  const issues = page.getByRole('list', { name: 'Issues of the figure' })
  /** The sizes of the loaded scripts that draw charts. */
  async function chartScripts(): Promise<number[]> {
    const names = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)")
    const scripts = names
      .filter(name => /\/c-[^/]+\.js$/.test(name))
      .map(async name => {
        return (await page.request.get(name)).text()
      })
    return (await Promise.all(scripts)).filter(script => script.includes('u-over')).map(({ length }) => length)
  }

  await t.test(
    'the page of a team is reached from the side bar, and has figures, charts, people and agents',
    async t => {
      await page.goto(`${url}/board`)
      const link = page.getByRole('region', { name: 'Teams' }).getByRole('link', { name: 'Insights' })
      await link.waitFor()
      t.strictSame(await chartScripts(), [], 'other pages load no charts')
      await link.click()
      await page.waitForURL(`${url}/insights?team=ENG`)
      for (const figure of ['Created 3', 'Completed 1', 'In progress 1', 'Reopened 1']) {
        await figures.getByRole('button', { name: figure }).waitFor()
      }
      for (const absent of ['Proven', 'Runs', 'Cost', 'Expired claims']) {
        t.equal(await figures.getByText(absent).count(), 0, `${absent} belongs to a plugin that is off`)
      }
      await page.getByRole('img', { name: '3 created and 1 completed, by week' }).locator('canvas').waitFor()
      await page
        .getByRole('img', { name: /^The median cycle time/ })
        .locator('canvas')
        .waitFor()
      await page.getByRole('table', { name: 'Time in each state' }).getByText('In Progress').waitFor()
      await page
        .getByRole('region', { name: 'People' })
        .getByRole('button', { name: /^Created, .*: 3$/ })
        .waitFor()
      await page.getByRole('region', { name: 'Agents' }).getByRole('button', { name: 'Completed, Robot: 1' }).waitFor()
      await assertAccessibleInSchemes(t, page, 'insights', 'insights')
    }
  )

  await t.test('each figure leads to its issues, and back', async t => {
    await page.getByRole('button', { name: 'Completed, Robot: 1' }).click()
    await page.getByRole('dialog', { name: 'Completed: Robot' }).waitFor()
    await issues.getByText('Export loses dates').waitFor()
    await assertAccessibleInSchemes(t, page, 'the issues of a figure', 'insights issues')
    await issues.getByRole('link').click()
    await page.getByRole('heading', { name: 'Export loses dates' }).waitFor()
    await page.goBack()
    await issues.getByText('Export loses dates').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.waitForURL(`${url}/insights?team=ENG`)
  })

  await t.test('by keys: from anywhere to the table of a chart, and to the issues of a week', async t => {
    await page.goto(`${url}/issues`)
    await page.getByText('An idea').waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const toggle = page.getByRole('button', { name: 'Table: Created and completed' })
    await toggle.focus()
    await page.keyboard.press('Enter')
    const filed = page.getByRole('button', { name: /^Created, week of .*: 3$/ })
    await filed.focus()
    await assertAccessibleInSchemes(t, page, 'the table of a chart', 'insights table')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /^Created: week of / }).waitFor()
    await issues.getByText('An idea').waitFor()
    await page.keyboard.press('Escape')
    await filed.and(page.locator(':focus')).waitFor()
    t.equal(await page.getByRole('img', { name: /by week$/ }).count(), 1, 'the table replaces the drawing')
  })

  await t.test('the range and what it is divided by are in the address', async t => {
    await pick(page, 'Divided by', 'By agent')
    await pick(page, 'Range', '4 weeks')
    await page.waitForURL(`${url}/insights?by=agent&range=4w`)
    await page.getByRole('region', { name: 'Agents' }).getByRole('columnheader', { name: 'Age' }).waitFor()
    t.equal(await page.locator('canvas').count(), 0)
    await pick(page, 'Range', 'Own days')
    await page.getByRole('combobox', { name: 'Last day' }).click()
    await page.getByRole('combobox', { name: 'Search: Last day' }).fill('2020-02-01')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/insights?by=agent&from=2020-02-01&to=2020-02-01`)
    await page.getByText('Nothing happened in these days').waitFor()
    await page.reload()
    await page.getByText('Nothing happened in these days').waitFor()
  })

  await t.test('after an error it is tried again', async t => {
    const refused = { status: 400, json: { code: 'INVALID', message: 'The figures cannot be computed.' } }
    await page.route(/v1\/insights\?/, route => route.fulfill(refused))
    await page.goto(`${url}/insights`)
    await page.getByRole('alert').getByText('The figures cannot be computed.').waitFor()
    await assertAccessibleInSchemes(t, page, 'the error of insights')
    await page.unroute(/v1\/insights\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await figures.getByRole('button', { name: 'Created 3' }).waitFor()
  })

  await t.test('it says that figures are too low while they are made again, until that is done', async t => {
    const setRebuild = (needsRebuild: boolean) =>
      server.database.db
        .updateTable('eventConsumer')
        .set({ needsRebuild })
        .where('name', '=', 'insights/steps')
        .execute()
    const note = page.getByText('are too low until that is done')
    t.equal(await note.count(), 0)
    await server.idle()
    await setRebuild(true)
    await page.reload()
    await note.waitFor()
    await assertAccessibleInSchemes(t, page, 'insights that are made again', 'insights incomplete')
    await setRebuild(false)
    await note.waitFor({ state: 'detached' })
    await figures.getByRole('button', { name: 'Created 3' }).waitFor()
  })

  await t.test('a project has its own, which a phone shows, too', async t => {
    const phone = await openSignedIn(NARROW)
    await phone.goto(`${url}/projects/${projectId}`)
    await phone.getByRole('link', { name: 'Insights of Launch' }).click()
    await phone.getByRole('link', { name: 'Launch', exact: true }).waitFor()
    await phone.getByRole('list', { name: 'Figures' }).getByRole('button', { name: 'Created 1' }).waitFor()
    await phone.getByRole('region', { name: 'Agents' }).waitFor()
    await phone.locator('canvas').first().waitFor()
    t.ok(Number(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
    await assertAccessibleInSchemes(t, phone, 'insights on a phone', 'insights phone')
    await phone.context().close()
  })
})
