import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { filtersOfTerms } from '../../../lib/filter/filters.ts'
import { parseFilter } from '../../../lib/filter/grammar.ts'
import {
  assertAccessibleInSchemes,
  choose,
  NARROW,
  needsChromium,
  startBrowser
} from '../../../test/runner/chromium.ts'

const TITLES = ['Log in fails', 'Log in page', 'Mobile layout', 'Broken build']
/** Keys of REST that the interface shows when they are typed, but does not offer. */
const WITHOUT_CONTROL = {
  status: 'another name of state',
  parent: 'the sub-issues of an issue are on its page',
  relation: 'the related issues of an issue are on its page',
  closedWithinDays: 'belongs to how a view is displayed'
}
/** Days in UTC. */
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const typedIn = (page: Page): string => new URL(page.url()).searchParams.get('filter') ?? ''
const chips = (page: Page): Locator => page.getByRole('group', { name: 'Filters' })
const chip = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true })
const openPicker = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
const part = (of: Locator, name: string): Locator => of.getByRole('combobox', { name, exact: true })

/** Waits until the page shows these of the issues, by their first words, and no others. */
async function shows(page: Page, ...titles: readonly string[]): Promise<void> {
  for (const title of TITLES) {
    const row = page.locator('main').getByRole('link', { name: title })
    await (titles.includes(title) ? row.waitFor() : row.waitFor({ state: 'detached' }))
  }
}

/** Adds a condition by the pointer. */
async function addFilter(page: Page, property: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter', exact: true }).click()
  await choose(page, 'Filter', property)
}
/** Chooses other options in the picker of a part of a condition. */
async function change(page: Page, name: string, listbox: string, ...options: readonly string[]): Promise<void> {
  await part(chips(page), name).click()
  await choose(page, listbox, ...options)
}
const closePicker = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('Escape')
  await openPicker(page, name).waitFor({ state: 'detached' })
}

