import t from 'tap'
import { delegate, isOver, readyIssue } from './helpers.ts'
import {
  assertAccessibleInSchemes,
  choose,
  needsChromium,
  SCREENS,
  startBrowser
} from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'delegation', 'passwords', 'events', 'ui']
const runner = {
  command: [process.execPath, '-e', "console.log('first words'); setTimeout(() => console.log('last words'), 3000)"]
}

t.test('an issue is handed over on its page, and its run is followed live', needsChromium, async t => {
  const settings = { plugins: { delegation: { runner } } }
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, settings })
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: {
      teamId: 'ENG',
      title: 'Say something',
      descriptionMarkdown: 'The runner says two words, one after the other.\n\n- [ ] they are said'
    }
  })
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('button', { name: 'Delegate to the agent' }).click()
  const output = page.getByRole('region', { name: 'Output' })
  await output.getByText('first words').waitFor()
  await output.getByText('last words').waitFor()
  await page.getByRole('button', { name: 'Run again' }).waitFor()
  t.equal(await output.getByText('first words').count(), 1, 'each piece is there once')
  await output.getByLabel('Search the output').fill('last')
  t.equal(await output.getByText('first words').count(), 0)

  const run = page.url()
  await page.getByRole('link', { name: key }).click()
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByRole('listitem').filter({ hasText: 'requested by Administrator' }).getByRole('link').click()
  await output.getByText('last words').waitFor()
  t.equal(page.url(), run, 'the line of time of the issue leads to it')

  for (const [name, options] of SCREENS) {
    const other = await openSignedIn(options)
    await other.goto(run)
    await other.getByText('last words').waitFor()
    await assertAccessibleInSchemes(t, other, `a run, ${name}`, `run ${name}`)
    await other.goto(`${url}/runs`)
    await other.getByRole('link', { name: key }).waitFor()
    await assertAccessibleInSchemes(t, other, `the runs, ${name}`)
  }
})

/** Writes steps in the format of Claude Code until it is ended. */
const STREAM = `
const say = line => console.log(JSON.stringify(line))
const message = content => ({ type: 'assistant', message: { content: [content] } })
say(message({ type: 'text', text: 'I read the task first.' }))
say(message({ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } }))
say(message({ type: 'tool_use', id: 'b', name: 'Edit', input: { file_path: 'src/button.ts' } }))
const content = [{ type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'No such file.' }]
say({ type: 'user', message: { content } })
setTimeout(() => {}, 600000)
`

t.test('the steps of a run are read while it runs, with its output one click or key away', needsChromium, async t => {
  const delegation = { leaseSeconds: 60, runner: { command: [process.execPath, '-e', STREAM] } }
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, settings: { plugins: { delegation } } })
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(`${url}/runs/${id}`)
    const steps = page.getByRole('region', { name: 'Steps', exact: true })
    await steps.getByText('No such file.').waitFor()
    await assertAccessibleInSchemes(t, page, `the steps of a run, ${name}`, `run steps ${name}`)
    t.match(await steps.getByRole('listitem').allInnerTexts(), [
      /Requested by/,
      /Attempt 1 begins/,
      /^I read the task first\./,
      /^Bash npm test/,
      /^Changed file:\s+Edit src\/button\.ts/,
      /^Failed:\s+Edit No such file\./
    ])
    await steps.getByRole('button', { name: 'Show the output' }).click()
    const output = page.getByRole('region', { name: 'Output' })
    await output.getByText('"tool_use_id":"b"').waitFor()
    await page.getByRole('heading', { name: 'Output' }).click()
    await page.keyboard.press('o')
    await steps.waitFor()

    await page.goto(`${url}/issue/${key}`)
    const last = page.getByRole('list', { name: 'Steps of the agent' })
    await last.getByText('No such file.').waitFor()
    t.equal(await last.getByText('Attempt 1 begins').count(), 0)
    await assertAccessibleInSchemes(t, page, `the steps beside an issue, ${name}`)
  }
})

