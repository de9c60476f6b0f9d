import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'search', 'passwords', 'files', 'events', 'ui']

t.test('words are completed while a text is written', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  await server.agent('Robot Two')
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'The export loses dates' }
  })
  await server.idle()
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  const editor = page.locator('[contenteditable][aria-label=Comment]')
  const list = page.getByRole('listbox')
  const option = (name: string | RegExp) => list.getByRole('option', { name })
  const last = async () => {
    const all = await server.ok<Array<{ bodyMarkdown: string }>>(`/v1/issue_comments?issueId=${id}`)
    return all.at(-1)!.bodyMarkdown
  }
  async function begin(): Promise<void> {
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await editor.waitFor()
  }
  async function send(n: number): Promise<string> {
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').nth(n).waitFor()
    return last()
  }

  await t.test('a block after /, by keys', async t => {
    await begin()
    await page.keyboard.type('/')
    await option(/^Heading 1/).waitFor()
    await page.keyboard.type('task')
    await option(/^Tasks/)
      .and(page.locator('[aria-selected=true]'))
      .waitFor()
    t.equal(await editor.getAttribute('aria-activedescendant'), await option(/^Tasks/).getAttribute('id'))
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Two')
    t.equal((await send(0)).trim(), '- [ ] One\n- [ ] Two')
  })

  await t.test('a name after @, and an issue after #, by pointer', async t => {
    await begin()
    await page.keyboard.type('Ask @rob')
    await option(/^Robot Two/).click()
    await page.keyboard.type('about #loses')
    await option(/The export loses dates/).click()
    await page.keyboard.type('now')
    t.equal((await send(1)).trim(), `Ask @Robot Two about ${key} now`)
  })

  await t.test('Escape closes the list, and what is typed stays', async t => {
    await begin()
    await page.keyboard.type('@')
    await option(/^Robot Two/).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('x /co')
    await option(/^Code/).waitFor()
    await page.keyboard.press('Escape')
    t.equal((await send(2)).trim(), '@x /co')
  })

  await t.test('Enter belongs to the text when nothing matches, and when a name is complete', async t => {
    await begin()
    for (const line of ['@nobody', '#nothing', '/nothing', 'ENG-1', 'utf-8', '@Robot Two']) {
      await page.keyboard.type(line)
      await page.keyboard.press('Enter')
    }
    t.equal((await send(3)).trim(), '@nobody\n\n#nothing\n\n/nothing\n\nENG-1\n\nutf-8\n\n@Robot Two')
  })

  await t.test('the cursor that passes a word opens no list', async t => {
    await begin()
    await page.keyboard.type('/cod')
    await option(/^Code/).waitFor()
    await page.keyboard.press('Home')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    t.equal(await list.count(), 0)
    await page.keyboard.type('e')
    await option(/^Code/).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('x')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await editor.getByText('/code', { exact: true }).waitFor()
    t.equal(await list.count(), 0, 'undoing gives what was typed back')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('the arrow keys choose, around the ends', async t => {
    await begin()
    await page.keyboard.type('/head')
    const active = list.locator('[aria-selected=true]')
    for (const [key, title] of [
      ['ArrowUp', 'Heading 3'],
      ['ArrowDown', 'Heading 1'],
      ['ArrowDown', 'Heading 2']
    ] as const) {
      await page.keyboard.press(key)
      await active.getByText(title).waitFor()
    }
    await page.keyboard.press('Enter')
    await page.keyboard.type('Words')
    t.equal((await send(4)).trim(), '## Words')
  })

  await t.test('an issue by its number, and by the key of its team and words', async t => {
    await begin()
    await page.keyboard.type(`#${key.split('-')[1]}`)
    await option(/The export loses dates/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('eng-dates')
    await option(/The export loses dates/).waitFor()
    await page.keyboard.press('Enter')
    t.equal((await send(5)).trim(), `${key} ${key}`)
  })

  await t.test('an input method composes in an open list, and its keys choose nothing', async t => {
    const cdp = await page.context().newCDPSession(page)
    await begin()
    await page.keyboard.type('@')
    await option(/^Robot Two/).waitFor()
    const text = 'rob'
    await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await list.filter({ hasNotText: 'Administrator' }).waitFor()
    for (const windowsVirtualKeyCode of [13, 229]) {
      const pressed = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode }
      await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...pressed })
      t.ok(await list.isVisible(), 'the list is open')
    }
    await cdp.send('Input.insertText', { text })
    await option(/^Robot Two/).click()
    t.equal((await send(6)).trim(), '@Robot Two')
  })

  await t.test('Escape closes the list in a dialog, which stays open', async t => {
    await page.locator('main').focus()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    const field = dialog.locator('[contenteditable][aria-label=Description]')
    await dialog.getByRole('textbox', { name: 'Description', exact: true }).click()
    await field.waitFor()
    await page.keyboard.type('/')
    await option(/^Heading 1/).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('x')
    t.equal(await field.textContent(), '/x')
    await page.goto(`${url}/issue/${key}`)
  })

  await t.test('an emoji by its name, which is the character in the text', async t => {
    await begin()
    await page.keyboard.type(':tada')
    await option(/tada/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('and :hoor')
    await option(/raised_hands/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(':+1:')
    await option(/\+1/).waitFor()
    await page.keyboard.press('Tab')
    t.equal((await send(7)).trim(), '🎉 and 🙌 👍')
  })

  await t.test('there is none in code and in addresses', async t => {
    await begin()
    for (const text of ['a/b', 'c@d.example', 'https://a.example/#loses', '`@rob', '` ', '12:30', 'std::', ':D', ':']) {
      await page.keyboard.type(text)
      t.equal(await list.count(), 0, text)
      await page.keyboard.type(' ')
    }
    await page.keyboard.type('@rob')
    await option(/^Robot Two/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await t.test('soft line breaks stay where a line is typed', async t => {
    await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'One\ntwo\nthree' } })
    const comment = page.getByRole('article').filter({ hasText: 'three' })
    await comment.getByRole('button', { name: 'Actions on the comment of' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const edited = page.locator('[contenteditable][aria-label="Edited comment"]')
    await edited.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' more')
    await page.keyboard.press('Control+Enter')
    // Before, it is the text of the editor.
    await edited.waitFor({ state: 'detached' })
    await comment.getByText('three more').waitFor()
    t.equal(await last(), 'One\ntwo\nthree more')
  })

  await t.test('the same in Markdown, by the same keys, and undone', async t => {
    await page.getByRole('button', { name: 'Markdown: Comment' }).click()
    const field = page.getByRole('textbox', { name: 'Comment, in Markdown' })
    const has = (text: string) =>
      field
        .and(page.locator(':focus'))
        .waitFor()
        .then(async () => t.equal(await field.inputValue(), text))
    await field.click()
    await page.locator('textarea[aria-autocomplete]').waitFor()
    await page.keyboard.type('Ask @rob')
    await option(/^Robot Two/).waitFor()
    t.equal(await field.getAttribute('aria-activedescendant'), await option(/^Robot Two/).getAttribute('id'))
    const [words, caret] = [(await field.boundingBox())!, (await list.boundingBox())!]
    t.ok(caret.x > words.x + 30 && caret.y > words.y + 20 && caret.y < words.y + 60, 'the list is below the word')
    await assertAccessibleInSchemes(t, page, 'completion in Markdown', 'completion markdown')
    const cdp = await page.context().newCDPSession(page)
    const composed = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...composed })
    t.ok(await list.isVisible(), 'a key of an input method chooses nothing')
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    await has('Ask @Robot Two ')
    await page.keyboard.press('Control+z')
    t.match(await field.inputValue(), /^Ask @rob$/)
    t.equal(await list.count(), 0, 'undoing opens no list')
    await page.keyboard.press('Control+Shift+z')
    await page.keyboard.type('about #loses')
    await option(/The export loses dates/).click()
    await page.keyboard.type(':tada')
    await option(/tada/).waitFor()
    await page.keyboard.press('Tab')
    await has(`Ask @Robot Two about ${key} 🎉 `)
    await page.keyboard.type('/head')
    await option(/^Heading 1/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/tab')
    await option(/^Table/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Words')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n\n/code')
    await option(/^Code/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('@rob /co')
    t.equal(await list.count(), 0, 'there is none in code')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n@')
    await option(/^Robot Two/).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('x')
    const table = '| Words |  |  |\n| --- | --- | --- |\n|  |  |  |'
    const count = await page.getByRole('article').count()
    t.equal(await send(count), `## Ask @Robot Two about ${key} 🎉 \n${table}\n\n\`\`\`\n@rob /co\n\`\`\`\n@x`)
    await page.getByRole('button', { name: 'Edit: Comment' }).click()
  })

  for (const [block, markdown] of [
    ['Heading 2', '## Words'],
    ['Heading 3', '### Words'],
    ['Divider', '---\n\nWords'],
    ['List', '- Words'],
    ['Numbered', '1. Words'],
    ['Table', '| Words |  |  |\n| --- | --- | --- |\n|  |  |  |'],
    ['Quote', '> Words'],
    ['Callout', '> [!NOTE]\n> Words']
  ] as const) {
    await t.test(`a block: ${block}`, async t => {
      await begin()
      const count = await page.getByRole('article').count()
      await page.keyboard.type(`/${block.split(' ')[0]!.toLowerCase()}`)
      await option(new RegExp(`^${block}`)).click()
      await page.keyboard.type('Words')
      t.equal((await send(count)).trim(), markdown)
    })
  }

  await t.test('an emoji after “:”, by pointer', async t => {
    await begin()
    const count = await page.getByRole('article').count()
    await page.keyboard.type('Done :tada')
    await option(/tada/).click()
    await list.waitFor({ state: 'detached' })
    t.equal((await send(count)).trim(), 'Done 🎉')
  })

  await t.test('issues whose keys begin with the typed one, and those of a number in all teams', async t => {
    for (let n = 2; n <= 10; n++) await server.ok('/v1/issues', { body: { teamId: 'ENG', title: `Part ${n}` } })
    for (const identifier of ['TA', 'TB', 'TC', 'TD', 'TE']) {
      await server.ok('/v1/teams', { body: { name: `Team ${identifier}`, identifier } })
      await server.ok('/v1/issues', { body: { teamId: identifier, title: `First of ${identifier}` } })
    }
    await page.reload()
    await begin()
    const count = await page.getByRole('article').count()
    await page.keyboard.type('eng-1')
    await option(/Part 10/).waitFor()
    t.match(await option(/./).allTextContents(), [/loses dates.*ENG-1$/, /Part 10.*ENG-10$/])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const lookUps: string[] = []
    page.on('request', request => {
      if (/\/v1\/(issues\/filter|search)/.test(request.url())) lookUps.push(request.url())
    })
    await page.keyboard.type('#1')
    await option(/First of TE/).waitFor()
    await option(/First of TA/).waitFor()
    t.ok(lookUps.length <= 2, `${lookUps.length} requests look in all teams`)
    await option(/First of TE/).click()
    t.equal((await send(count)).trim(), 'ENG-10 TE-1')
  })

  await t.test('axe finds nothing in the open list', async t => {
    const body = { teamId: 'ENG', title: 'Another' }
    const { key } = await server.ok<{ key: string }>('/v1/issues', { body })
    for (const [name, options] of SCREENS) {
      const page = await openSignedIn(options)
      await page.goto(`${url}/issue/${key}`)
      await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
      await page.locator('[contenteditable][aria-label=Comment]').waitFor()
      await page.keyboard.type('/')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await assertAccessibleInSchemes(t, page, `completion, ${name}`, `completion ${name}`)
      await page.close()
    }
  })
})
