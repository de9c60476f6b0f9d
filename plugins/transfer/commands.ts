import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { clean } from '../../core/db/database.ts'
import type { Command } from '../../core/points.ts'
import { exportLines } from './export.ts'
import { importLines } from './import.ts'
import type { Ctx } from './index.ts'

const options = { workspace: { type: 'string' } } as const
const BAR = 30
/** Skipped lines that are named; the others are counted. */
const MOST_NAMED = 100

export const exportCommand = (ctx: Ctx): Command => ({
  name: 'export',
  summary: 'Write a workspace as JSON Lines to standard output',
  usage: '[--workspace NAME]',
  database: true,
  async run(args) {
    const workspaceId = await workspaceNamed(ctx, parseArgs({ args, options }).values.workspace)
    const lines = async function* () {
      for await (const line of exportLines(ctx, workspaceId)) yield `${line}\n`
    }
    await pipeline(Readable.from(lines()), process.stdout, { end: false })
  }
})

export const importCommand = (ctx: Ctx): Command => ({
  name: 'import',
  summary: 'Read JSON Lines into a workspace; run again, it continues',
  usage: 'FILE [--workspace NAME]',
  database: true,
  async run(args) {
    const {
      values,
      positionals: [file]
    } = parseArgs({ args, options, allowPositionals: true })
    if (file === undefined) throw new Error('Name the file: import board.jsonl (docs/import-format.md describes it).')
    const workspaceId = await workspaceNamed(ctx, values.workspace)
    const actor = await ctx.db
      .selectFrom('account')
      .select('id')
      .where('workspaceId', '=', workspaceId)
      .where('role', '=', 'ADMIN')
      .where('deletedAt', 'is', null)
      .orderBy('createdAt')
      .executeTakeFirst()
    if (!actor) throw new Error('The workspace has no administrator to import as.')
    const { size } = await stat(file)
    const input = createReadStream(file)
    const report = await importLines(ctx, workspaceId, actor.id, linesOf(input), ({ added, there, skipped }) => {
      const share = size === 0 ? 1 : input.bytesRead / size
      const records = Object.values(added).reduce((sum, n) => sum + n, 0)
      process.stderr.write(
        `\r[${'#'.repeat(Math.round(share * BAR)).padEnd(BAR)}] ${records} records, ${there} there already, ${skipped.length} skipped`
      )
    })
    // The planner learns at once what came.
    await clean(ctx.db)
    const added = Object.entries(report.added)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => `${n} ${kind}`)
      .join(', ')
    process.stderr.write(
      `\nAdded: ${added || 'nothing'}. There already: ${report.there}. Skipped: ${report.skipped.length}.\n`
    )
    for (const { line, reason } of report.skipped.slice(0, MOST_NAMED)) {
      process.stderr.write(`Skipped line ${line}: ${reason}\n`)
    }
    if (report.skipped.length > MOST_NAMED) {
      process.stderr.write(`… and ${report.skipped.length - MOST_NAMED} more lines.\n`)
    }
  }
})

/** Lines end with a line feed alone: `readline` would also break texts that hold U+2028. */
async function* linesOf(input: ReadStream): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

/** @throws Error that lists the workspaces, when the name leaves it open */
async function workspaceNamed({ db }: Ctx, name: string | undefined): Promise<string> {
  const all = await db.selectFrom('workspace').select(['id', 'name']).orderBy('createdAt').execute()
  const [match, other] = name === undefined ? all : all.filter(w => w.name === name)
  if (!match || other) {
    throw new Error(`Say which workspace, with --workspace NAME; there are: ${all.map(w => w.name).join(', ')}.`)
  }
  return match.id
}
