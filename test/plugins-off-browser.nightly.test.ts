import t from 'tap'
import type { Page } from 'playwright-core'
import { needsChromium, startBrowser, type Session } from './runner/chromium.ts'
import { onPostgres } from './runner/harness.ts'
import { allPlugins, without } from './runner/requirements.ts'

/** Stores an issue with a comment and a project with it, as far as there are plugins for them. @returns their pages */
async function fill({ server }: Session, on: readonly string[]): Promise<string[]> {
  const body = {
    teamId: 'ENG',
    title: 'There',
    descriptionMarkdown: '- [ ] a box\n\n```ts\ncode\n```',
    dueDate: '2030-01-02'
  }
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', { body })
  if (on.includes('comments')) {
    await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'A comment' } })
  }
  if (!on.includes('projects')) return [`/issue/${key}`]
  const project = await server.ok<{ id: string }>('/v1/projects', { body: { name: 'A project' } })
  await server.ok(`/v1/issues/${key}`, { body: { projectId: project.id } })
  return [`/issue/${key}`, `/projects/${project.id}`]
}

/** The addresses of the pages that a page links to in its navigation. */
const linksOf = async (page: Page, url: string): Promise<string[]> => {
  const urls = await page.evaluate<string[]>(`[...document.querySelectorAll('nav a[href]')].map(({ href }) => href)`)
  return urls.filter(href => href.startsWith(url)).map(href => href.slice(url.length))
}

const needs = onPostgres ? { skip: 'Pages do not depend on the kind of database.' } : needsChromium
for (const off of allPlugins.keys()) {
  // Without these, there is no page that one could sign in to, or that has issues.
  if (['ui', 'passwords', 'workspace', 'issues'].includes(off)) continue
  t.test(`without ${off} no page has an error`, needs, async t => {
    const on = without(off)
    const session = await startBrowser(t, { plugins: on })
    const { url } = session
    const paths = await fill(session, on)
    const page = await session.openSignedIn()
    let path = ''
    page.on('console', message => {
      if (message.type() === 'error') t.fail(`${path}: ${message.text()} ${message.location().url}`)
    })
    const visited = new Set<string>()
    const waiting = ['/', '/settings', '/start', '/connect', ...paths]
    while ((path = waiting.pop() ?? '') !== '') {
      visited.add(path)
      await page.goto(url + path)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      waiting.push(...(await linksOf(page, url)).filter(link => !visited.has(link) && !waiting.includes(link)))
    }
    t.ok(visited.size > 15, `${visited.size} pages were visited`)
  })
}