const LINK = `
const { TRACKER_URL, TRACKER_TOKEN, TRACKER_RUN } = process.env
const headers = { authorization: 'Bearer ' + TRACKER_TOKEN, 'content-type': 'application/json' }
const body = JSON.stringify({ branch: 'tracker/button', url: 'https://git.example.org/pull/7' })
await fetch(TRACKER_URL + '/v1/agent_runs/' + TRACKER_RUN + '/result', { method: 'POST', headers, body })
`

t.test('the work of a run is sent back with a text, tried again with a hint, and accepted', needsChromium, async t => {
  const command = [process.execPath, '--input-type=module', '-e', LINK]
  const delegation = { leaseSeconds: 60, runner: { command } }
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, settings: { plugins: { delegation } } })
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  await isOver(server, id)
  const page = await openSignedIn()
  await page.goto(`${url}/runs/${id}`)
  const result = page.getByRole('region', { name: 'Result' })
  t.equal(await result.getByRole('link').getAttribute('href'), 'https://git.example.org/pull/7')
  await result.getByText('tracker/button').waitFor()
  t.equal(await page.getByRole('button', { name: 'Run again' }).count(), 0)
  await assertAccessibleInSchemes(t, page, 'work that waits for a review', 'run review')
  await result.getByRole('button', { name: 'Send back' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send the work back' })
  t.equal(await dialog.getByRole('button', { name: 'Send back' }).isDisabled(), true, 'a text is required')
  await dialog.getByLabel('What is missing or wrong').fill('It is dead on phones.')
  await assertAccessibleInSchemes(t, page, 'sending work back')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await result.getByRole('button', { name: 'Send back' }).click()
  await dialog.getByText('It is dead on phones.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'the run before' }).waitFor()
  await page.getByText('It is dead on phones.').waitFor({ state: 'attached' })

  // On a phone, beside the issue.
  const phone = await openSignedIn(SCREENS.at(-1)![1])
  await phone.goto(`${url}/issue/${key}`)
  const agent = phone.getByRole('region', { name: 'Result' })
  await agent.getByRole('button', { name: 'Accept' }).waitFor()
  await assertAccessibleInSchemes(t, phone, 'work that waits for a review, beside its issue', 'run issue phone')
  await agent.getByRole('button', { name: 'Accept' }).click()
  await agent.waitFor({ state: 'detached' })
  const runs = await server.ok<Array<{ id: string; result: object }>>(`/v1/agent_runs?issueId=${key}`)
  t.match(runs, [{ result: { review: 'ACCEPTED' } }, { id, result: { review: 'SENT_BACK' } }])

  await server.ok(`/v1/issues/${key}`, { body: { state: 'Todo' } })
  await page.goto(`${url}/runs/${id}`)
  await page.getByRole('button', { name: 'Retry with a hint' }).waitFor()
  await page.getByRole('heading', { name: 'Output' }).click()
  await page.keyboard.press('h')
  await page.getByLabel('Hint for the agent').fill('Start with the tests.')
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.getByRole('link', { name: 'the run before' }).waitFor()
  t.equal((await server.ok<object[]>(`/v1/agent_runs?issueId=${key}`)).length, 3)
})

t.test('an issue is delegated to one of several runners, with a budget', needsChromium, async t => {
  const other = { command: [process.execPath, '-e', "console.log('of the other')"] }
  const delegation = { leaseSeconds: 60, runner, runners: { other } }
  const { server, url, openSignedIn } = await startBrowser(t, { plugins, settings: { plugins: { delegation } } })
  const { key } = await readyIssue(server)
  const page = await openSignedIn(SCREENS.at(-1)![1])
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('combobox', { name: 'Runner' }).tap()
  await assertAccessibleInSchemes(t, page, 'the runners', 'runners')
  await choose(page, 'Runner', 'other')
  await page.getByText('Budget', { exact: true }).click()
  await page.getByLabel('in dollars').fill('2.5')
  await assertAccessibleInSchemes(t, page, 'delegating')
  await page.getByRole('button', { name: 'Delegate to the agent' }).click()
  await page.getByText('of the other').waitFor()
  await page.getByText('runner other').waitFor()
  t.match(await server.ok(`/v1/issues/${key}`), { budgetUsd: 2.5 })
})
