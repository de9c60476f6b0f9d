import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  assertAccessibleInSchemes,
  needsChromium,
  SCREENS,
  startBrowser,
  tooWide,
  type Session
} from '../../../test/runner/chromium.ts'
import type { TestServer } from '../../../test/runner/harness.ts'
import { fileIssue } from './upload.ts'

const others = ['workspace', 'agents', 'issues', 'comments', 'passwords', 'events', 'ui']
const SETTINGS = '/settings/you'
const NAME = 'Administrator'
const IMAGES = 'img[src*="/v1/files/"]'

t.test('a person sets a picture, which all open pages show', needsChromium, async t => {
  const session = await startBrowser(t, { plugins: [...others, 'files'] })
  const { server, url, openSignedIn } = session
  const me = await server.ok<{ id: string }>('/v1/users/me')
  const board = await openBoard(session, me.id)
  const page = await openSignedIn()
  // From now on, so that the browser does not open a window of its own.
  const chooser = page.waitForEvent('filechooser')
  await page.goto(url + SETTINGS)
  const field = page.getByRole('group', { name: `Picture of ${NAME}` })
  const images = field.locator(IMAGES)

  await t.test('it is chosen by keys, and scaled down', async t => {
    const avatar = field.getByTitle(NAME)
    await avatar.getByText('A', { exact: true }).waitFor()
    const before = await avatar.boundingBox()
    await field.getByRole('button', { name: 'Choose picture' }).focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(await draw(page, 'teal'))
    await images.waitFor()
    t.strictSame(await avatar.boundingBox(), before, 'nothing moves')
    const [picture] = await server.ok<Array<{ accountId: string; url: string }>>('/v1/users/pictures')
    t.equal(picture!.accountId, me.id)
    t.match(await server.ok(`/v1/files/${picture!.url.split('/')[3]}`), {
      ...{ name: 'picture.webp', mimeType: 'image/webp', width: 256, height: 256 }
    })
    await field.getByRole('button', { name: 'Change picture' }).and(page.locator(':focus')).waitFor()
  })

  await t.test('every avatar has it, with one list, and one request for the picture', async t => {
    // An assignee, the author of a comment, and the side bar.
    await board.locator(IMAGES).nth(1).waitFor()
    const paths: string[] = []
    board.on('request', request => paths.push(new URL(request.url()).pathname))
    await board.reload()
    await board.locator(IMAGES).nth(1).waitFor()
    t.equal(paths.filter(path => path === '/v1/users/pictures').length, 1)
    t.equal(paths.filter(path => path.startsWith('/v1/files/')).length, 1)
  })

  await t.test('another one is dropped, and replaces it on all pages', async t => {
    const former = await images.getAttribute('src')
    await drop(page, await draw(page, 'orange'))
    await page.locator(`${IMAGES}:not([src="${former}"])`).nth(1).waitFor()
    await board.locator(`${IMAGES}:not([src="${former}"])`).nth(1).waitFor()
    t.equal(await board.locator(`[src="${former}"]`).count(), 0)
  })

  await t.test('what is no image is told', async () => {
    await drop(page, { name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('Some notes') })
    await field.getByRole('alert').getByText('notes.txt cannot be read as an image').waitFor()
  })

  await t.test('a picture that cannot be loaded gives way to the initial', async t => {
    const other = await openSignedIn()
    await other.route('**/v1/files/**', route => route.abort())
    await other.goto(url + SETTINGS)
    const avatar = other.getByRole('group', { name: `Picture of ${NAME}` }).getByTitle(NAME)
    await avatar.getByText('A', { exact: true }).waitFor()
    t.match(await avatar.boundingBox(), { width: 64, height: 64 })
    await other.close()
  })

  await t.test('it is removed, and the focus stays in the field', async () => {
    await settled(page)
    await field.getByRole('button', { name: 'Remove picture' }).click()
    await field.getByTitle(NAME).getByText('A', { exact: true }).waitFor()
    await field.getByRole('button', { name: 'Choose picture' }).and(page.locator(':focus')).waitFor()
    await board.locator(IMAGES).first().waitFor({ state: 'detached' })
  })
})

/** A page with an issue of the account. */
async function openBoard({ server, url, openSignedIn }: Session, assigneeId: string): Promise<Page> {
  const { key } = await fileIssue(server, { assigneeId })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'A comment' } })
  const page = await openSignedIn()
  const stream = page.waitForResponse(answer => answer.url().includes('/v1/events'))
  await page.goto(`${url}/issue/${key}`)
  await stream
  return page
}

