import { defineCommand } from '../../core/command.ts'
import { vacuum } from '../../core/db/database.ts'
import type { Ctx } from './context.ts'
import { reindex } from './issue-index.ts'

export const reindexCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'reindex',
    summary: 'Rebuild the search index while the server runs; continues where it was interrupted',
    database: 'existing',
    async run() {
      await reindex(ctx, 'all', (done, total) => process.stderr.write(`\r${done} of ${total} issues`))
      await vacuum(ctx.db)
      process.stderr.write('\nThe search index is up to date.\n')
    }
  })
