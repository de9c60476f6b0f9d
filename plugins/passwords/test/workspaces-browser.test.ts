import t from 'tap'
import { needsChromium, PASSWORD, startBrowser } from '../../../test/runner/chromium.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import type { TestServer } from '../../../test/runner/harness.ts'

const EMAIL = 'admin@localhost'
const OTHER_PASSWORD = 'another horse battery'

/** A workspace whose administrator has the same e-mail address. @returns their first token */
async function addWorkspace(server: TestServer, name: string): Promise<string> {
  const { out } = await runInProcess(server, ['workspaces', 'add', name, '--email', EMAIL])
  return out.trim().split('\n').at(-1)!
}

t.test('the first sign-in, and one person in several workspaces', needsChromium, async t => {
  const { server, url, open } = await startBrowser(t, { plugins: ['workspace', 'issues', 'passwords', 'events', 'ui'] })
  const page = await open()
  const email = page.getByLabel('E-mail address', { exact: true })
  const password = page.getByLabel('Password', { exact: true })
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
  const useToken = async (token: string) => {
    await page.getByRole('button', { name: /Use your token/ }).click()
    await page.getByLabel('Token').fill(token)
    await page.getByLabel(/^New password/).fill(PASSWORD)
    await signIn.click()
  }
  const place = (name: string) => page.getByRole('button', { name: `${name}: switch workspace` })

  await t.test('the e-mail address of whoever used their token is filled in the next time', async t => {
    await page.goto(url)
    await useToken(server.token)
    await place('Tracker').waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    t.equal(await page.getByLabel('Your e-mail address').inputValue(), EMAIL)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    t.equal(await email.inputValue(), EMAIL)
  })

  await t.test('a token that was used names the e-mail address, which is filled in', async t => {
    const other = await open()
    await other.goto(url)
    await other.getByRole('button', { name: /Use your token/ }).click()
    await other.getByLabel('Token').fill(server.token)
    await other.getByLabel(/^New password/).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByRole('alert').getByText(`as ${EMAIL}`).waitFor()
    t.equal(await other.getByLabel('E-mail address').inputValue(), EMAIL)
  })

  await t.test('a password that fits in several workspaces asks for one; another opens only its own', async t => {
    const [second, third] = [await addWorkspace(server, 'Second'), await addWorkspace(server, 'Third')]
    const headers = { 'sec-fetch-site': 'same-origin' }
    for (const [token, password] of [
      [second, PASSWORD],
      [third, OTHER_PASSWORD]
    ] as const) {
      const fresh = await open()
      const answer = await fresh.request.post(`${url}/v1/passwords/first`, { data: { token, password }, headers })
      t.equal(answer.status(), 200)
    }
    await password.fill(PASSWORD)
    await signIn.click()
    const choice = page.getByRole('region', { name: 'Choose a workspace' })
    await choice.waitFor()
    t.strictSame(await choice.getByRole('button').allTextContents(), ['Tracker', 'Second', 'Back'])
    await choice.getByRole('button', { name: 'Second' }).click()
    await place('Second').waitFor()
  })

  await t.test('the switch in the side bar signs in to another one, with its own password', async t => {
    await place('Second').click()
    const dialog = page.getByRole('dialog', { name: 'Switch workspace' })
    await dialog.waitFor()
    t.equal(await email.inputValue(), EMAIL)
    await password.fill('not the password')
    await signIn.click()
    await dialog.getByRole('alert').waitFor()
    await password.fill(OTHER_PASSWORD)
    await signIn.click()
    await place('Third').waitFor()
    await place('Third').click()
    await password.fill(PASSWORD)
    await signIn.click()
    await page.getByRole('button', { name: 'Tracker', exact: true }).click()
    await place('Tracker').waitFor()
  })
})

t.test('one’s own name is changed in Settings → You, on a phone, too', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'agents', 'issues', 'passwords', 'events', 'ui']
  })
  const page = await openSignedIn({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(`${url}/settings/you`)
  const name = page.getByLabel('Your name')
  await name.fill('Ada Lovelace')
  await name.press('Enter')
  // The field has it before it is stored.
  const stored = (fullname: string) => page.getByRole('list', { name: 'You' }).getByTitle(fullname, { exact: true })
  await stored('Ada Lovelace').waitFor()
  t.match(await server.ok('/v1/users/me'), { fullname: 'Ada Lovelace' })
  await server.agent('Scout')
  const field = page.getByRole('textbox', { name: 'Your name' })
  for (const [text, problem] of [
    ['sсout', 'looks like the name'],
    ['me', 'is a reserved word'],
    ['\u202Eecalevol', 'direction of text']
  ] as const) {
    await field.fill(text)
    await field.press('Enter')
    await page.getByRole('alert').getByText(problem).waitFor()
    t.equal(await field.inputValue(), text, 'what was refused can be corrected')
  }
  t.match(await server.ok('/v1/users/me'), { fullname: 'Ada Lovelace' })
  await field.fill('Ada')
  await field.press('Enter')
  await stored('Ada').waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  t.match(await server.ok('/v1/users/me'), { fullname: 'Ada' })
  const { x, width } = (await page.getByRole('button', { name: 'Sign out everywhere' }).boundingBox())!
  t.ok(x + width <= 390, 'the buttons are on the screen')
})
