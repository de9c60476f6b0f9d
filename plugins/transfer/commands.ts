import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand } from '../../core/command.ts'
import { exportLines } from './export.ts'
import type { Ctx } from './context.ts'

export const options = {
  workspace: {
    type: 'string',
    placeholder: 'NAME',
    description: 'The workspace; it must be named where there are several.'
  }
} as const
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

/** @throws Error that lists the workspaces, when the name leaves it open */
export async function workspaceNamed({ db }: Ctx, name: string | undefined): Promise<string> {
  const all = await db.selectFrom('workspace').select(['id', 'name']).orderBy('createdAt').execute()
  const [match, other] = name === undefined ? all : all.filter(w => w.name === name)
  if (!match || other) {
    throw new Error(`Say which workspace, with --workspace NAME; there are: ${all.map(w => w.name).join(', ')}.`)
  }
  return match.id
}
