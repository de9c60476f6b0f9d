import t from 'tap'
import { needsChromium, startBrowser } from '../runner/chromium.ts'
import { allTasks } from './tasks/all.ts'
import { openSampleBoard, User } from './tasks/user.ts'

t.test('who has read nothing finds how to do each of these tasks, and does it', needsChromium, async t => {
  const runner = { command: [process.execPath, '-e', 'console.log("done")'] }
  const { url, openSignedIn } = await startBrowser(t, { settings: { plugins: { delegation: { runner } } } })
  const page = await openSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  await openSampleBoard(page, url)
  const user = new User(page, url)
  t.ok(allTasks.length >= 40, `${allTasks.length} tasks`)
  for (const task of allTasks) {
    await t.test(task.wants, async t => {
      const ms = await user.do(task)
      t.comment(`the longest wait: ${ms.toFixed(0)} ms`)
    })
  }
})
