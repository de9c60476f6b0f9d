import type { Page } from 'playwright-core'
import t from 'tap'
import {
  assertAccessibleInSchemes,
  drag,
  dragTo,
  NARROW,
  needsChromium,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'projects', 'passwords', 'views', 'events', 'ui']
const TITLES = ['Export loses dates', 'Sign-in is slow', 'Search finds nothing']

t.test('the side bar: favourites, sections, and its width', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/teams', { body: { name: 'Operations', identifier: 'OPS' } })
  const ids: string[] = []
  for (const title of TITLES) {
    ids.push((await server.ok<{ id: string }>('/v1/issues', { body: { teamId: 'ENG', title } })).id)
  }
  const { id: projectId } = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Export' } })
  const page = await openSignedIn()
  const named = (page: Page) => ({
    favourites: page.getByRole('list', { name: 'Favourites', exact: true }),
    links: page.getByRole('list', { name: 'Favourites', exact: true }).getByRole('link')
  })
  const { favourites, links } = named(page)
  const inOrder = async (...keys: string[]) => {
    for (const [at, key] of keys.entries()) await links.nth(at).getByText(key).waitFor()
  }

  /** Waits for the server: the page sends changes after it displays them, and leaving it earlier would lose them. */
  const stored = async (...names: string[]) => {
    const read = async () => (await server.ok<Array<{ name: string }>>('/v1/favourites')).map(({ name }) => name)
    while (String(await read()) !== String(names)) await page.waitForTimeout(50)
  }

  await t.test('the star of an issue adds a favourite and removes it, by its key, the pointer and undo', async t => {
    await page.goto(`${url}/issue/ENG-1`)
    const star = page.getByRole('button', { name: 'Favourite: ENG-1' })
    await star.waitFor()
    await page.keyboard.press('*')
    await links.getByText('ENG-1').waitFor()
    t.equal(await star.getAttribute('aria-pressed'), 'true')
    await star.click()
    await favourites.waitFor({ state: 'detached' })
    await stored()
    await page.keyboard.press('Control+z')
    await stored(TITLES[0]!)
    await page.goto(`${url}/issue/ENG-2`)
    await page.getByRole('button', { name: 'Favourite: ENG-2' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Add to favourites')
    await page.keyboard.press('Enter')
    await links.getByText('ENG-2').waitFor()
    await stored(TITLES[0]!, TITLES[1]!)
    await page.goto(`${url}/projects/${projectId}`)
    await page.getByRole('button', { name: 'Favourite: Export' }).click()
    await inOrder('ENG-1', 'ENG-2', 'Export')
    await stored(TITLES[0]!, TITLES[1]!, 'Export')
    t.match(await server.ok('/v1/favourites'), [{ id: ids[0] }, { id: ids[1] }, { type: 'project', id: projectId }])
  })

  await t.test('a cycle is one by its star, key, the palette and on a phone, until it is removed', async t => {
    const before = [TITLES[0]!, TITLES[1]!, 'Export']
    const span = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-02-01T00:00:00.000Z' }
    const { id } = await server.ok<{ id: string }>('/v1/cycles', { body: { teamId: 'ENG', name: 'Sprint 1', ...span } })
    await page.goto(`${url}/cycles/${id}`)
    const star = page.getByRole('button', { name: 'Favourite: Sprint 1' })
    await star.click()
    await inOrder('ENG-1', 'ENG-2', 'Export', 'Sprint 1')
    await stored(...before, 'Sprint 1')
    await page.locator('main').focus()
    await page.keyboard.press('*')
    await stored(...before)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Add to favourites')
    await page.keyboard.press('Enter')
    await stored(...before, 'Sprint 1')

    const phone = await openSignedIn(NARROW)
    await phone.goto(`${url}/cycles/${id}`)
    const pressed = (isPressed: boolean) =>
      phone.getByRole('button', { name: 'Favourite: Sprint 1', pressed: isPressed })
    await pressed(true).tap()
    await stored(...before)
    await pressed(false).tap()
    await stored(...before, 'Sprint 1')
    await phone.goto(`${url}/board`)
    await phone.getByRole('navigation', { name: 'Main navigation at the bottom' }).getByText('More').click()
    await named(phone).links.getByText('Sprint 1').click()
    await phone.waitForURL(`${url}/cycles/${id}`)
    await phone.close()

    await page.goto(`${url}/issue/ENG-1`)
    await links.getByText('Sprint 1').waitFor()
    await server.ok(`/v1/cycles/${id}`, { body: { name: 'Sprint one' } })
    await links.getByText('Sprint one').waitFor()
    await server.ok(`/v1/cycles/${id}`, { method: 'DELETE' })
    await links.getByText('Sprint one').waitFor({ state: 'detached' })
    await inOrder('ENG-1', 'ENG-2', 'Export')
    t.equal(await links.count(), 3)
  })

  await t.test('favourites are put in order by mouse, keys and their menu', async t => {
    await page.goto(`${url}/issue/ENG-1`)
    await links.nth(2).waitFor()
    await dragTo(links.nth(0), links.nth(2), 0.9)
    await inOrder('ENG-2', 'Export', 'ENG-1')
    t.equal(page.url(), `${url}/issue/ENG-1`, 'what is dragged is not opened')

    await links.getByText('ENG-1').focus()
    await page.keyboard.press('Shift+ArrowUp')
    await inOrder('ENG-2', 'ENG-1', 'Export')
    await page.keyboard.press('Shift+ArrowUp')
    await inOrder('ENG-1', 'ENG-2', 'Export')
    t.match(await page.evaluate<string>('document.activeElement.textContent'), 'ENG-1', 'the focus follows')
    await page.keyboard.press('Control+z')
    await inOrder('ENG-2', 'ENG-1', 'Export')

    await page.getByRole('button', { name: 'Actions on the favourite Export' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await inOrder('ENG-2', 'Export', 'ENG-1')
    await page.locator('[aria-label="Actions on the favourite Export"]:focus').waitFor()
    await page.getByRole('button', { name: 'Actions on the favourite Export' }).click()
    await page.getByRole('menuitem', { name: 'Remove from favourites' }).click()
    await inOrder('ENG-2', 'ENG-1')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await inOrder('ENG-2', 'Export', 'ENG-1')
    await stored(TITLES[1]!, 'Export', TITLES[0]!)
  })

  await t.test('what others change appears by itself', async () => {
    await server.ok(`/v1/issues/${ids[1]}`, { body: { title: 'Sign-in is fast' } })
    await links.getByText('ENG-2 Sign-in is fast').waitFor()
    await server.ok('/v1/favourites', { method: 'PUT', body: { favourites: [{ type: 'issue', id: ids[2] }] } })
    await inOrder('ENG-3')
    await links.getByText('ENG-2').waitFor({ state: 'detached' })
  })

  await t.test('teams lead to their boards', async t => {
    const teams = page.getByRole('list', { name: 'Teams' })
    await teams.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
    t.equal(page.url(), `${url}/board?team=OPS`)
    await teams.locator('[aria-current=page]').getByText('Operations').waitFor()
  })

  await t.test('sections and the side bar are collapsed and resized, and stay so', async t => {
    const heading = page.getByRole('button', { name: 'Favourites', exact: true })
    await heading.click()
    await favourites.waitFor({ state: 'detached' })
    const edge = page.getByRole('separator', { name: 'Width of the side bar' })
    await edge.focus()
    await page.keyboard.press('End')
    t.equal(await edge.getAttribute('aria-valuenow'), '400')
    await page.keyboard.press('ArrowLeft')
    t.equal(await edge.getAttribute('aria-valuenow'), '384')
    await drag(page, { x: 384, y: 300 }, [
      { x: 340, y: 300 },
      { x: 300, y: 300 }
    ])
    t.equal(await edge.getAttribute('aria-valuenow'), '300')

    await page.reload()
    await edge.waitFor()
    t.equal(await edge.getAttribute('aria-valuenow'), '300')
    t.equal(await heading.getAttribute('aria-expanded'), 'false')
    await heading.press('Enter')
    await inOrder('ENG-3')

    await page.locator('main').focus()
    await page.keyboard.press('[')
    await edge.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('button', { name: 'Show the side bar' }).click()
    await edge.waitFor()
    await edge.dblclick()
    t.equal(await edge.getAttribute('aria-valuenow'), '224')
  })

  await t.test('the account has a menu', async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the menu of the account', 'account menu')
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await page.getByLabel('Your name').waitFor()
  })

  await t.test('on a phone it is a sheet, in which a finger puts favourites in order', async t => {
    const body = { favourites: ids.map(id => ({ type: 'issue', id })) }
    await server.ok('/v1/favourites', { method: 'PUT', body })
    const phone = await openSignedIn(NARROW)
    await phone.goto(`${url}/board`)
    await phone.getByRole('navigation', { name: 'Main navigation at the bottom' }).getByText('More').click()
    const sheet = phone.getByRole('dialog', { name: 'More' })
    const { links } = named(phone)
    await links.nth(2).waitFor()
    await dragTo(links.nth(0).locator('xpath=..').locator('[data-handle]'), links.nth(2), 0.9)
    await links.nth(2).getByText('ENG-1').waitFor()
    await links.nth(2).press('Shift+ArrowUp')
    await links.nth(1).getByText('ENG-1').waitFor()
    t.notOk(await phone.evaluate('document.documentElement.scrollWidth > innerWidth'))
    await sheet.getByRole('link', { name: /^ENG-2/ }).click()
    await phone.waitForURL(`${url}/issue/ENG-2`)
    await sheet.waitFor({ state: 'hidden' })
    await phone.close()
  })

  await t.test('axe finds nothing', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/ENG-1`)
      if (name === 'phone') {
        await page.getByRole('navigation', { name: 'Main navigation at the bottom' }).getByText('More').click()
      }
      await named(page).links.nth(2).waitFor()
      await assertAccessibleInSchemes(t, page, `the side bar, ${name}`, `side bar ${name}`)
      if (name === 'desk') await page.getByRole('button', { name: 'Favourite: ENG-1' }).focus()
      await page.getByRole('button', { name: 'Actions on the favourite ENG-2' }).click()
      await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
      await assertAccessibleInSchemes(t, page, `the menu of a favourite, ${name}`, `favourite menu ${name}`)
      await page.close()
    }
  })
})
