import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import {
  assertAccessibleInSchemes,
  drag,
  NARROW,
  needsChromium,
  pick,
  settledBox,
  startBrowser
} from '../../../test/runner/chromium.ts'
import { DAY_MS } from '../../../lib/util/days.ts'

const plugins = ['workspace', 'agents', 'issues', 'projects', 'passwords', 'events', 'ui']
interface Project {
  id: string
  startsOn: string | null
  targetOn: string | null
}
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

t.test('projects are planned on a line of time in a browser', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const add = (name: string, body: object = {}) => server.ok<Project>('/v1/projects', { body: { name, ...body } })
  const launch = await add('Launch', { startsOn: day(-10), targetOn: day(20), state: 'STARTED' })
  const later = await add('Later', { startsOn: day(10), targetOn: day(40) })
  const loose = await add('Loose')
  await server.ok('/v1/milestones', { body: { projectId: launch.id, name: 'Beta', date: day(5) } })
  await server.ok('/v1/project_updates', { body: { projectId: launch.id, health: 'AT_RISK', bodyMarkdown: 'Late.' } })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'x', projectId: launch.id, state: 'Done' } })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'y', projectId: launch.id } })
  /** Changes are sent while the page shows them already. */
  async function hasDates(t: Test, { id }: Project, expected: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { startsOn, targetOn } = await server.ok<Project>(`/v1/projects/${id}`)
      if (isDeepStrictEqual([startsOn, targetOn], expected)) {
        t.pass(expected.join(' '))
        return
      }
      await sleep(100)
    }
    t.fail(`the dates are not ${expected.join(' ')}`)
  }
  const page = await openSignedIn()
  const bar = (name: string) => page.getByRole('list', { name: 'Roadmap' }).getByRole('link', { name: `${name},` })

  /** Waits until the last change of a project can be undone, instead of an earlier one. */
  async function isOffered(name: string): Promise<void> {
    const dates = (await bar(name).getAttribute('aria-label'))!.split(': ')[1]!
    await page.getByRole('region', { name: 'Last change' }).getByText(`${name}: ${dates}`, { exact: true }).waitFor()
  }

  await t.test('it is reached from the projects, and shows bars, milestones and what has no dates', async t => {
    await page.goto(`${url}/projects`)
    await page.getByRole('main').getByRole('link', { name: 'Roadmap' }).click()
    await bar('Launch').waitFor()
    await page.getByRole('img', { name: /^Milestone Beta/ }).waitFor()
    await page.getByRole('region', { name: 'Without dates' }).getByText('Loose').waitFor()
    await assertAccessibleInSchemes(t, page, 'the roadmap', 'roadmap')
  })

  await t.test('the arrow keys move a bar and its ends, Escape leaves them, Enter opens', async t => {
    await bar('Launch').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('slider', { name: 'Start date of Launch' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('slider', { name: 'Target date of Launch' }).focus()
    await page.keyboard.down('Shift')
    await page.keyboard.down('ArrowRight')
    await page.keyboard.press('Escape')
    await page.keyboard.up('ArrowRight')
    await page.keyboard.up('Shift')
    const expected = [day(-3), day(28)]
    await hasDates(t, launch, expected)
    await isOffered('Launch')
    await page.keyboard.press('Control+z')
    await hasDates(t, launch, [day(-2), day(28)])
  })

  await t.test('it is dragged by the pointer; a click opens the project', async t => {
    const { x, y, width, height } = await settledBox(bar('Later'))
    const pixelsOfDay = width / 31
    const dragDays = (from: number, days: readonly number[]) => {
      const pointAt = (days: number) => ({ x: from + days * pixelsOfDay, y: y + height / 2 })
      return drag(page, pointAt(0), days.map(pointAt))
    }
    await dragDays(x + width / 2, [2, 5])
    await hasDates(t, later, [day(15), day(45)])
    await dragDays(x + width + 5 * pixelsOfDay - 1, [2, 4])
    await hasDates(t, later, [day(15), day(49)])
    await isOffered('Later')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await hasDates(t, later, [day(15), day(45)])
    await bar('Later').click()
    await page.getByRole('heading', { name: 'Later' }).waitFor()
    await page.goBack()
  })

  await t.test('a project without dates is put on the line; the line is zoomed', async t => {
    await page.getByRole('combobox', { name: 'Put Loose on the line' }).click()
    await page.getByRole('combobox', { name: 'Search: First day' }).fill(day(3))
    await page.keyboard.press('Enter')
    await bar('Loose').waitFor()
    await hasDates(t, loose, [day(3), day(30)])
    await pick(page, 'Zoom', 'Months')
    await bar('Loose').waitFor()
  })

  await t.test(
    'what is in sight stays there when the line begins earlier; a far date is drawn near its end',
    async t => {
      await bar('Launch').focus()
      await page.evaluate(
        `document.querySelector('ul[aria-label=Roadmap]').parentElement.parentElement.scrollLeft -= 200`
      )
      const place = async () => Math.round((await bar('Later').boundingBox())!.x)
      const before = await place()
      await page.keyboard.down('Shift')
      for (let week = 0; week < 10; week++) await page.keyboard.down('ArrowLeft')
      await page.keyboard.up('ArrowLeft')
      await page.keyboard.up('Shift')
      await hasDates(t, launch, [day(-72), day(-42)])
      t.ok(Math.abs((await place()) - before) <= 1)
      const far = await add('Far', { startsOn: day(1), targetOn: '9999-12-31' })
      await page.reload()
      t.ok((await bar('Far').boundingBox())!.width < 50_000)
      await server.ok(`/v1/projects/${far.id}`, { method: 'DELETE' })
    }
  )

  await t.test('on a phone it is a list with the same bars, which are dragged by a finger', async t => {
    const phone = await openSignedIn(NARROW)
    await phone.goto(`${url}/roadmap`)
    const touched = phone.getByRole('list', { name: 'Roadmap' }).getByRole('link', { name: 'Later,' })
    await touched.waitFor()
    t.ok(Number(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
    await assertAccessibleInSchemes(t, phone, 'the roadmap on a phone', 'roadmap phone')
    const { x, y, width } = await settledBox(touched)
    const pointAt = (days: number) => ({ x: x + width / 2 + (days * width) / 31, y: y + 11 })
    await drag(phone, pointAt(0), [3, 6, 10].map(pointAt))
    await hasDates(t, later, [day(25), day(55)])
    await phone.context().close()
  })
})
