import { defineCommand, EXIT_PARTIAL, spellControls } from '../../../core/api/command.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { STORES, type StoreName } from '../contract.ts'
import { allStored, knownIds } from '../queries/placement.ts'
import { stores } from '../stores/stores.ts'
import { readWhole } from './content.ts'

const BATCH = 500

export const checkCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'files check',
    summary: 'Read all files, and list those that are missing, damaged or unknown, tab-separated',
    details:
      'A line has the problem, the store, the workspace, the id and the name. `unknown` is in a store, but no file ' +
      'of a workspace: removed files are so for a few minutes. Exits with 2 when there is a line.',
    database: 'existing',
    async run(_, terminal) {
      let problems = 0
      const report = async (...line: readonly string[]) => {
        problems++
        await terminal.write(`${line.map(spellControls).join('\t')}\n`)
      }
      let checked = 0
      let unnamed = 0
      for await (const file of allStored(ctx.db)) {
        const condition = await readWhole(ctx, file, drain)
        if (condition !== 'whole') await report(condition, file.store, file.workspaceId, file.id, file.name)
        if (file.subjectId === null) unnamed++
        terminal.progress(`${++checked} files`)
      }
      for (const store of STORES) {
        if (!ctx.get(stores).isUsable(store)) continue
        for await (const [workspaceId, id] of unknownIn(ctx, store)) await report('unknown', store, workspaceId, id, '')
      }
      terminal.print(`${checked} files were read, ${unnamed} of which no text names yet; problems: ${problems}.`)
      return problems === 0 ? 0 : EXIT_PARTIAL
    }
  })

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}

async function* unknownIn(ctx: Ctx, store: StoreName): AsyncGenerator<[workspaceId: Id, id: Id]> {
  const listed = new Map<Id, Id[]>()
  const unknown = async (workspaceId: Id): Promise<Array<[Id, Id]>> => {
    const ids = listed.get(workspaceId) ?? []
    listed.delete(workspaceId)
    const known = await knownIds(ctx.db, workspaceId, ids)
    return ids.filter(id => !known.has(id)).map(id => [workspaceId, id])
  }
  for await (const { workspaceId, id } of ctx.get(stores).get(store).list()) {
    const ids = listed.get(workspaceId) ?? []
    listed.set(workspaceId, [...ids, id])
    if (ids.length + 1 >= BATCH) yield* await unknown(workspaceId)
  }
  for (const workspaceId of [...listed.keys()]) yield* await unknown(workspaceId)
}
