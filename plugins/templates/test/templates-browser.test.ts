import t from 'tap'
import {
  assertAccessibleInSchemes,
  choose,
  NARROW,
  needsChromium,
  pick,
  startBrowser,
  tooWide
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'issues', 'passwords', 'templates', 'trash', 'events', 'ui']

t.test('templates are written in the settings, and fill in the form of a new issue', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.ok('/v1/labels', { body: { name: 'defect', color: '#aa5500' } })
  const page = await openSignedIn()
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const templates = page.getByRole('list', { name: 'Templates of Engineering' })
  const saved = () =>
    page.waitForResponse(answer => answer.request().method() === 'POST' && answer.url().includes('/v1/issue_templates'))

  await t.test('a template is added, edited, removed and restored', async t => {
    await page.goto(`${url}/settings/templates`)
    await page.getByText('No templates yet').waitFor()
    await page.getByRole('button', { name: 'New template of Engineering' }).click()
    const form = dialog('New template of Engineering')
    await form.getByLabel('Name').fill('Bug report')
    await form.getByLabel('Title').fill('Bug')
    await form.getByRole('textbox', { name: 'Text', exact: true }).click()
    await page.locator('[contenteditable][aria-label="Text"]:focus').waitFor()
    await page.keyboard.type('What happens, and where.')
    await form.getByLabel('Criteria, one a line').fill('A test shows it\nThe changelog has it')
    await pick(page, 'Labels', 'defect')
    await page.keyboard.press('Escape')
    await pick(page, 'Priority', 'High')
    await assertAccessibleInSchemes(t, page, 'the dialog of a template', 'template dialog')
    const answer = saved()
    await form.getByRole('button', { name: 'Save' }).click()
    await answer
    await templates.getByText('Bug report').waitFor()
    t.match(await server.ok('/v1/issue_templates'), [
      {
        name: 'Bug report',
        title: 'Bug',
        descriptionMarkdown: 'What happens, and where.',
        criteria: ['A test shows it', 'The changelog has it'],
        labelIds: { length: 1 },
        priority: 2
      }
    ])
    await templates.getByRole('button', { name: /^Bug report/ }).click()
    await dialog('Template Bug report').getByLabel('Name').fill('Defect')
    await page.keyboard.press('Enter')
    await templates.getByText('Defect').waitFor()
    await page.getByRole('button', { name: 'Actions on the template Defect' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('No templates yet').waitFor()
    await page.getByRole('button', { name: /^Restore/ }).click()
    await templates.getByText('Defect').waitFor()
    await assertAccessibleInSchemes(t, page, 'the templates', 'templates')
  })

  await t.test('a draft that somebody else has overtaken can be saved, or discarded', async t => {
    const edited = dialog('Template Defect')
    const [template] = await server.ok<Array<{ id: string }>>('/v1/issue_templates')
    const path = `/v1/issue_templates/${template!.id}`
    await templates.getByRole('button', { name: /^Defect/ }).click()
    await edited.getByLabel('Title').fill('Mine')
    await server.ok(path, { body: { title: 'Theirs' } })
    await edited.getByRole('button', { name: 'Save' }).click()
    await edited.getByText('Title: Theirs').waitFor()
    await assertAccessibleInSchemes(t, page, 'both versions of a template', 'template conflict')
    await edited.getByRole('button', { name: 'Keep mine' }).click()
    await edited.waitFor({ state: 'hidden' })
    t.match(await server.ok(path), { title: 'Mine' })
    await templates.getByRole('button', { name: /^Defect ?Mine/ }).click()
    await edited.getByLabel('Title').fill('Bug')
    await page.keyboard.press('Escape')
    await edited.waitFor({ state: 'hidden' })
    await templates.locator('button:focus').getByText('Defect').waitFor()
    await page.goto(`${url}/drafts`)
    await page.getByRole('link', { name: 'Template Defect' }).click()
    t.equal(await edited.getByLabel('Title').inputValue(), 'Bug')
    await edited.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Drafts' }).waitFor({ state: 'detached' })
    await server.ok(path, { body: { title: 'Bug' } })
  })

  const form = dialog('New issue')
  const title = form.getByLabel('Title')
  const text = form.locator('[contenteditable][aria-label="Description"]')
  await t.test('it fills in what is empty, and can be undone', async t => {
    await page.goto(`${url}/board`)
    await page.getByRole('button', { name: 'New issue', exact: true }).click()
    await title.fill('Mine')
    await pick(page, 'Template', 'Defect')
    await text.getByText('What happens, and where.').waitFor()
    await text.getByText('A test shows it').waitFor()
    t.equal(await title.inputValue(), 'Mine')
    await form.getByRole('combobox', { name: 'Labels' }).getByText('defect').waitFor()
    await form.getByRole('combobox', { name: 'Priority' }).getByText('High').waitFor()
    await assertAccessibleInSchemes(t, page, 'a form that is filled in', 'new issue from template')
    await form.getByRole('button', { name: 'Undo' }).click()
    await form.getByText('From Defect').waitFor({ state: 'detached' })
    await form.getByRole('combobox', { name: 'Template' }).and(page.locator(':focus')).waitFor()
    await form.getByRole('combobox', { name: 'Priority' }).getByText('No priority').waitFor()
    t.equal(await form.getByText('What happens, and where.').count(), 0)
    t.equal(await title.inputValue(), 'Mine')
    await form.getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('Escape')
  })

  await t.test('the palette opens the form from a template, by keys alone', async t => {
    const openByKeys = async () => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('from template')
      await page.getByRole('option', { name: 'New issue from template: Defect' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await form.getByText('From Defect').waitFor()
    }
    await openByKeys()
    await title.focus()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Drafts' }).waitFor({ state: 'detached' })
    await openByKeys()
    t.equal(await title.inputValue(), 'Bug')
    await title.focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' in the export')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issue\/ENG-1/)
    t.match(await server.ok('/v1/issues/ENG-1'), {
      title: 'Bug in the export',
      descriptionMarkdown:
        'What happens, and where.\n\n## Acceptance criteria\n\n- [ ] A test shows it\n- [ ] The changelog has it',
      labelIds: { length: 1 },
      priority: 2
    })
  })

  await t.test('on a narrow phone, too', async t => {
    const page = await openSignedIn(NARROW)
    await page.goto(`${url}/settings/templates`)
    await page.getByRole('list', { name: 'Templates of Engineering' }).getByText('Defect').click()
    await page.getByRole('dialog', { name: 'Template Defect' }).getByRole('button', { name: 'Save' }).waitFor()
    t.strictSame(await tooWide(page), [], 'the dialog of a template')
    await assertAccessibleInSchemes(t, page, 'the dialog of a template, narrow', 'template narrow')
    await page.goto(`${url}/board`)
    await page.getByRole('button', { name: 'New issue', exact: true }).click()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await choose(page, 'Template', 'Defect')
    await page.getByRole('dialog').getByText('From Defect').waitFor()
    t.strictSame(await tooWide(page), [], 'the form')
    await assertAccessibleInSchemes(t, page, 'the form, narrow', 'new issue narrow')
  })
})
