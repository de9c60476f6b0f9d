import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, startBrowser } from '../../../test/runner/chromium.ts'

const SCREENS = [
  ['desk', { viewport: { width: 1300, height: 860 } }],
  ['phone', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true }]
] as const

t.test('a board with selected cards, and the form of a column', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: ['workspace', 'issues', 'projects', 'passwords', 'events', 'ui'] })
  const { server, url } = session
  const states = await server.ok<Array<{ id: string; name: string }>>('/v1/ENG/workflows')
  const stateId = states.find(({ name }) => name === 'Todo')!.id
  const keys: string[] = []
  for (const title of ['Short', 'A title that needs two lines of a card, because it has many words in it']) {
    const body = { teamId: 'ENG', title, stateId, priority: keys.length }
    keys.push((await server.ok<{ key: string }>('/v1/issues', { body })).key)
  }
  const hidden = states.filter(({ name }) => /Triage|Backlog/.test(name)).map(({ id }) => id)
  for (const [name, options] of SCREENS) {
    const page = await session.openSignedIn(options)
    await page.goto(`${url}/board?hide=${hidden.join()}`)
    await page.getByRole('link', { name: keys[0]! }).hover()
    for (const key of keys) await page.getByRole('checkbox', { name: `Select ${key}` }).check()
    const bar = page.getByRole('group', { name: 'Selected issues' })
    await bar.getByText('2 selected').waitFor()
    await assertAccessibleInSchemes(t, page, `the board, ${name}`, `board ${name}`)
    t.notOk(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off')
    await bar.getByRole('button', { name: 'Other changes' }).click()
    await page.getByRole('menuitem', { name: 'Project…' }).waitFor()
    await assertAccessibleInSchemes(t, page, `other changes, ${name}`, `other changes ${name}`)
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Create in Todo' }).click()
    await page.getByRole('dialog', { name: 'New issue' }).getByText('Todo', { exact: true }).waitFor()
    await assertAccessibleInSchemes(t, page, `the form of a column, ${name}`, `column form ${name}`)
    await page.context().close()
  }
})
