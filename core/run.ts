import closeWithGrace from 'close-with-grace'
import { readConfiguration, type Installed } from './config.ts'
import { build } from './server.ts'

/** Milliseconds from SIGTERM to the end of the process, whatever still runs. */
const GRACE = 9_000

/** Reads the configuration, builds the server, listens, and stops with grace. */
export async function run(installed: Installed): Promise<void> {
  try {
    const configuration = await readConfiguration(installed, process.env)
    const server = await build({ configuration })
    closeWithGrace({ delay: GRACE, logger: false }, async ({ err, signal }) => {
      if (err) server.app.log.fatal({ err }, 'unexpected error')
      else server.app.log.info({ signal }, 'stopping')
      await server.close()
    })
    await server.start()
    await server.app.listen({ host: configuration.settings.host, port: configuration.settings.port })
  } catch (error) {
    // What keeps it from starting is for a person to read, not for a log.
    const { message, cause } = error as Error
    process.stderr.write(`${message}${cause instanceof Error ? `\n  (${cause.message})` : ''}\n`)
    process.exit(1)
  }
}
