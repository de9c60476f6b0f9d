import type { Caller } from '../../core/api/contract.ts'
import { invalid } from '../../core/api/errors.ts'
import type { TextListener } from '../../core/api/points.ts'
import type { Ctx, Trx } from './context.ts'
import { fileAdded } from './contract.ts'
import { bindFiles, listStored, type Subject } from './queries/files.ts'
import { nameSubjects, subjectKey } from './queries/subjects.ts'
import { issueOf, subjectKinds } from './subjects.ts'

const ADDRESS = /\/v1\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/gi
const MAX_NAMED = 1_000

export const filesNamedIn = (markdown: string): string[] =>
  [...new Set(markdown.matchAll(ADDRESS).map(([, id]) => id!.toLowerCase()))].slice(0, MAX_NAMED)

/**
 * The first text of its uploader that names a file binds the file to the subject of the text: from then on, readers of
 * the subject can read the file.
 */
export const bindNamedFiles =
  (ctx: Ctx): TextListener =>
  async (caller, trx, texts) => {
    const { workspaceId, accountId } = caller
    if (accountId === null) return
    for (const text of texts) {
      const ids = filesNamedIn(text.markdown)
      if (ids.length === 0) continue
      const db: Trx = trx
      const subject = { type: text.subjectType, id: text.subjectId }
      const bound = await bindFiles(db, workspaceId, accountId, ids, subject)
      const events = bound.map(file => addedEvent(file, subject))
      if (events.length > 0) await ctx.emit(trx, fileAdded, caller, events)
    }
  }

/** @throws 400 unless all files that it names are there, and belong to something or will by this text */
export async function assertThere(ctx: Ctx, caller: Caller, trx: Trx, markdown: string): Promise<void> {
  const ids = filesNamedIn(markdown)
  if (ids.length === 0) return
  const { workspaceId, accountId } = caller
  const rows = await listStored(trx, workspaceId, ids)
  const subjects = await nameSubjects(trx, workspaceId, subjectKinds(ctx), rows)
  const isThere = (row: (typeof rows)[number]) =>
    row.subjectId === null ? row.createdById === accountId : subjects.has(subjectKey(row))
  const there = new Set(rows.filter(isThere).map(({ id }) => id))
  const missing = ids.filter(id => !there.has(id))
  if (missing.length === 0) return
  throw invalid(
    `The evidence names a file that is not there: ${missing.map(id => `/v1/files/${id}`).join(', ')}. ` +
      'Upload the file, and name it by the url of the answer.',
    { field: 'evidence' }
  )
}

export const addedEvent = (
  { id: subjectId, name, mimeType, bytes }: { id: string; name: string; mimeType: string; bytes: number },
  { type, id }: Subject
) => ({
  subjectId,
  parentId: issueOf({ type, id }),
  data: { name, mimeType, bytes, subject: { type, id } }
})
