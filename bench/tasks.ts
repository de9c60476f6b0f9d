import { chromium } from 'playwright-core'
import { newToken } from '../core/auth/tokens.ts'
import { allTasks } from '../test/browser/tasks/all.ts'
import { openSampleBoard, User } from '../test/browser/tasks/user.ts'
import { CHROMIUM, PASSWORD } from '../test/runner/chromium.ts'
import { emptyDatabase } from '../test/runner/empty-database.ts'
import { startProcess } from '../test/runner/process.ts'

/*
 * `npm run bench:tasks`: the tasks of `test/browser/tasks.test.ts` on a sample board, each with its longest wait: for a
 * row of the palette, a page, or what shows that it is done. It ends with 1 if one is longer than a second.
 */
const MAX_WAIT_MS = 1000
const say = (line: string) => process.stdout.write(`${line}\n`)

if (CHROMIUM === undefined) throw new Error('There is no Chromium here: apt-get install chromium-headless-shell.')
const token = newToken()
const database = await emptyDatabase(undefined)
const runner = JSON.stringify([process.execPath, '-e', 'console.log("done")'])
const server = await startProcess({
  ...database.env,
  TRACKER_ADMIN_TOKEN: token,
  TRACKER_PLUGINS__DELEGATION__RUNNER__COMMAND: runner,
  LOG_LEVEL: 'error'
})
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  const viewport = { width: 1300, height: 860 }
  const page = await browser.newPage({ viewport, permissions: ['clipboard-read', 'clipboard-write'] })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.post(`${server.url}/v1/passwords/first`, {
    data: { token, password: PASSWORD },
    headers
  })
  if (!answer.ok()) throw new Error(await answer.text())
  await openSampleBoard(page, server.url)
  const user = new User(page, server.url)
  for (const task of allTasks) {
    const ms = await user.do(task)
    say(`${ms.toFixed(0).padStart(6)} ms  ${task.wants}`)
    if (ms > MAX_WAIT_MS) process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.end('SIGTERM')
  await database.remove()
}
