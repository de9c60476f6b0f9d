import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, EXIT_PARTIAL } from '../../core/command.ts'
import { clean } from '../../core/db/database.ts'
import { exportLines } from './export.ts'
import { importLines } from './import.ts'
import type { Ctx } from './context.ts'

const options = {
  workspace: {
    type: 'string',
    placeholder: 'NAME',
    description: 'The workspace; it must be named where there are several.'
  }
} as const
const BAR_CHARACTERS = 30
/** Skipped lines that are named; the others are counted. */
const MAX_NAMED_LINES = 100

export const exportCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'export',
    summary: 'Write a workspace as JSON Lines to standard output',
    options,
    database: true,
    async run({ workspace }) {
      const workspaceId = await workspaceNamed(ctx, workspace)
      const lines = async function* () {
        for await (const line of exportLines(ctx, workspaceId)) yield `${line}\n`
      }
      await pipeline(Readable.from(lines()), process.stdout, { end: false })
    }
  })

export const importCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'import',
    summary: 'Read JSON Lines into a workspace; run again, it continues',
    details: `Exit code ${EXIT_PARTIAL}: all that could be used is imported, and lines were left out.`,
    arguments: { file: { description: 'A file such as export writes; docs/import-format.md describes it.' } },
    options,
    database: true,
    async run({ file, workspace }) {
      const workspaceId = await workspaceNamed(ctx, workspace)
      const actor = await ctx.db
        .selectFrom('account')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('role', '=', 'ADMIN')
        .where('deletedAt', 'is', null)
        .orderBy('createdAt')
        .executeTakeFirst()
      if (!actor) throw new Error('The workspace has no administrator to import as.')
      const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
        throw new Error(`The file ${file} cannot be read (${error.code}): name one that this user may read.`)
      })
      const input = createReadStream(file)
      const report = await importLines(ctx, workspaceId, actor.id, linesOf(input), ({ added, there, skipped }) => {
        const share = size === 0 ? 1 : input.bytesRead / size
        const records = Object.values(added).reduce((sum, n) => sum + n, 0)
        process.stderr.write(
          `\r[${'#'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS)}] ${records} records, ${there} there already, ${skipped.length} skipped`
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
      for (const { line, reason } of report.skipped.slice(0, MAX_NAMED_LINES)) {
        process.stderr.write(`Skipped line ${line}: ${reason}\n`)
      }
      if (report.skipped.length > MAX_NAMED_LINES) {
        process.stderr.write(`… and ${report.skipped.length - MAX_NAMED_LINES} more lines.\n`)
      }
      return report.skipped.length === 0 ? 0 : EXIT_PARTIAL
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
