import { coreScopes } from '../core/scopes.ts'
import type { TestServer } from './harness.ts'
import { importLines, type Report } from '../plugins/transfer/import.ts'
import type { Ctx as TransferCtx } from '../plugins/transfer/context.ts'
import type { Ctx } from '../plugins/importers/context.ts'
import type { LeftOut } from '../plugins/importers/contract.ts'
import { importersServices } from '../plugins/importers/service.ts'

export interface Imported {
  report: Report
  leftOut: LeftOut[]
  name: string
}

/** What `npm run tracker -- import --from` does, without its process. */
export async function importFrom(
  server: TestServer,
  source: string,
  place: string,
  options: { mapFile?: string; dryRun?: boolean; env?: Record<string, string> } = {}
): Promise<Imported> {
  const me = await server.ok<{ id: string; workspace: { id: string } }>('/v1/users/me')
  const { db } = server.database
  const ctx = {
    db,
    now: () => new Date(),
    transaction: (work: (trx: unknown) => Promise<unknown>) => db.transaction().execute(work),
    contributions: server.contributions,
    scopes: coreScopes,
    emit: server.events.append,
    asServer: (workspaceId: string, accountId: string) => ({
      workspaceId,
      accountId,
      tokenId: null,
      scopes: coreScopes.map(({ name }) => name)
    })
  } as unknown as TransferCtx
  const { env = {}, mapFile, dryRun = false } = options
  const opened = await importersServices(ctx as unknown as Ctx).open(ctx.asServer(me.workspace.id, me.id), {
    source,
    place,
    mapFile,
    env,
    waitFactor: 0.01
  })
  const report = await importLines(ctx, me.workspace.id, me.id, opened.lines(), { source: opened.name, dryRun })
  return { report, leftOut: opened.leftOut(), name: opened.name }
}