t.test('administrators set the pictures of agents', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: [...others, 'files'] })
  const builder = await server.agent('Builder', ['read', 'write'])
  const me = await server.ok<{ id: string }>('/v1/users/me')
  await fileIssue(server, { title: 'The export loses a day', assigneeId: builder.id })
  await fileIssue(server, { title: 'The board is slow', assigneeId: me.id })
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(`${url}/settings/agents`)
    await page.getByRole('button', { name: 'Picture of Builder' }).click()
    const dialog = page.getByRole('dialog', { name: 'Picture of Builder' })
    const input = dialog.getByLabel('File of the picture of Builder')
    const image = await newImage(server, builder.id)
    await input.setInputFiles(await draw(page, name === 'desk' ? 'crimson' : 'purple'))
    await dialog.locator(image).waitFor()
    await assertAccessibleInSchemes(t, page, `the picture of an agent, ${name}`, `agent picture ${name}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.locator('dialog img').waitFor({ state: 'detached' })
    await page.getByRole('listitem').locator(image).waitFor()
    t.strictSame(await tooWide(page), [])
    await assertAccessibleInSchemes(t, page, `agents with pictures, ${name}`, `agents ${name}`)
    await assertAccessiblePages(t, page, url, name, await newImage(server, me.id))
    await page.close()
  }
})

/** The selector of a picture that the account does not have yet. */
async function newImage(server: TestServer, accountId: string): Promise<string> {
  const pictures = await server.ok<Array<{ accountId: string; url: string }>>('/v1/users/pictures')
  const former = pictures.find(picture => picture.accountId === accountId)
  return former ? `${IMAGES}:not([src$="${former.url}"])` : IMAGES
}

/** @param image the selector of the new picture of the person */
async function assertAccessiblePages(t: Test, page: Page, url: string, name: string, image: string): Promise<void> {
  await page.goto(url + SETTINGS)
  await page.getByLabel(`File of the picture of ${NAME}`).setInputFiles(await draw(page, 'seagreen'))
  await page
    .getByRole('group', { name: `Picture of ${NAME}` })
    .locator(image)
    .waitFor()
  await page.getByRole('button', { name: 'Remove picture' }).waitFor()
  t.strictSame(await tooWide(page), [])
  await assertAccessibleInSchemes(t, page, `one's own picture, ${name}`, `you ${name}`)
  for (const path of ['/board', '/settings/people', '/agents']) {
    await page.goto(url + path)
    await page.locator(`main ${IMAGES}`).first().waitFor()
    await assertAccessibleInSchemes(t, page, `${path} with pictures, ${name}`, `${path.replaceAll('/', ' ')} ${name}`)
  }
}

t.test('without the plugin there are initials, and no field', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: others })
  await server.agent('Builder')
  const page = await openSignedIn()
  const paths: string[] = []
  page.on('request', request => paths.push(new URL(request.url()).pathname))
  await page.goto(url + SETTINGS)
  await page.getByRole('textbox', { name: 'Your name' }).waitFor()
  await page.getByRole('listitem').getByTitle(NAME).getByText('A', { exact: true }).waitFor()
  t.equal(await page.getByRole('group', { name: /^Picture/ }).count(), 0)
  await page.goto(`${url}/settings/agents`)
  await page.getByRole('button', { name: 'Rotate the token of Builder' }).waitFor()
  t.equal(await page.getByRole('button', { name: /^Picture/ }).count(), 0)
  t.notOk(paths.includes('/v1/users/pictures'))
})

interface Chosen {
  name: string
  mimeType: string
  buffer: Buffer
}
/** A picture that is wider than high. */
const draw = async (page: Page, color: string): Promise<Chosen> => ({
  name: `${color}.png`,
  mimeType: 'image/png',
  buffer: Buffer.from(
    await page.evaluate<string>(`{
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 })
      const context = canvas.getContext('2d')
      context.fillStyle = '${color}'
      context.fillRect(0, 0, 640, 400)
      context.fillStyle = 'white'
      context.arc(320, 170, 80, 0, 7)
      context.fill()
      context.beginPath()
      context.arc(320, 430, 150, 0, 7)
      context.fill()
      canvas.toDataURL('image/png').split(',')[1]
    }`),
    'base64'
  )
})

/** Resolves when no change of the picture is pending: another one would be refused. */
const settled = (page: Page) => page.locator('[role=group][aria-label^="Picture of"][aria-busy=false]').waitFor()

/** Drops a file on the field of the picture. */
async function drop(page: Page, { name, mimeType, buffer }: Chosen): Promise<void> {
  await settled(page)
  await page.evaluate(`{
    const data = new DataTransfer()
    const bytes = Uint8Array.fromBase64('${buffer.toString('base64')}')
    data.items.add(new File([bytes], '${name}', { type: '${mimeType}' }))
    const field = document.querySelector('[role=group][aria-label^="Picture of"]')
    field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  }`)
}
