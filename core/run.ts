import closeWithGrace from 'close-with-grace'
import { readConfiguration, type Installed, type Settings } from './config.ts'
import { build, type Server } from './server.ts'
import { explainListenError } from './start-errors.ts'

/** Milliseconds from SIGTERM to the end of the process, whatever still runs. */
const GRACE_MS = 9_000

/** Reads the configuration, builds the server, listens, and stops with grace. */
export async function run(installed: Installed): Promise<void> {
  try {
    const configuration = await readConfiguration(installed, process.env)
    const server = await build({ configuration })
    closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
      if (err) server.app.log.fatal({ err }, 'unexpected error')
      else server.app.log.info({ signal }, 'stopping')
      await server.close()
    })
    await server.start()
    await listen(server, configuration.settings)
  } catch (error) {
    printStartError(error)
    process.exit(1)
  }
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  try {
    await server.app.listen({ host, port })
  } catch (error) {
    await server.close()
    throw explainListenError(error as Error, host, port)
  }
}

/** What keeps the server from starting, or a command from its work, is for a person to read, not for a log. */
export function printStartError(error: unknown): void {
  const { message, cause } = error as Error
  process.stderr.write(`${message}${cause instanceof Error && cause.message ? `\n  (${cause.message})` : ''}\n`)
}
