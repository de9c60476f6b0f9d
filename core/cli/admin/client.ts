import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileLines } from '../../../lib/util/file-lines.ts'
import { version } from '../../../lib/packages/version.ts'
import { writeOut } from '../terminal.ts'
import { findSocket } from './folder.ts'
import { ROUTE, type CommandRequest, type Frame } from './protocol.ts'

/**
 * Runs a command in the server that uses a data folder, and prints its output.
 * @param args as given after `npm run tracker --`
 * @returns the exit code; undefined: no server listens there
 * @throws Error of the command, or when the server refuses the command or ends before it
 */
export async function runInServer(dataDir: string, args: readonly string[]): Promise<number | undefined> {
  const path = await findSocket(dataDir)
  const answer = path === undefined ? undefined : await send(path, args)
  if (answer === undefined) return undefined
  if (answer.statusCode !== 200) throw new Error(((await json(answer)) as { message: string }).message)
  const end = await print(answer)
  if (end === undefined) {
    throw new Error('The server ended before the command did: start it, and run the command again.')
  }
  if ('exit' in end) return end.exit
  throw new Error(end.failure, { cause: end.cause === undefined ? undefined : new Error(end.cause) })
}

/** @returns undefined when no server listens: it was killed, or is stopping */
async function send(socketPath: string, args: readonly string[]): Promise<IncomingMessage | undefined> {
  const body: CommandRequest = {
    version,
    args: [...args],
    folder: process.cwd(),
    env: process.env as Record<string, string>,
    hasScreen: process.stderr.isTTY ?? false
  }
  const request = httpRequest({ socketPath, ...ROUTE, agent: false })
  request.end(JSON.stringify(body))
  try {
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return answer
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** @returns the last frame; undefined when the answer was cut off */
async function print(
  answer: IncomingMessage
): Promise<Extract<Frame, { exit: number } | { failure: string }> | undefined> {
  try {
    for await (const line of fileLines(answer)) {
      if ('problem' in line) throw new Error(`The server's answer cannot be read: ${line.problem}.`)
      const frame = JSON.parse(line.text) as Frame
      if ('out' in frame) {
        await writeOut(frame.out)
      } else if ('err' in frame) {
        process.stderr.write(frame.err)
      } else {
        return frame
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
  return undefined
}
