import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand, EXIT_PARTIAL, spellControls, type Terminal } from '../../core/api/command.ts'
import { findWorkspace, listWorkspaces } from '../../core/api/database/queries.ts'
import { exportLines } from './export.ts'
import { foreignBoardsFor, type Ctx } from './context.ts'

export const options = {
  workspace: {
    type: 'string',
    placeholder: 'WORKSPACE',
    description: 'The workspace, by name or id; it must be named where there are several.'
  }
} as const
export const exportCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'export',
    summary: 'Write a workspace as JSON Lines to standard output, or as markdown into a folder',
    details: [
      'docs/import-format.md says what the lines are, docs/importers.md what is in the folder.',
      `Exit code ${EXIT_PARTIAL}: files that are missing or damaged are left out, and listed.`
    ].join('\n'),
    arguments: { folder: { description: 'With --to markdown: one that is empty or not there yet.', optional: true } },
    options: {
      ...options,
      to: { type: 'string', placeholder: 'FORMAT', description: 'markdown: a folder with a file for each issue.' },
      files: {
        type: 'string',
        placeholder: 'DIR',
        description: 'Write the contents of files into a folder, and their lines; without it, files are left out.'
      }
    },
    database: 'existing',
    async run({ workspace, to, folder, files }, terminal) {
      if (to !== undefined && to !== 'markdown') throw new Error(`There is no format '${to}': --to takes markdown.`)
      if ((to === undefined) !== (folder === undefined)) {
        throw new Error('A folder is written with --to markdown FOLDER; without both, lines go to standard output.')
      }
      if (to !== undefined && files !== undefined) {
        throw new Error('--files belongs to an export of lines: leave --to out, or export twice.')
      }
      const workspaceId = await workspaceNamed(ctx, workspace)
      if (folder !== undefined) return writeFolder(ctx, workspaceId, folder, terminal)
      const leftOut: string[] = []
      const beside = files === undefined ? undefined : await contentsIn(terminal.path(files), leftOut)
      const lines = linesOf(exportLines(ctx, workspaceId, beside))
      for await (const text of terminal.isInServer ? readAhead(lines) : lines) await terminal.write(text)
      for (const reason of leftOut) terminal.print(reason)
      return leftOut.length === 0 ? 0 : EXIT_PARTIAL
    }
  })

async function contentsIn(folder: string, leftOut: string[]) {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The folder ${folder} cannot be made (${error.code}): name one that this user may write into.`)
  })
  return { folder, leftOut: (reason: string) => leftOut.push(reason) }
}

async function* linesOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${spellControls(line)}\n`
}

/** Writes texts to a file before returning the first: a slow reader must not hold the transaction of the texts. */
async function* readAhead(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const path = join(tmpdir(), `tracker-export-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    // An unlinked file is freed when this process ends in any way.
    await unlink(path)
    await file.writeFile(texts)
    yield* file.createReadStream({ start: 0, encoding: 'utf8' }) as AsyncIterable<string>
  } finally {
    await file.close()
  }
}

async function writeFolder(ctx: Ctx, workspaceId: string, folder: string, terminal: Terminal): Promise<void> {
  const issues = await foreignBoardsFor(ctx, '--to').writeMarkdown(
    ctx.asServer(workspaceId),
    exportLines(ctx, workspaceId),
    terminal.path(folder)
  )
  terminal.print(`Wrote ${issues} issues into ${folder}.`)
}

export async function workspaceNamed({ db }: Ctx, ref: string | undefined): Promise<string> {
  if (ref !== undefined) return (await findWorkspace(db, ref)).id
  const all = await listWorkspaces(db)
  const [only, other] = all
  if (!only || other) {
    throw new Error(
      `Say which workspace, with --workspace WORKSPACE; there are: ${all.map(({ name }) => name).join(', ')}.`
    )
  }
  return only.id
}
