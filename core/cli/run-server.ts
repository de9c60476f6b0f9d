import closeWithGrace from 'close-with-grace'
import type { Door } from './admin/door.ts'
import { readConfiguration, readDatabaseSettings, type Installed, type Settings } from '../config/config.ts'
import type { OpeningDatabase } from '../db/embedded/embedded.ts'
import type { Server } from '../kernel/server.ts'
import { explainFullDisk, explainListenError } from '../db/start-errors.ts'
import { loadTelemetry } from '../telemetry/load.ts'
import { hasTerminal, reloadOnHangup } from './hangup.ts'
import { spellControls } from '../../lib/util/spell-controls.ts'

/** Milliseconds from SIGTERM until the process exits, even if work is still running. */
const GRACE_MS = 9_000

export async function run(installed: Installed): Promise<void> {
  try {
    const building = buildServer(installed)
    let door: Door | undefined
    if (!hasTerminal()) reloadOnHangup(installed, building)
    closeWithGrace(
      { delay: GRACE_MS, logger: false, skip: hasTerminal() ? [] : ['SIGHUP'] },
      async ({ err, signal }) => {
        const { server } = await building
        if (err) server.app.log.fatal({ err }, 'unexpected error')
        else server.app.log.info({ signal }, 'stopping')
        await door?.close()
        await server.close()
      }
    )
    const { server, settings } = await building
    await server.start()
    await listen(server, settings)
    if (server.database.kind === 'embedded') door = await takeCommands(server, settings.dataDir)
  } catch (error) {
    printStartError(error)
    process.exit(1)
  }
}

/** Reads the configuration and builds the server, while a thread opens the embedded database. */
async function buildServer(installed: Installed): Promise<{ server: Server; settings: Settings }> {
  const embedded = (await openEarly())?.opened
  try {
    const [configuration, { build }] = await Promise.all([
      readConfiguration(installed, process.env),
      import('../kernel/server.ts')
    ])
    return {
      server: await build({ configuration, database: { embedded }, preparesEarly: true, loadTelemetry }),
      settings: configuration.settings
    }
  } catch (error) {
    // Otherwise a database that is being created would be left incomplete.
    await embedded?.then(
      ({ close }) => close(),
      () => {}
    )
    throw error
  }
}

/** @returns undefined without an embedded database, or when saving memory matters more than a fast start */
async function openEarly(): Promise<OpeningDatabase | undefined> {
  const settings = readDatabaseSettings(process.env)
  if (settings === undefined || settings.databaseUrl !== undefined || settings.lowMemory) return undefined
  const [{ hasCluster }, { startEmbedded }] = await Promise.all([
    import('../db/embedded/cluster-folder.ts'),
    import('../db/embedded/embedded.ts')
  ])
  // A database is created only after all settings are found valid.
  if (!hasCluster(settings.dataDir)) return undefined
  // Awaited, because locking the folder needs turns of the event loop, which is blocked while modules are loaded.
  const opening = await startEmbedded(settings)
  // An error while opening is reported when the server first needs the database.
  opening.opened.catch(() => {})
  return opening
}

/** Without the socket the server runs all the same; commands are then refused. */
async function takeCommands(server: Server, dataDir: string): Promise<Door | undefined> {
  const { openDoor } = await import('./admin/door.ts')
  return openDoor(server, dataDir).catch((err: unknown) => {
    server.app.log.warn({ err }, 'commands are not taken while the server runs')
    return undefined
  })
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  try {
    await server.app.listen({ host, port })
  } catch (error) {
    await server.close()
    throw explainListenError(error as Error, host, port)
  }
}

/** Prints the reason of a failed start or command for a person, not for a log. */
export function printStartError(error: unknown): void {
  const { message, cause } = explainFullDisk(error as Error)
  const details = cause instanceof Error && cause.message ? `\n  (${cause.message})` : ''
  process.stderr.write(`${spellControls(message + details)}\n`)
}
