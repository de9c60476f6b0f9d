import t from 'tap'
import { assertAccessibleInSchemes, needsChromium, SCREENS, startBrowser } from '../../../test/runner/chromium.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'usage', 'passwords', 'events', 'ui']

t.test('an issue and an agent show what was used and what it cost', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins })
  const newIssue = (title: string) => server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title } })
  const [{ key }, other] = [await newIssue('A task'), await newIssue('Another task')]
  const { token } = await server.agent('Builder')
  const figures = { issueId: key, inputTokens: 13_700, outputTokens: 592, cachedTokens: 28_000 }
  await server.ok('/v1/usage', { token, body: { ...figures, reportId: 'a', model: 'large', costUsd: 0.34 } })
  await server.ok('/v1/usage', { token, body: { ...figures, reportId: 'b', model: 'small' } })

  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    await page.goto(`${url}/issue/${key}`)
    const usage = page.getByRole('region', { name: 'Usage' })
    await usage.getByText('$0.3400 and work of unknown cost · 27.4K tokens in, 1.2K out, 56K cached').waitFor()
    await usage.getByText('small: Cost unknown · 13.7K tokens in, 592 out, 28K cached').waitFor()
    await assertAccessibleInSchemes(t, page, `usage of an issue, ${name}`)
    await page.goto(`${url}/agents`)
    await page.getByText('$0.3400 and work of unknown cost').waitFor()
    await assertAccessibleInSchemes(t, page, `usage of an agent, ${name}`)
  }
  const page = await openSignedIn()
  await page.goto(`${url}/issue/${other.key}`)
  await page.getByText('Another task').first().waitFor()
  t.equal(await page.getByRole('region', { name: 'Usage' }).count(), 0, 'without reports nothing is shown')
})

t.test('a project and a cycle show the sums of their issues', needsChromium, async t => {
  const { server, url, openSignedIn } = await startBrowser(t, { plugins: [...plugins, 'projects'] })
  const make = (path: string, body: object) => server.ok<{ id: string; key: string }>(path, { body })
  const project = await make('/v1/projects', { name: 'Lunar' })
  const days = { startsAt: '2026-01-05T00:00:00.000Z', endsAt: '2026-01-19T00:00:00.000Z' }
  const cycle = await make('/v1/cycles', { teamId: 'ENG', name: 'One', ...days })
  const { token } = await server.agent('Builder')
  for (const [n, fields] of [{ projectId: project.id }, { projectId: project.id, cycleId: cycle.id }, {}].entries()) {
    const { key } = await make('/v1/issues', { teamId: 'ENG', title: `Task ${n}`, ...fields })
    const figures = { inputTokens: 1000, outputTokens: 100, costUsd: 0.25 }
    await server.ok('/v1/usage', { token, body: { ...figures, issueId: key, reportId: `r${n}`, model: 'large' } })
  }
  for (const [name, options] of SCREENS) {
    const page = await openSignedIn(options)
    for (const [path, sums] of [
      [`/projects/${project.id}`, '$0.5000 · 2K tokens in, 200 out'],
      [`/cycles/${cycle.id}`, '$0.2500 · 1K tokens in, 100 out']
    ] as const) {
      await page.goto(url + path)
      await page.getByRole('region', { name: 'Usage' }).getByText(sums, { exact: true }).waitFor()
      await assertAccessibleInSchemes(t, page, `usage at ${path.split('/')[1]}, ${name}`, `usage ${path[1]} ${name}`)
    }
  }
})
