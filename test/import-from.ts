import type { TestServer } from './runner/harness.ts'
import { importBoard } from '../plugins/transfer/import/boards.ts'
import type { Report } from '../plugins/transfer/import/import.ts'
import type { Ctx } from '../plugins/importers/context.ts'
import type { LeftOut } from '../plugins/transfer/contract.ts'
import { boardsOf } from '../plugins/importers/foreign-boards.ts'
import { commandContext } from './transfer.ts'

interface Imported {
  report: Report
  leftOut: LeftOut[]
  /** The stored name of the board's source. */
  name: string
}

/** Runs `npm run tracker -- import --from` in this process. */
export async function importFrom(
  server: TestServer,
  source: string,
  place: string,
  options: { board?: string; mapFile?: string; include?: string; dryRun?: boolean; env?: Record<string, string> } = {}
): Promise<Imported> {
  const { ctx, workspaceId, accountId } = await commandContext(server)
  const { env = {}, board, mapFile, include, dryRun = false } = options
  const opened = await boardsOf(ctx as unknown as Ctx).open(ctx.asServer(workspaceId, accountId), {
    source,
    place,
    mapFile,
    include,
    env,
    waitFactor: 0.01
  })
  const imported = await importBoard(ctx, workspaceId, accountId, opened, { name: board, dryRun })
  return { report: imported.report, leftOut: opened.leftOut(), name: imported.source }
}
