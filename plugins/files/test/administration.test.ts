import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { fileIssue, person, PIXEL, refused, upload, type Uploaded } from './upload.ts'

interface Listed {
  files: Array<Uploaded & { subject?: object }>
  usage: { bytes: number; maxBytes: number }
  nextCursor: string | null
}
const MAX_BYTES = 10_000

t.test('administrators list all files, and remove any with the reason', async t => {
  const server = await testServer({ settings: { plugins: { files: { maxBytesPerWorkspace: MAX_BYTES } } } })
  t.teardown(() => server.close())
  const list = (query = '') => server.ok<Listed>(`/v1/files${query}`)
  const gus = await person(server, 'gus')
  t.strictSame(await list(), { files: [], usage: { bytes: 0, maxBytes: MAX_BYTES }, nextCursor: null })

  const { key, id } = await fileIssue(server, { title: 'A task' })
  const deleted = await fileIssue(server)
  const loose = await upload(server, 'x'.repeat(300), { name: 'loose.txt', token: gus.token })
  const shot = await upload(server, PIXEL, { query: `?issueId=${key}` })
  const hidden = await upload(server, 'x'.repeat(500), { query: `?issueId=${deleted.key}` })
  const plan = await upload(server, '')
  const project = await server.ok<{ id: string }>('/v1/projects', {
    body: { name: 'Plan', descriptionMarkdown: `![](${plan.url})` }
  })
  await server.ok(`/v1/issues/${deleted.key}`, { method: 'DELETE' })
  const other = await server.otherWorkspace()

  await t.test('the newest first, with what they belong to', async t => {
    t.strictSame(await list(), {
      files: [
        { ...plan, subject: { type: 'project', id: project.id, title: 'Plan' } },
        { ...hidden, subject: { type: 'issue', id: deleted.id } },
        { ...shot, subject: { type: 'issue', id, key, title: 'A task' } },
        loose
      ],
      usage: { bytes: 800 + PIXEL.length, maxBytes: MAX_BYTES },
      nextCursor: null
    })
  })

  await t.test('the largest first, in pages', async t => {
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Listed = await list(`?order=bytes&limit=1${cursor && `&cursor=${cursor}`}`)
      names.push(...page.files.map(file => file.id))
      cursor = page.nextCursor
    }
    t.strictSame(
      names,
      [hidden, loose, shot, plan].map(file => file.id)
    )
    const { nextCursor } = await list('?limit=1')
    t.match(await list(`?limit=1&cursor=${nextCursor}`), { files: [{ id: hidden.id }] })
    for (const query of [`?order=bytes&cursor=${nextCursor}`, '?cursor=abc', '?order=name', '?limit=0']) {
      await refused(t, server.call(`/v1/files${query}`), 400)
    }
  })

  await t.test('nobody else does', async t => {
    await refused(t, server.call('/v1/files', { token: gus.token }), 403)
    await refused(t, server.call('/v1/files', { token: (await server.agent('Bot')).token }), 403)
    await refused(t, server.call('/v1/files', { token: null }), 401)
    t.match(await server.ok('/v1/files', { token: other.token }), { files: [] })
  })

  await t.test('a file that no text has named is removed, too; its content stays private', async t => {
    await refused(t, server.call(loose.url), 404)
    await refused(t, server.call(`/v1/files/${loose.id}`, { method: 'DELETE', token: other.token }), 404)
    await server.ok(`/v1/files/${loose.id}?reason=Too+large`, { method: 'DELETE' })
    await server.ok(`/v1/files/${shot.id}?reason=Secret`, { method: 'DELETE' })
    t.match(await list(), { files: [{ id: plan.id }, { id: hidden.id }], usage: { bytes: 500 } })
    const { events } = await server.ok<{ events: object[] }>('/v1/events?types=file.deleted')
    t.match(events, [{ data: { name: null, reason: 'Too large' } }, { data: { name: shot.name, reason: 'Secret' } }])
    await refused(t, server.call(`/v1/files/${hidden.id}`, { method: 'DELETE' }), 404)
  })
})

t.test('administrators see and remove files in the settings', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, {
    plugins: ['workspace', 'issues', 'templates', 'passwords', 'files', 'events', 'ui']
  })
  const { key } = await fileIssue(server, { title: 'A task' })
  const page = await openSignedIn()
  await page.goto(`${url}/settings/files`)
  await page.getByText('No files').waitFor()
  await page.getByText('Files take 0 bytes of 10.7 GB.').waitFor()
  for (let n = 1; n <= 51; n++) {
    await upload(server, 'x'.repeat(100 - n), { name: `${n}.txt`, query: `?issueId=${key}` })
  }
  await upload(server, PIXEL, { name: 'of nobody yet.png' })
  const { url: descriptionMarkdown } = await upload(server, PIXEL, { name: 'of a form.png' })
  const template = { teamId: 'ENG', name: 'Bug report', descriptionMarkdown }
  const { id } = await server.ok<{ id: string }>('/v1/issue_templates', { body: template })
  await server.ok(`/v1/issue_templates/${id}`, { method: 'DELETE' })
  const line = (name: string) =>
    page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })

  await t.test('sorted, in pages, with what they belong to', async t => {
    await page.reload()
    await line('of nobody yet.png').getByText('in no text yet').waitFor()
    await line('of a form.png').getByText('of a template for issues that is removed').waitFor()
    await line('51.txt')
      .getByRole('link', { name: `${key} A task` })
      .waitFor()
    t.equal(await page.getByRole('button', { name: 'Remove 1.txt', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Remove 1.txt', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Order' }).press('Enter')
    await page.getByRole('listbox', { name: 'Order' }).waitFor()
    await assertAccessibleInSchemes(t, page, 'the orders of files', 'files order')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const first = page.getByRole('list', { name: 'Files' }).getByRole('listitem').first()
    await first.getByText('1.txt', { exact: true }).waitFor()
    t.match(await first.textContent(), /^1\.txt99 bytes/)
  })

  await t.test('a file is removed by keys, with the reason', async t => {
    await page.getByRole('button', { name: 'Remove 1.txt', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Remove 1.txt' })
    await dialog.getByRole('textbox', { name: 'Why' }).and(page.locator(':focus')).waitFor()
    await assertAccessibleInSchemes(t, page, 'the removal of a file', 'files removal')
    await page.keyboard.type('Too large')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove 1.txt', exact: true }).waitFor({ state: 'detached' })
    const { events } = await server.ok<{ events: object[] }>('/v1/events?types=file.deleted')
    t.match(events, [{ data: { name: '1.txt', reason: 'Too large' } }])
  })

  await t.test('axe finds nothing', async t => {
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/settings/files`)
      await page.getByText('of nobody yet.png').waitFor()
      await assertAccessibleInSchemes(t, page, `the files, ${name}`, `files ${name}`)
      await page.close()
    }
    const narrow = await openSignedIn({ viewport: { width: 320, height: 640 } })
    await narrow.goto(`${url}/settings/files`)
    await narrow.getByText('of nobody yet.png').waitFor()
    t.equal(await narrow.evaluate<number>('document.documentElement.scrollWidth'), 320)
  })
})
