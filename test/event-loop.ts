import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The longest block of the event loop, in milliseconds, without the time of other processes: at most this thread's
 * processor time in a turn.
 */
export async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  let longestTurn = 0
  let before = process.threadCpuUsage()
  const turns = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longestTurn = Math.max(longestTurn, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 1)
  delays.enable()
  await work()
  await sleep(5)
  clearInterval(turns)
  delays.disable()
  return Math.min(delays.max / 1e6, longestTurn)
}
