import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { defineCommand, EXIT_PARTIAL, type Terminal } from '../../../core/api/command.ts'
import { vacuum } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { fileLines } from '../../../lib/util/file-lines.ts'
import { options, workspaceNamed } from '../commands.ts'
import type { ImportRequest, LeftOut, PlacedLine, ToFetch } from '../contract.ts'
import { kindWithContents } from './attachments.ts'
import { importBoard, sourceNamed } from './boards.ts'
import { importLines, type Report } from './import.ts'
import { foreignBoardsFor, type Ctx } from '../context.ts'
import { findAdministrator } from '../queries/accounts.ts'
import { reportText, summaryOf, writeReport } from './report.ts'

const BAR_CHARACTERS = 30

const importOptions = {
  ...options,
  from: { type: 'string', placeholder: 'SOURCE', description: 'The other tracker, e.g. jira; docs/importers.md.' },
  source: {
    type: 'string',
    placeholder: 'NAME',
    description: 'Which board it is, where its data does not say it, or another board has the same ids.'
  },
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
  files: {
    type: 'string',
    placeholder: 'DIR',
    flagBeside: 'from',
    description: 'The folder that `export --files` wrote: files come, too. With --from, without DIR: attachments come.'
  },
  'no-files': {
    type: 'boolean',
    description: 'With --from: no attachments come, not even those that are beside the data.'
  },
  report: {
    type: 'string',
    placeholder: 'FILE',
    description: 'Write everything that was left out or kept into a file, as JSON; the terminal shows groups.'
  },
  'dry-run': { type: 'boolean', description: 'Do all of it, report, and take it back.' }
} as const

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
    options: importOptions,
    database: true,
    async run(
      { place, workspace, from, source, map, include, files, report: file, 'dry-run': dryRun, 'no-files': noFiles },
      terminal
    ) {
      if (from === undefined && ((map ?? include) !== undefined || noFiles)) {
        throw new Error('--map, --include and --no-files belong to --from: name the other tracker, too.')
      }
      if (noFiles && files !== undefined) throw new Error('--files and --no-files contradict each other: use one.')
      if (files !== undefined && kindWithContents(ctx) === undefined) {
        throw new Error("--files needs the plugin 'files': turn it on in the configuration.")
      }
      if (dryRun && terminal.isInServer) {
        throw new Error('A dry run would keep the server that runs here from answering until it ends: stop it first.')
      }
      const reportFile = file === undefined ? undefined : terminal.path(file)
      if (reportFile !== undefined) await writeReport(reportFile)
      const workspaceId = await workspaceNamed(ctx, workspace)
      const actorId = await administrator(ctx, workspaceId)
      const folder = from !== undefined || files === undefined ? undefined : await folderNamed(terminal.path(files))
      const target = { workspaceId, actorId, dryRun, folder, terminal }
      const { report, leftOut, toFetch } =
        from === undefined
          ? await importFile(ctx, target, source, place)
          : await importSource(ctx, target, source, {
              source: from,
              place: /^https?:/i.test(place) ? place : terminal.path(place),
              mapFile: map === undefined ? undefined : terminal.path(map),
              include,
              files: filesOf(ctx, files, noFiles),
              env: terminal.env,
              pathOf: name => terminal.path(name)
            })
      // Updates the planner's statistics at once.
      if (!dryRun) await vacuum(ctx.db)
      const outcome = { report, leftOut, toFetch, dryRun }
      terminal.print(reportText(outcome))
      if (reportFile !== undefined) await writeReport(reportFile, outcome)
      return report.skipped.length + report.shortened.length + report.kept.length === 0 ? 0 : EXIT_PARTIAL
    }
  })

function filesOf(ctx: Ctx, files: string | undefined, noFiles: boolean): boolean | undefined {
  if (noFiles || kindWithContents(ctx) === undefined) return false
  return files === undefined ? undefined : true
}

interface Target {
  workspaceId: Id
  actorId: Id
  dryRun: boolean
  folder: string | undefined
  terminal: Terminal
}
interface Imported {
  report: Report
  leftOut: LeftOut[]
  toFetch?: ToFetch
}

async function folderNamed(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw new Error(`${path} is no folder: name with --files the one that export wrote.`)
  return path
}

async function administrator(ctx: Ctx, workspaceId: Id): Promise<Id> {
  const actor = await findAdministrator(ctx.db, workspaceId)
  if (!actor) throw new Error('The workspace has no administrator to import as.')
  return actor.id
}

async function importFile(ctx: Ctx, target: Target, name: string | undefined, file: string): Promise<Imported> {
  const { workspaceId, actorId, dryRun, folder, terminal } = target
  const path = terminal.path(file)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file ${file} cannot be read (${error.code}): name one that this user may read.`)
  })
  if (stats.isDirectory()) throw new Error(`${file} is a folder: name a file, or the source of the folder with --from.`)
  if (terminal.isInServer && !stats.isFile()) {
    throw new Error(`The running server cannot read ${file}: name a regular file, not a pipe.`)
  }
  const stream = createReadStream(path)
  const share = () => (stats.size === 0 ? 1 : stream.bytesRead / stats.size)
  const progress = (report: Report) => terminal.progress(`${bar(share())} ${summaryOf(report)}`)
  const report = await importLines(ctx, workspaceId, actorId, placedLines(stream), {
    source: name === undefined ? '' : sourceNamed('file', name),
    dryRun,
    folder,
    progress
  })
  return { report, leftOut: [] }
}

async function importSource(
  ctx: Ctx,
  target: Target,
  name: string | undefined,
  request: ImportRequest
): Promise<Imported> {
  const { workspaceId, actorId, dryRun, terminal } = target
  const opened = await foreignBoardsFor(ctx, '--from').open(ctx.asServer(workspaceId), request)
  const { report, source } = await importBoard(ctx, workspaceId, actorId, opened, {
    name,
    dryRun,
    reading: records => terminal.progress(`Read ${records} records from ${request.source} …`),
    progress: (report, share) => terminal.progress(`${bar(share)} ${summaryOf(report)}`)
  })
  terminal.print(`The board is remembered as ${source}.`)
  return { report, leftOut: opened.leftOut(), toFetch: opened.toFetch() }
}

const bar = (share: number) => `[${'#'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS)}]`

async function* placedLines(file: ReadStream): AsyncGenerator<PlacedLine> {
  for await (const { number, ...line } of fileLines(file)) yield { where: `line ${number}`, text: '', ...line }
}
