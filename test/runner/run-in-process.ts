import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommand } from '../../core/api/command.ts'
import { commands } from '../../core/api/points.ts'
import { printStartError } from '../../core/cli/run-server.ts'
import type { Server } from '../../core/kernel/server.ts'

/** A command's output and exit code. */
export interface Ended {
  code: number
  out: string
  err: string
}

const printing = new AsyncLocalStorage<Ended>()
/** Captures the output of commands; other output, such as the results of tests, passes through. */
function capture(stream: NodeJS.WriteStream, into: 'out' | 'err'): void {
  stream.write = new Proxy(stream.write, {
    apply(write, _this, args: unknown[]) {
      const ended = printing.getStore()
      if (ended === undefined) return Reflect.apply(write, stream, args)
      ended[into] += String(args[0])
      return true
    }
  })
}
capture(process.stdout, 'out')
capture(process.stderr, 'err')

/**
 * Runs a command of the server's plugins like `npm run tracker -- …`, in this process: a separate one takes two seconds
 * of a processor. The database is that of the server, which has started.
 * @param env all of its environment variables, beside PATH
 */
export async function runInProcess(
  server: Pick<Server, 'contributions'>,
  args: readonly string[],
  env: Record<string, string> = {}
): Promise<Ended> {
  const ended: Ended = { code: 0, out: '', err: '' }
  const before = process.env
  process.env = { PATH: before['PATH'], ...env }
  try {
    await printing.run(ended, async () => {
      try {
        const known = server.contributions(commands).map(({ item }) => item)
        ended.code = await runCommand(known, args, async () => {})
      } catch (error) {
        printStartError(error)
        ended.code = 1
      }
    })
  } finally {
    process.env = before
  }
  return ended
}
