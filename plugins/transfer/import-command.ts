import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { defineCommand, EXIT_PARTIAL } from '../../core/command.ts'
import { vacuum } from '../../core/db/database.ts'
import type { Id } from '../../core/db/tables.ts'
import { fileLines } from '../../core/file-lines.ts'
import type { Terminal } from '../../core/terminal.ts'
import { options, workspaceNamed } from './commands.ts'
import type { ImportRequest, PlacedLine } from '../importers/contract.ts'
import { importLines, type Report } from './import.ts'
import type { Ctx } from './context.ts'
import { findAdministrator } from './queries/accounts.ts'

const BAR_CHARACTERS = 30
/** Lines and fields that are named; the others are counted. */
const MAX_NAMED = 100

export const importCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'import',
    summary: 'Read JSON Lines, or another tracker, into a workspace; run again, it continues',
    details: [
      `Exit code ${EXIT_PARTIAL}: all that could be used is imported, ` +
        'and something was left out or kept as it is here.',
      'docs/importers.md says what each source brings, and where it takes its token from.'
    ].join('\n'),
    arguments: {
      place: {
        description: 'A file such as export writes (docs/import-format.md); with --from, a file, folder or URL.'
      }
    },
    options: {
      ...options,
      from: { type: 'string', placeholder: 'SOURCE', description: 'The other tracker, e.g. jira; docs/importers.md.' },
      map: {
        type: 'string',
        placeholder: 'FILE',
        description: 'With --from: JSON that names teams, states and people.'
      },
      include: {
        type: 'string',
        placeholder: 'MARKS',
        description: 'With --from: what is not for all there comes, too: restricted, archived, or both with a comma.'
      },
      'dry-run': { type: 'boolean', description: 'Do all of it, report, and take it back.' }
    },
    database: true,
    async run({ place, workspace, from, map, include, 'dry-run': dryRun }, terminal) {
      if (from === undefined && (map ?? include) !== undefined) {
        throw new Error('--map and --include belong to --from: name the source, too.')
      }
      if (dryRun && terminal.isInServer) {
        throw new Error('A dry run would keep the server that runs here from answering until it ends: stop it first.')
      }
      const workspaceId = await workspaceNamed(ctx, workspace)
      const actorId = await administrator(ctx, workspaceId)
      const input =
        from === undefined
          ? await fileInput(terminal, place)
          : await sourceInput(ctx, terminal, workspaceId, {
              source: from,
              place: /^https?:/i.test(place) ? place : terminal.path(place),
              mapFile: map === undefined ? undefined : terminal.path(map),
              include,
              env: terminal.env
            })
      const report = await importLines(ctx, workspaceId, actorId, input.lines, {
        source: input.source,
        dryRun,
        progress: report => terminal.progress(`${input.progress()} ${summaryOf(report)}`)
      })
      // Updates the planner's statistics at once.
      if (!dryRun) await vacuum(ctx.db)
      terminal.print(reportOf(report, input.leftOut(), dryRun))
      return report.skipped.length + report.kept.length === 0 ? 0 : EXIT_PARTIAL
    }
  })

interface Input {
  source: string
  lines: AsyncIterable<string | PlacedLine>
  progress(): string
  /** What the source has and the format has no place for, with how often. */
  leftOut(): Array<{ what: string; reason: string; count: number; examples: string[] }>
}

async function administrator(ctx: Ctx, workspaceId: Id): Promise<Id> {
  const actor = await findAdministrator(ctx.db, workspaceId)
  if (!actor) throw new Error('The workspace has no administrator to import as.')
  return actor.id
}

async function fileInput(terminal: Terminal, file: string): Promise<Input> {
  const path = terminal.path(file)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file ${file} cannot be read (${error.code}): name one that this user may read.`)
  })
  if (found.isDirectory()) throw new Error(`${file} is a folder: name a file, or with --from what the folder is of.`)
  if (terminal.isInServer && !found.isFile()) {
    throw new Error(`The server that runs here cannot read ${file}: name a file, which no pipe is.`)
  }
  const stream = createReadStream(path)
  return {
    source: '',
    lines: placedLines(stream),
    progress: () => bar(found.size === 0 ? 1 : stream.bytesRead / found.size),
    leftOut: () => []
  }
}

async function sourceInput(ctx: Ctx, terminal: Terminal, workspaceId: Id, request: ImportRequest): Promise<Input> {
  const { importers } = ctx.use
  if (!importers) throw new Error("--from needs the plugin 'importers': turn it on in the configuration.")
  const read = await importers.open(ctx.asServer(workspaceId), request)
  return {
    source: read.name,
    lines: read.lines(records => terminal.progress(`Read ${records} records from ${request.source} …`)),
    progress: () => bar(read.progress()),
    leftOut: () => read.leftOut()
  }
}

const bar = (share: number) => `[${'#'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS)}]`

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, n) => total + n, 0)
const summaryOf = ({ added, updated, there, skipped }: Report) =>
  `${sum(added)} records, ${sum(updated)} changed, ${there} there already, ${skipped.length} skipped`
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ') || 'nothing'

function reportOf(report: Report, leftOut: ReturnType<Input['leftOut']>, dryRun: boolean): string {
  const lines = [
    ...(dryRun ? ['A dry run: nothing was written.'] : []),
    [
      `Added: ${listed(report.added)}.`,
      ...(sum(report.updated) > 0 ? [`Changed: ${listed(report.updated)}.`] : []),
      `There already: ${report.there}.`,
      ...(sum(report.deleted) > 0 ? [`Deleted here, and left so: ${listed(report.deleted)}.`] : []),
      `Skipped: ${report.skipped.length}.`
    ].join(' ')
  ]
  const limited = <T>(items: readonly T[], line: (item: T) => string, more: string) => {
    lines.push(...items.slice(0, MAX_NAMED).map(line))
    if (items.length > MAX_NAMED) lines.push(`… and ${items.length - MAX_NAMED} more ${more}.`)
  }
  limited(report.skipped, ({ where, reason }) => `Skipped ${where}: ${reason}`, 'lines')
  limited(
    report.kept,
    ({ where, kind, externalId, field }) =>
      `Kept ${kind} ${externalId} (${where}): ${field} was changed there and here; it stays as it is here.`,
    'fields'
  )
  for (const { what, reason, count, examples } of leftOut) {
    lines.push(`Left out ${what}: ${count} (${reason}), e.g. ${examples.join(', ')}`)
  }
  return lines.join('\n')
}

async function* placedLines(file: ReadStream): AsyncGenerator<PlacedLine> {
  for await (const { number, ...line } of fileLines(file)) yield { where: `line ${number}`, text: '', ...line }
}
