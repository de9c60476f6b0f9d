import { coreScopes } from '../core/api/scopes.ts'
import type { Ctx } from '../plugins/transfer/context.ts'
import { exportLines } from '../plugins/transfer/export.ts'
import { importLines, type Report } from '../plugins/transfer/import/import.ts'
import type { TestServer } from './runner/harness.ts'

type DataRecord = { kind: string } & Record<string, unknown>

/** Export and import of a workspace, like the commands. */
export interface Transfer {
  /** Imports lines, or records that become lines. */
  read(lines: ReadonlyArray<object | string>): Promise<Report>
  /** Imports records as those of a source. */
  readAs(source: string, records: readonly object[]): Promise<Report>
  /** Imports lines as they come. @param progress called after each batch */
  readFrom(lines: AsyncIterable<string>, progress: (report: Report) => void): Promise<Report>
  /** The lines of an export. */
  written(): Promise<string[]>
  /** The lines of an export, one after the other. */
  lines(): AsyncGenerator<string>
}

/** The context of the commands, and the ids of the administrator and of that workspace. */
export async function commandContext(
  server: TestServer
): Promise<{ ctx: Ctx; workspaceId: string; accountId: string }> {
  const me = await server.ok<{ id: string; workspace: { id: string } }>('/v1/users/me')
  const { db } = server.database
  const ctx = {
    db,
    now: () => new Date(),
    transaction: (work: (trx: unknown) => Promise<unknown>) => db.transaction().execute(work),
    contributions: server.contributions,
    use: { access: { scopes: () => coreScopes }, database: { unmanagedDb: db } },
    emit: server.events.append,
    asServer: (workspaceId: string, accountId: string) => ({
      workspaceId,
      accountId,
      tokenId: null,
      scopes: coreScopes.map(({ name }) => name)
    })
  } as unknown as Ctx
  return { ctx, workspaceId: me.workspace.id, accountId: me.id }
}

/** Export and import on a test server with the plugin `transfer`, in the administrator's workspace. */
export async function transferOf(server: TestServer): Promise<Transfer> {
  const { ctx, workspaceId, accountId } = await commandContext(server)
  return {
    read: lines => importLines(ctx, workspaceId, accountId, textsOf(lines)),
    readAs: (source, records) => importLines(ctx, workspaceId, accountId, textsOf(records), { source }),
    readFrom: (lines, progress) => importLines(ctx, workspaceId, accountId, lines, { progress }),
    lines: () => exportLines(ctx, workspaceId),
    async written() {
      const lines: string[] = []
      for await (const line of exportLines(ctx, workspaceId)) lines.push(line)
      return lines
    }
  }
}

async function* textsOf(lines: ReadonlyArray<object | string>): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
}

/**
 * Exports all of one test server and imports it into another, empty one.
 * @returns the records of the kind in the first server's export, and in the second's
 */
export async function carryOver(
  from: TestServer,
  to: TestServer,
  kind: string
): Promise<{ before: DataRecord[]; after: DataRecord[]; skipped: Report['skipped'] }> {
  const lines = await (await transferOf(from)).written()
  const target = await transferOf(to)
  const { skipped } = await target.read(lines)
  const ofKind = (all: string[]) => all.map(line => JSON.parse(line) as DataRecord).filter(line => line.kind === kind)
  return { before: ofKind(lines), after: ofKind(await target.written()), skipped }
}
