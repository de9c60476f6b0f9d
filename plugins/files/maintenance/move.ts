import { defineCommand, EXIT_PARTIAL, spellControls } from '../../../core/api/command.ts'
import type { Ctx } from '../context.ts'
import { STORES, type StoreName } from '../contract.ts'
import { allStored, lockStore, setStore, type PlacedFile } from '../queries/placement.ts'
import { removeContent } from '../removal.ts'
import { stores } from '../stores/stores.ts'
import { readWhole, type Condition } from './content.ts'

/** For running reads of the former place. */
const KEEP_SECONDS = 15 * 60

export const moveCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'files move',
    summary: 'Move all files to a store, while the server runs; continues where it was interrupted',
    details: 'Exits with 2 when files are missing or damaged: these stay where they are.',
    options: {
      to: { type: 'string', placeholder: 'STORE', required: true, description: `One of: ${STORES.join(', ')}.` }
    },
    database: 'existing',
    async run({ to: name }, terminal) {
      const to = STORES.find(store => store === name)
      if (to === undefined) throw new Error(`There is no store '${name}': the stores are ${STORES.join(', ')}.`)
      ctx.get(stores).assertUsable(to)
      let moved = 0
      let left = 0
      for await (const file of allStored(ctx.db, to)) {
        const condition = await moveFile(ctx, file, to)
        if (condition === 'whole') terminal.progress(`${++moved} files`)
        else if (condition !== 'gone') {
          left++
          terminal.print(`${file.workspaceId}/${file.id} (${spellControls(file.name)}) in ${file.store}: ${condition}`)
        }
      }
      terminal.print(`${moved} files were moved to ${to}; ${left} are missing or damaged, and stay where they are.`)
      const { current } = ctx.get(stores)
      if (current !== to) terminal.print(`New files still go to ${current}: set plugins.files.store to ${to}.`)
      return left === 0 ? 0 : EXIT_PARTIAL
    }
  })

/** @returns `gone` when it was removed, or moved by another command */
function moveFile(ctx: Ctx, file: PlacedFile, to: StoreName): Promise<Condition | 'gone'> {
  const target = ctx.get(stores).get(to)
  return ctx.transaction(async trx => {
    if ((await lockStore(trx, file)) !== file.store) return 'gone'
    // An interrupted move may have left a part of it.
    await target.remove(file, trx)
    const condition = await readWhole(ctx, file, chunks => target.write(file, chunks, trx), trx)
    if (condition !== 'whole') {
      await target.remove(file, trx)
      return condition
    }
    await setStore(trx, file, to)
    const { workspaceId, id, store } = file
    await ctx.enqueue(trx, removeContent, [{ workspaceId, id, store }], { delaySeconds: KEEP_SECONDS })
    return condition
  })
}
