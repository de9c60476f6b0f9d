import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'delegation', 'passwords', 'ui']
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
    await assertAccessibleInSchemes(t, other, `a run, ${name}`)
    await other.goto(`${url}/runs`)
    await other.getByRole('link', { name: key }).waitFor()
    await assertAccessibleInSchemes(t, other, `the runs, ${name}`)
  }
})
