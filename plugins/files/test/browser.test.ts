import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import type { TestServer } from '../../../test/runner/harness.ts'
import { fileIssue, upload } from './upload.ts'

const others = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui']
const plugins = [...others, 'files']
const withMore = [...plugins, 'agents', 'projects', 'search', 'knowledge', 'proof', 'mcp']

interface Sent {
  name: string
  type: string
  base64: string
}
const SIZE = { width: 640, height: 400 }
/** A BMP of one pixel: browsers show it, but not from this server. */
const BITMAP = Buffer.from('Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAA////AA==', 'base64')
/** The beginnings of a 7z archive and of a text document. */
const ARCHIVE = Buffer.from('N3q8ryccAAQ=', 'base64')
const ODT = Buffer.from(
  'UEsDBAAAAAAAAAAAAAAAAAAAJwAAACcAAAAIAAAAbWltZXR5cGVhcHBsaWNhdGlvbi92bmQub2FzaXMub3BlbmRvY3VtZW50LnRleHQ=',
  'base64'
)
const NOTES: Sent = { name: 'notes [1].txt', type: 'text/plain', base64: Buffer.from('Some notes').toString('base64') }

t.test('files are added to texts, and displayed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const { key, id } = await fileIssue(server, {})
  const page = await openSignedIn()
  const picture = await drawPicture(page, 'screen shot.png')
  const comment = page.getByRole('textbox', { name: 'Comment', exact: true })
  const texts = () => markdownOf(server, id)

  await t.test('an image is pasted, and seen in another browser', async t => {
    const other = await openSignedIn()
    await other.goto(`${url}/issue/${key}`)
    await page.goto(`${url}/issue/${key}`)
    await comment.click()
    await page.locator('[contenteditable][aria-label=Comment]').waitFor()
    await page.keyboard.type('Look: ')
    await give(page, 'paste', [picture])
    await page.locator('[contenteditable] img[alt="screen shot.png"]').waitFor()
    await page.keyboard.type(' here')
    await page.keyboard.press('Control+Enter')
    const image = other.getByRole('article').getByRole('img', { name: picture.name })
    await image.waitFor()
    t.match((await texts())[0], /^Look: !\[screen shot\.png\]\(\/v1\/files\/[-\da-f]+\/screen%20shot\.png\) here$/)
    await loaded(image)
    t.match(await image.boundingBox(), SIZE)
    await other.close()
  })

  await t.test('its size is reserved, and it is enlarged by keys', async t => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/v1/files/*/*.png', async route => {
      await released
      await route.continue()
    })
    // The event `load` may wait for the image.
    await page.reload({ waitUntil: 'commit' })
    const enlarge = page.getByRole('button', { name: `Enlarge ${picture.name}` })
    const image = enlarge.getByRole('img')
    await image.waitFor()
    t.equal(await isLoaded(image), false)
    const before = await image.boundingBox()
    t.match(before, SIZE)
    release()
    await loaded(image)
    t.strictSame(await image.boundingBox(), before)
    await page.unroute('**/v1/files/*/*.png')
    await enlarge.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: picture.name })
    await dialog.getByRole('img', { name: picture.name }).waitFor()
    await dialog.getByRole('link', { name: 'Download' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await enlarge.and(page.locator(':focus')).waitFor()
  })

  await t.test('several files are dropped in the Markdown, and chosen in the editor', async t => {
    const known = await page.getByRole('article').getByRole('img').getAttribute('src')
    const paths: string[] = []
    page.on('request', request => paths.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Markdown: Comment' }).click()
    await page.getByRole('textbox', { name: 'Comment, in Markdown' }).click()
    await give(page, 'drop', [NOTES, picture])
    await page.getByRole('list', { name: 'Files that are being uploaded' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit: Comment' }).click()
    const editor = page.locator('[contenteditable][aria-label=Comment]')
    await editor.getByRole('link', { name: NOTES.name }).waitFor()
    await editor.locator(`img[alt="${picture.name}"]`).first().waitFor()
    await page.getByLabel('Files: Comment', { exact: true }).setInputFiles([chosen(NOTES)])
    await editor.getByRole('link', { name: NOTES.name }).nth(1).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    const sent = page.getByRole('article').last()
    await sent.getByText('TXT 10 bytes').first().waitFor()
    t.notOk(paths.includes(dirname(known!)), 'what is known of other files is not read again')
    t.match((await texts())[1], /\[notes \\\[1\\?\]\.txt\]\(\/v1\/files\/.*!\[screen shot\.png\]/s)
  })

  await t.test('who leaves a text does not save it before its files are there', async t => {
    const release = await hold(page)
    await page.getByRole('button', { name: 'Add a description' }).click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.waitFor()
    await page.keyboard.type('Before ')
    await give(page, 'paste', [NOTES])
    await editor.getByText(`Uploading ${NOTES.name}…`).waitFor()
    await page.keyboard.type('after')
    await page.getByRole('textbox', { name: 'Title', exact: true }).click()
    t.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
    await release()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await editor.waitFor({ state: 'hidden' })
    const { descriptionMarkdown } = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${id}`)
    t.match(descriptionMarkdown, /^Before \[notes .*\]\(\/v1\/files\/[^)]*\)after$/)
  })

  await t.test('a cut connection is retried, and a file arrives once', async t => {
    const count = async () => (await server.ok<unknown[]>(`/v1/issues/${id}/files`)).length
    const before = await count()
    let attempts = 0
    const keys = new Set<string>()
    await page.route('**/v1/files', async route => {
      keys.add(route.request().headers()['idempotency-key']!)
      attempts++
      // The answer to the first one is lost.
      if (attempts === 1) await route.fetch()
      if (attempts <= 3) return route.abort('connectionreset')
      return route.continue()
    })
    await comment.click()
    await give(page, 'paste', [picture])
    const list = page.getByRole('list', { name: 'Files that are being uploaded' })
    await list.getByRole('alert').getByText('The connection was cut').waitFor()
    t.equal(attempts, 3)
    await list.getByRole('button', { name: `Retry ${picture.name}` }).click()
    await list.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('article').nth(2).getByRole('img').waitFor()
    t.equal(await count(), before + 1)
    t.equal(keys.size, 1)
    await page.unroute('**/v1/files')
  })

  await t.test('a refused file is told, and left out; an upload is cancelled', async t => {
    await page.route('**/v1/files', route => route.fulfill({ status: 413, json: { message: 'It is too large.' } }))
    await comment.click()
    await page.keyboard.type('Text')
    await give(page, 'paste', [NOTES])
    const list = page.getByRole('list', { name: 'Files that are being uploaded' })
    await list.getByRole('alert').getByText('It is too large.').waitFor()
    await assertAccessibleInSchemes(t, page, 'a refused file', 'refused file')
    await list.getByRole('button', { name: `Leave out ${NOTES.name}` }).click()
    await list.waitFor({ state: 'detached' })
    await page.unroute('**/v1/files')
    const release = await hold(page)
    await comment.click()
    await give(page, 'paste', [NOTES])
    await list.getByRole('button', { name: `Cancel ${NOTES.name}` }).click()
    await list.waitFor({ state: 'detached' })
    await release()
    t.equal(await page.locator('[contenteditable][aria-label=Comment]').textContent(), 'Text')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('a file that is dropped beside the texts does not replace the page', async t => {
    await page.getByRole('textbox', { name: 'Title', exact: true }).focus()
    t.equal(await give(page, 'drop', [NOTES]), false, 'its default is prevented')
  })

  await t.test('a file that is dropped on raw HTML is put beside it', async t => {
    const html = '<details>\n<summary>raw</summary>\n</details>'
    const other = await fileIssue(server, { descriptionMarkdown: html })
    await page.goto(`${url}/issue/${other.key}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.and(page.locator(':focus')).waitFor()
    await give(page, 'drop', [NOTES])
    await editor.getByRole('link', { name: NOTES.name }).waitFor()
    await page.keyboard.press('Control+Enter')
    await editor.waitFor({ state: 'detached' })
    const { descriptionMarkdown } = await server.ok<{ descriptionMarkdown: string }>(`/v1/issues/${other.id}`)
    const blocks = descriptionMarkdown.split('\n\n')
    t.equal(blocks.length, 2)
    t.ok(blocks.includes(html), 'it stays as it was')
    t.ok(blocks.some(block => block.startsWith('[notes ')))
    await page.goto(`${url}/issue/${key}`)
  })

  await t.test('a copied text with its picture is a text', async t => {
    await comment.click()
    await page.locator('[contenteditable][aria-label=Comment]').waitFor()
    await give(page, 'paste', [picture], 'Words of a table')
    await page.locator('[contenteditable]').getByText('Words of a table').waitFor()
    t.equal(await page.getByRole('list', { name: 'Files that are being uploaded' }).count(), 0)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('a file that was removed is told', async () => {
    const [file] = await server.ok<Array<{ id: string }>>(`/v1/issues/${id}/files`)
    await server.ok(`/v1/files/${file!.id}`, { method: 'DELETE' })
    await page.getByText(`${picture.name} (not available)`).waitFor()
  })

  await t.test('axe finds nothing in texts with files, at every size', t =>
    assertAccessibleFiles(t, openSignedIn, `${url}/issue/${key}`)
  )
})

t.test('files keep their place, and are what they are, wherever they are displayed', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: withMore })
  const page = await openSignedIn()
  const picture = await drawPicture(page, 'screen.png')
  const bytes = Buffer.from(picture.base64, 'base64')
  const { id, key } = await fileIssue(server)
  const put = (name: string, content: Buffer | string) => upload(server, content, { name, query: `?issueId=${id}` })
  const comment = async (bodyMarkdown: string) =>
    server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown } })
  const describe = (descriptionMarkdown: string) => server.ok(`/v1/issues/${id}`, { body: { descriptionMarkdown } })
  const description = page.getByRole('region', { name: 'Description' })

  await t.test('the size of an image is known before anything of it is loaded', async t => {
    await describe(`Before\n\n![In the description](${(await put('a.png', bytes)).url})\n\nAfter`)
    await comment(`![In a comment](${(await put('b.png', bytes)).url})`)
    const release = await hold(page, '**/v1/files/*/*.png')
    // The event `load` may wait for the image.
    await page.goto(`${url}/issue/${key}`, { waitUntil: 'commit' })
    const image = description.getByRole('img')
    await image.waitFor()
    t.match(await image.boundingBox(), SIZE)
    t.match(await page.getByRole('article').getByRole('img').boundingBox(), SIZE)
    await comment(`![In a new comment](${(await put('c.png', bytes)).url})`)
    await page.getByRole('article').nth(1).waitFor()
    t.match(await page.getByRole('article').nth(1).getByRole('img').boundingBox(), SIZE)

    await description.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.and(page.locator(':focus')).waitFor()
    t.match(await editor.getByRole('img').boundingBox(), SIZE, 'where it is written, too')
    const after = await editor.getByText('After').boundingBox()
    t.equal(await isLoaded(editor.getByRole('img')), false)
    await release()
    await loaded(editor.getByRole('img'))
    t.strictSame(await editor.getByText('After').boundingBox(), after)
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'detached' })
  })

  await t.test('a text of a project is displayed when it is known what its files are', async t => {
    const file = await upload(server, bytes, { name: 'plan.png' })
    const descriptionMarkdown = `The plan:\n\n![Plan](${file.url})`
    const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Launch', descriptionMarkdown } })
    const release = await hold(page, `**/v1/files/${file.id}`)
    const request = page.waitForRequest(`**/v1/files/${file.id}`)
    await page.goto(`${url}/projects/${project.id}`)
    await request
    t.equal(await page.getByText('The plan:').count(), 0)
    await release()
    await page.getByRole('img', { name: 'Plan' }).waitFor()
    t.match(await page.getByRole('img', { name: 'Plan' }).boundingBox(), SIZE)
  })

  await t.test('a text does not wait for its files for ever', async () => {
    const file = await upload(server, bytes, { name: 'slow.png' })
    const descriptionMarkdown = `The other plan:\n\n![Slow](${file.url})`
    const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Later', descriptionMarkdown } })
    const release = await hold(page, `**/v1/files/${file.id}`)
    await page.goto(`${url}/projects/${project.id}`)
    await page.getByText('The other plan:').waitFor()
    await release()
    await page.getByRole('img', { name: 'Slow' }).waitFor()
  })

  await t.test('an image of another issue keeps its place in an issue', async t => {
    const other = await fileIssue(server)
    const foreign = await upload(server, bytes, { name: 'foreign.png', query: `?issueId=${other.id}` })
    const own = await put('own.png', bytes)
    await describe(`![Own](${own.url})\n\n![Of the other](${foreign.url})`)
    const release = await hold(page, `**/v1/files/${foreign.id}`)
    const request = page.waitForRequest(`**/v1/files/${foreign.id}`)
    await page.goto(`${url}/issue/${key}`)
    await request
    t.equal(await description.getByRole('img').count(), 0, 'nothing is displayed that would move')
    await release()
    for (const name of ['Own', 'Of the other']) {
      const image = description.getByRole('img', { name })
      await image.waitFor()
      t.match(await image.boundingBox(), SIZE)
    }
  })

  await t.test('the server says what a file is, not its name', async t => {
    const html = await put('report.pdf', '<script>')
    await describe(`[Report](${html.url}) ![Photo](${(await put('photo.png', BITMAP)).url})`)
    await comment(`[Archive](${(await put('archive.bin', ARCHIVE)).url}) [Text](${(await put('text.bin', ODT)).url})`)
    await page.goto(`${url}/issue/${key}`)
    const row = (name: string) => description.getByRole('link', { name })
    await row('Report TXT 8 bytes').waitFor()
    await row(`Photo BMP ${BITMAP.length} bytes`).waitFor()
    const last = page.getByRole('article').last()
    await last.getByRole('link', { name: `Archive 7Z ${ARCHIVE.length} bytes` }).waitFor()
    await last.getByRole('link', { name: `Text ODT ${ODT.length} bytes` }).waitFor()
    t.equal(await description.locator('img').count(), 0)
    await description.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.getByText('File: Photo').waitFor()
    t.equal(await editor.getByRole('img').count(), 0)
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'detached' })
  })

  await t.test('an image that cannot be decoded is a file', async () => {
    const broken = Buffer.from(bytes)
    // No type of colour has this number.
    broken[25] = 7
    await describe(`![Broken](${(await put('broken.png', broken)).url})`)
    await description.getByRole('link', { name: `Broken PNG` }).waitFor()
    await description.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('[contenteditable][aria-label=Description]')
    await editor.getByText('File: Broken').waitFor()
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'detached' })
    await description.getByRole('link', { name: `Broken PNG` }).waitFor()
    await describe(`![Mended](${(await put('mended.png', bytes)).url})`)
    await loaded(description.getByRole('img', { name: 'Mended' }))
  })

  await t.test('an image that is removed before it is loaded is not available', async () => {
    const file = await put('late.png', bytes)
    await describe(`![Late](${file.url})`)
    // No event tells it.
    await page.route('**/v1/events**', route => route.abort())
    const release = await hold(page, '**/v1/files/*/*.png')
    await page.goto(`${url}/issue/${key}`, { waitUntil: 'commit' })
    await description.getByRole('img', { name: 'Late' }).waitFor()
    await server.ok(`/v1/files/${file.id}`, { method: 'DELETE' })
    await release()
    await description.getByText('Late (not available)').waitFor()
    await page.unroute('**/v1/events**')
  })

  await t.test('only what browsers show becomes an image of a text', async t => {
    const bitmap: Sent = { name: 'scan.bmp', type: 'image/bmp', base64: BITMAP.toString('base64') }
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    const editor = page.locator('[contenteditable][aria-label=Comment]')
    await editor.waitFor()
    await give(page, 'paste', [bitmap])
    await editor.getByRole('link', { name: bitmap.name }).waitFor()
    await page.getByRole('button', { name: 'Markdown: Comment' }).click()
    const markdown = page.getByRole('textbox', { name: 'Comment, in Markdown' })
    await markdown.click()
    await give(page, 'paste', [bitmap])
    await page.getByRole('list', { name: 'Files that are being uploaded' }).waitFor({ state: 'detached' })
    t.match(await markdown.inputValue(), /^(\[scan\.bmp\]\(\/v1\/files\/[^)]*\)\s*){2}$/)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('evidence of an agent names a file, and is displayed with it', async t => {
    const { token } = await server.agent('Builder', ['read', 'write'])
    const issue = await fileIssue(server, { descriptionMarkdown: '- [ ] It fits' })
    const { markdown } = await callTool<{ markdown: string }>(server, token, 'attach_file', {
      ...{ task: issue.key, name: 'proof.png', base64: picture.base64 }
    })
    const log = await callTool<{ markdown: string }>(server, token, 'attach_file', {
      ...{ task: issue.key, name: 'test.log', text: 'ok 1' }
    })
    const evidence = `See **this**: ${log.markdown}\n\n${markdown}`
    await callTool(server, token, 'update_task', { task: issue.key, met: [{ criterion: 1, evidence }] })
    await page.goto(`${url}/issue/${issue.key}`)
    const section = page.getByRole('region', { name: 'Evidence' })
    await section.getByText('Builder').waitFor()
    await section.getByRole('strong').getByText('this').waitFor()
    await section.getByRole('link', { name: 'test.log TXT 4 bytes' }).waitFor()
    await loaded(section.getByRole('img', { name: 'proof.png' }))
    t.match(await section.getByRole('img').boundingBox(), SIZE)
    await assertAccessibleInSchemes(t, page, 'evidence with files', 'evidence files')
  })
})

t.test('files are added to every kind of text', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: withMore })
  const { key, id } = await fileIssue(server)
  await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'The first' } })
  const page = await openSignedIn()
  // From now on: a listener that is added with the click would be too late.
  page.on('filechooser', () => undefined)
  const picture = await drawPicture(page, 'screen.png')
  const editorOf = (label: string) => page.locator(`[contenteditable][aria-label="${label}"]`)

  /** Pastes a picture, and chooses notes, in the editor that has the focus. */
  async function addBoth(label: string): Promise<void> {
    const editor = editorOf(label)
    await editor.and(page.locator(':focus')).waitFor()
    await give(page, 'paste', [picture])
    await editor.getByRole('img', { name: picture.name }).waitFor()
    await page.getByLabel(`Files: ${label}`, { exact: true }).setInputFiles([chosen(NOTES)])
    await editor.getByRole('link', { name: NOTES.name }).waitFor()
    await editor.focus()
  }
  const assertBoth = (t: Test, text: string) => {
    t.match(text, /!\[screen\.png\]\(\/v1\/files\//)
    t.match(text, /\[notes .*\]\(\/v1\/files\//)
  }

  await t.test('of a new issue', async t => {
    await page.goto(`${url}/board`)
    await page.getByRole('region', { name: 'Todo', exact: true }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.getByLabel('Title').fill('With files')
    await dialog.getByRole('textbox', { name: 'Description' }).click()
    await addBoth('Description')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'With files' }).waitFor()
    const path = `/v1/issues/${new URL(page.url()).pathname.split('/').at(-1)}`
    assertBoth(t, (await server.ok<{ descriptionMarkdown: string }>(path)).descriptionMarkdown)
    t.equal((await server.ok<unknown[]>(`${path}/files`)).length, 2)
  })

  await t.test('of a reply and an edited comment', async t => {
    await page.goto(`${url}/issue/${key}`)
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await addBoth('Reply')
    await page.keyboard.press('Control+Enter')
    await editorOf('Reply').waitFor({ state: 'detached' })
    await page.getByRole('article').getByRole('img', { name: picture.name }).waitFor()
    await page.getByRole('button', { name: 'Actions on the comment of Administrator' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await addBoth('Edited comment')
    await page.keyboard.press('Control+Enter')
    await editorOf('Edited comment').waitFor({ state: 'detached' })
    for (const text of await markdownOf(server, id)) assertBoth(t, text)
    t.equal((await server.ok<unknown[]>(`/v1/issues/${id}/files`)).length, 4)
  })

  await t.test('after “/” and the word “file”', async t => {
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await editorOf('Comment').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('/file')
    const option = page.getByRole('listbox', { name: 'Blocks' }).getByRole('option', { name: 'File' })
    await option.and(page.locator('[aria-selected=true]')).waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([chosen(NOTES)])
    await editorOf('Comment').getByRole('link', { name: NOTES.name }).waitFor()
    t.equal((await editorOf('Comment').textContent())?.trim(), NOTES.name)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('of knowledge', async t => {
    await page.goto(`${url}/knowledge`)
    await page.getByRole('textbox', { name: 'Entry text' }).click()
    await addBoth('Entry text')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/knowledge/*')
    await page.getByRole('article').getByRole('img', { name: picture.name }).waitFor()
    const entryId = new URL(page.url()).pathname.split('/').at(-1)
    assertBoth(t, (await server.ok<{ content: string }>(`/v1/knowledge/${entryId}`)).content)
  })

  await t.test('of a project', async t => {
    const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'Launch' } })
    await page.goto(`${url}/projects/${project.id}`)
    await page.getByRole('button', { name: 'Add a description' }).click()
    await addBoth('Description')
    await page.keyboard.press('Control+Enter')
    await editorOf('Description').waitFor({ state: 'detached' })
    await page.getByRole('img', { name: picture.name }).waitFor()
    const { descriptionMarkdown } = await server.ok<{ descriptionMarkdown: string }>(`/v1/projects/${project.id}`)
    assertBoth(t, descriptionMarkdown)
  })

  await t.test('on a phone, with the camera', async t => {
    const phone = await openSignedIn(SCREENS[1]![1])
    // Pages without TLS have no `randomUUID`.
    await phone.addInitScript('delete Crypto.prototype.randomUUID')
    const chooser = phone.waitForEvent('filechooser')
    await phone.goto(`${url}/issue/${key}`)
    await phone.getByRole('button', { name: 'Attach files: Comment' }).tap()
    t.equal((await chooser).isMultiple(), true)
    // The systems of phones offer the camera for inputs that take pictures, and only the camera with `capture`.
    const input = phone.getByLabel('Files: Comment', { exact: true })
    for (const name of ['accept', 'capture']) t.equal(await input.getAttribute(name), null)
    await (await chooser).setFiles([{ ...chosen(picture), name: 'image.jpg', mimeType: 'image/jpeg' }])
    await phone.getByRole('button', { name: 'Send' }).tap()
    const image = phone.getByRole('article').last().getByRole('img', { name: 'image.jpg' })
    await loaded(image)
    const { x, width } = (await image.boundingBox())!
    t.ok(x >= 0 && x + width <= phone.viewportSize()!.width)
    await phone.close()
  })
})

t.test('without the plugin, a file of a text is a link', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: others })
  const descriptionMarkdown = '![The board](/v1/files/01a21d73-601f-724b-8735-9d59d797a3cf/board.png)'
  const { key } = await fileIssue(server, { descriptionMarkdown })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const link = page.getByRole('region', { name: 'Description' }).getByRole('link', { name: 'The board' })
  t.equal(await link.getAttribute('href'), '/v1/files/01a21d73-601f-724b-8735-9d59d797a3cf/board.png')
  t.equal(await page.getByRole('button', { name: 'Attach files: Comment' }).count(), 0)
  await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
  await page.locator('[contenteditable][aria-label=Comment]').waitFor()
  await give(page, 'paste', [NOTES])
  t.equal(await page.locator('[contenteditable][aria-label=Comment]').textContent(), '')
})

async function assertAccessibleFiles(
  t: Test,
  openSignedIn: Awaited<ReturnType<typeof startBrowser>>['openSignedIn'],
  url: string
): Promise<void> {
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(url)
    await page.getByRole('article').nth(2).getByRole('img').waitFor()
    await page.getByRole('button', { name: 'Attach files: Comment' }).waitFor()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await page.locator('[contenteditable][aria-label=Comment]').waitFor()
    const release = await hold(page)
    await give(page, 'paste', [NOTES])
    await page.getByRole('progressbar', { name: `Upload of ${NOTES.name}` }).waitFor()
    await assertAccessibleInSchemes(t, page, `an issue with files, ${name}`, `files ${name}`)
    await release()
    await page
      .getByRole('button', { name: /^Enlarge/ })
      .last()
      .click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    await assertAccessibleInSchemes(t, page, `an enlarged image, ${name}`, `enlarged ${name}`)
    await page.close()
  }
}

/** @throws Error when the tool refuses */
async function callTool<T>(server: TestServer, token: string, name: string, args: object): Promise<T> {
  const answer = await server.call('/v1/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  })
  const { result } = answer.json<{ result: { isError?: boolean; structuredContent: T } }>()
  if (result.isError) throw new Error(answer.body)
  return result.structuredContent
}

const markdownOf = async (server: TestServer, issueId: string): Promise<string[]> =>
  (await server.ok<Array<{ bodyMarkdown: string }>>(`/v1/issue_comments?issueId=${issueId}`)).map(
    ({ bodyMarkdown }) => bodyMarkdown
  )

const chosen = ({ name, type, base64 }: Sent) => ({ name, mimeType: type, buffer: Buffer.from(base64, 'base64') })

/** Files in the clipboard, or dropped, at the focused element. @returns true if the browser handles them itself */
const give = (page: Page, type: 'paste' | 'drop', files: Sent[], text = ''): Promise<boolean> =>
  page.evaluate(`{
    const data = new DataTransfer()
    if (${JSON.stringify(text)}) data.setData('text/plain', ${JSON.stringify(text)})
    for (const { name, type, base64 } of ${JSON.stringify(files)}) {
      data.items.add(new File([Uint8Array.fromBase64(base64)], name, { type }))
    }
    const { x, y } = document.activeElement.getBoundingClientRect()
    const more = { bubbles: true, cancelable: true, clientX: x + 20, clientY: y + 12 }
    const event = ${type === 'paste'}
      ? new ClipboardEvent('paste', { clipboardData: data, ...more })
      : new DragEvent('drop', { dataTransfer: data, ...more })
    document.activeElement.dispatchEvent(event)
  }`)

/** Holds requests; default: uploads. @returns a function that lets them go on */
async function hold(page: Page, glob = '**/v1/files'): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(glob, async route => {
    await promise
    // It may be cancelled.
    await route.continue().catch(() => undefined)
  })
  return async () => {
    resolve()
    await page.unroute(glob)
  }
}

const drawPicture = async (page: Page, name: string): Promise<Sent> => ({
  name,
  type: 'image/png',
  base64: await page.evaluate(`{
    const canvas = Object.assign(document.createElement('canvas'), ${JSON.stringify(SIZE)})
    canvas.getContext('2d').fillRect(20, 20, 300, 200)
    canvas.toDataURL('image/png').split(',')[1]
  }`)
})

type Locator = ReturnType<Page['locator']>
const isLoaded = (image: Locator): Promise<boolean> =>
  image.evaluate((element: unknown) => (element as { naturalWidth: number }).naturalWidth > 0)
async function loaded(image: Locator): Promise<void> {
  while (!(await isLoaded(image))) await new Promise(resolve => setTimeout(resolve, 50))
}