t.test('filters are chips', needsChromium, async t => {
  const session = await startBrowser(t)
  const { server, url } = session
  const file = (title: string, fields: object) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...fields } })
  await server.ok('/v1/projects', { body: { name: 'New design' } })
  const due = { dueDate: dayFromNow(3) }
  await file('Log in fails', { assignee: 'me', labels: ['Bug'], priority: 'urgent', ...due, estimate: 3 })
  await file('Log in page', { labels: ['Docs'], priority: 'high', dueDate: dayFromNow(-3) })
  await file('Mobile layout', { assignee: 'me', project: 'New design', subIssues: [{ title: 'Broken build' }] })
  const page = await session.openSignedIn()
  const go = (path: string) => page.goto(url + path)

  await t.test('added, changed and removed by keys alone', async t => {
    await go('/issues')
    await shows(page, ...TITLES)
    await page.keyboard.press('f')
    await openPicker(page, 'Filter').getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('lab')
    await openPicker(page, 'Filter').getByRole('option', { name: 'Label' }).waitFor()
    await page.keyboard.press('Enter')
    await openPicker(page, 'Label').getByRole('option', { name: 'Bug' }).waitFor()
    await page.keyboard.type('bug')
    await page.keyboard.press('Enter')
    await openPicker(page, 'Label').getByRole('option', { name: 'Bug', selected: true }).waitFor()
    await closePicker(page, 'Label')
    await shows(page, 'Log in fails')
    t.equal(typedIn(page), 'label:Bug')
    t.match(page.url(), /filter=label:Bug$/, 'readable')

    await page.keyboard.press('/')
    const values = part(chip(page, 'Label is Bug'), 'Label: Bug')
    await values.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowLeft')
    await part(chips(page), 'Operator: is').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await openPicker(page, 'Operator').getByRole('listbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shows(page, ...TITLES.slice(1))
    await part(chips(page), 'Operator: is not').and(page.locator(':focus')).waitFor()
    t.equal(typedIn(page), '-label:Bug')

    await page.keyboard.press('f')
    await openPicker(page, 'Filter').getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('is:sub-issue -assignee:me')
    await openPicker(page, 'Filter').getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await shows(page, 'Broken build')
    await part(chips(page), 'Operator: is not').first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('button', { name: 'Clear' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await part(chips(page), 'Sub-issue: Yes').and(page.locator(':focus')).waitFor()
    t.equal(typedIn(page), '-label:Bug is:sub-issue')
    await page.keyboard.press('Delete')
    await part(chips(page), 'Label: Bug').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Backspace')
    await page.getByRole('combobox', { name: 'Filter', exact: true }).and(page.locator(':focus')).waitFor()
    await shows(page, ...TITLES)
    t.equal(new URL(page.url()).search, '')
  })

  await t.test('by the pointer, with every kind of value', async t => {
    await addFilter(page, 'Assignee')
    await choose(page, 'Assignee', 'Me', 'Nobody')
    await closePicker(page, 'Assignee')
    t.equal(typedIn(page), 'assignee:me,none')
    await change(page, 'Assignee: Me, Nobody', 'Assignee', 'Nobody')
    await closePicker(page, 'Assignee')
    await chip(page, 'Assignee is Me').waitFor()
    await shows(page, 'Log in fails', 'Mobile layout')

    await addFilter(page, 'Due date')
    await choose(page, 'Due date', 'Next 7 days')
    await shows(page, 'Log in fails')
    await change(page, 'Due date: next 7 days', 'Due date', 'last 7 days')
    await chip(page, 'Due date within last 7 days').waitFor()
    await shows(page)
    await change(page, 'Operator: within', 'Operator', 'is empty')
    await chip(page, 'Due date is empty').waitFor()
    await shows(page, 'Mobile layout')
    t.equal(typedIn(page), 'assignee:me due:none')
    await page.getByRole('button', { name: 'Remove filter: Assignee' }).click()
    await shows(page, 'Mobile layout', 'Broken build')
    await change(page, 'Operator: is empty', 'Operator', 'before')
    await change(page, 'Due date: today', 'Due date', 'in 7 days')
    await shows(page, 'Log in fails', 'Log in page')
    t.equal(typedIn(page), 'due:<+7d')
    await page.getByRole('button', { name: 'Clear' }).click()
    await shows(page, ...TITLES)

    await addFilter(page, 'Estimate')
    await openPicker(page, 'Estimate').getByRole('combobox').fill('2,5')
    await choose(page, 'Estimate', 'At least 2.5')
    await shows(page, 'Log in fails')
    await change(page, 'Property: Estimate', 'Property', 'Title or key')
    await openPicker(page, 'Title or key').getByRole('combobox').fill('log in')
    await choose(page, 'Title or key', 'Contains “log in”')
    await shows(page, 'Log in fails', 'Log in page')
    await addFilter(page, 'With sub-issues')
    await shows(page)
    await change(page, 'With sub-issues: Yes', 'With sub-issues', 'No')
    await shows(page, 'Log in fails', 'Log in page')
    await addFilter(page, 'Priority')
    await choose(page, 'Priority', 'High', 'Urgent')
    await closePicker(page, 'Priority')
    t.equal(typedIn(page), '"log in" -is:parent priority:high,urgent')
    await page.reload()
    await chip(page, 'Priority is any of High, Urgent').waitFor()
    await shows(page, 'Log in fails', 'Log in page')
  })

  await t.test('a board has them, too, and states of its own beside those of its columns', async t => {
    await go('/board?filter=project:"New design"')
    await chip(page, 'Project is New design').waitFor()
    await shows(page, 'Mobile layout')
    await addFilter(page, 'Status')
    await choose(page, 'Status', 'Done')
    await closePicker(page, 'Status')
    await shows(page)
    await page.getByRole('combobox', { name: 'Filter', exact: true }).click()
    await openPicker(page, 'Filter').getByRole('option', { name: 'Assignee' }).waitFor()
    t.equal(await openPicker(page, 'Filter').getByRole('option', { name: 'Team' }).count(), 0)
    await closePicker(page, 'Filter')
  })

  await t.test('the address: former ones are rewritten, mistakes are named, other keys are removable', async t => {
    const { id } = await server.ok<{ id: string }>('/v1/users/me')
    await go(`/issues?assignee=${id}&priority=1&order=urgency`)
    await chip(page, 'Assignee is Administrator').waitFor()
    await chip(page, 'Priority is Urgent').waitFor()
    await shows(page, 'Log in fails')
    await page.waitForURL(`${url}/issues?order=urgency&filter=assignee:${id}+priority:1`)
    await go('/issues?assignee=nobody')
    await chip(page, 'Assignee is Nobody').waitFor()

    await go('/issues?filter=label:+relation:RELATED')
    await page.getByRole('alert').getByText('label lacks a value').waitFor()
    await chip(page, 'relation is RELATED').getByRole('button', { name: 'Remove filter: relation' }).click()
    await shows(page, ...TITLES)
    t.equal(typedIn(page), '')
  })

  await t.test('the palette completes a typed filter, and lists its issues', async () => {
    const field = page.getByRole('combobox', { name: 'Search', exact: true })
    const first = (name: string) => page.locator('[role=option][aria-selected=true]').getByText(name).waitFor()
    await page.keyboard.press('Control+k')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('assig')
    await page.getByRole('option', { name: 'assignee:' }).click()
    await field.and(page.locator(':focus')).waitFor()
    await first('Me')
    await page.keyboard.press('Enter')
    await first('Show issues: assignee:me')
    await page.keyboard.type(' label:bu')
    await first('Bug')
    await page.keyboard.press('Enter')
    await first('Show issues: assignee:me label:Bug')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/issues?filter=assignee:me+label:Bug`)
    await shows(page, 'Log in fails')
  })

  await t.test('REST has the keys that the interface has, and the other way round', async t => {
    const refusal = await server.call('/v1/issues/filter', { body: { filters: { unknown: true } } })
    const { known } = refusal.json<{ known: string[] }>()
    await page.getByRole('combobox', { name: 'Filter', exact: true }).click()
    const heads = await openPicker(page, 'Filter').getByRole('option').locator('small').allTextContents()
    await closePicker(page, 'Filter')
    const keys = heads.flatMap(head => Object.keys(filtersOfTerms(parseFilter(head.replace(/:$/, ':x')).terms)))
    const withoutControl = known.filter(key => !keys.includes(key))
    t.strictSame(
      keys.filter(key => !known.includes(key)),
      []
    )
    t.strictSame(withoutControl.toSorted(), Object.keys(WITHOUT_CONTROL).toSorted())
  })

  await t.test('axe finds nothing in the row and its pickers; on a phone it scrolls in itself', async t => {
    const filter = 'assignee:me,none label:bug -is:blocked due:<+7d priority:urgent,high'
    for (const [name, options] of [['desk', {}] as const, ['phone', NARROW] as const]) {
      const other = await session.openSignedIn(options)
      await other.goto(`${url}/issues?${new URLSearchParams({ filter })}`)
      await chip(other, 'Label is Bug').waitFor()
      await shows(other, 'Log in fails')
      await assertAccessibleInSchemes(t, other, `filters, ${name}`, `filters ${name}`)
      const pickers = [
        ['Due date: in 7 days', 'Due date'],
        ['Priority: Urgent, High', 'Priority'],
        ['Filter', 'Filter'],
        ['Operator: before', 'Operator']
      ] as const
      for (const [label, opened] of name === 'phone' ? pickers.slice(0, 2) : pickers) {
        await other.getByRole('combobox', { name: label, exact: true }).click()
        await openPicker(other, opened).waitFor()
        await assertAccessibleInSchemes(t, other, `${opened}, ${name}`, `filters ${opened} ${name}`)
        await closePicker(other, opened)
      }
      t.equal(await other.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
      const isScrolled = await other.evaluate(`{
        const row = document.querySelector('[role=group][aria-label=Filters]')
        row.scrollWidth > row.clientWidth
      }`)
      t.equal(isScrolled, name === 'phone')
    }
  })
})

t.test('without their plugins, properties vanish', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await session.openSignedIn()
  await page.goto(`${session.url}/issues`)
  await page.getByRole('combobox', { name: 'Filter', exact: true }).click()
  const options = openPicker(page, 'Filter').getByRole('option')
  await options.getByText('Assignee', { exact: true }).waitFor()
  for (const name of ['Project', 'Cycle', 'Claimed by', 'Last run', 'Waits for answer of', 'Watched by me']) {
    t.equal(await options.getByText(name, { exact: true }).count(), 0, name)
  }
})
