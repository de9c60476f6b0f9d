import type { Caller, Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { isId } from '../../core/api/database/queries.ts'
import { invalid, missing, notFound } from '../../core/api/errors.ts'
import type { Ctx } from './context.ts'
import { fileSubjects, type FileSubject } from './contract.ts'
import { namedIssues } from './queries/issues.ts'
import { findFile, type StoredRow, type Subject } from './queries/files.ts'
import type { NamedSubject } from './queries/subjects.ts'

/*
 * A file has the rights of its subject: who may read that reads the file. A file without one is its uploader's alone.
 */

/** @throws 400, 403, 404 */
export async function subjectOf(
  ctx: Ctx,
  caller: Principal,
  { issueId, subject }: { issueId?: string; subject?: string }
): Promise<Subject | undefined> {
  if (issueId !== undefined && subject !== undefined) {
    throw invalid('query.issueId and query.subject say the same: send one of them.', { field: 'subject' })
  }
  if (issueId === undefined && subject === undefined) return undefined
  const [type = '', ...rest] = (subject ?? `issue:${issueId}`).split(':')
  const ref = rest.join(':')
  if (type === 'issue') return { type, id: (await ctx.use.issues.find(caller, ctx.db, ref)).id }
  const kind = kindOf(ctx, type)
  if (!kind) {
    const types = ['issue', ...kindsOf(ctx).map(each => each.type)].join(', ')
    throw invalid(`query.subject has no type that files can belong to; the types are: ${types}.`, { field: 'subject' })
  }
  return findChangeable(caller, kind, ref)
}

/** @throws 403, 404 */
export async function findChangeable(caller: Principal, kind: FileSubject, ref: string): Promise<Subject> {
  const { type } = kind
  const id = ref.toLowerCase()
  if (!isId(id) || !(await kind.isReadable(caller, id))) throw notFound(type, ref)
  await kind.assertChangeable?.(caller, id)
  return { type, id }
}

const kindsOf = (ctx: Ctx) => ctx.contributions(fileSubjects).map(({ item }) => item)
const kindOf = (ctx: Ctx, type: string) => kindsOf(ctx).find(each => each.type === type)

export const isReadByRuns = (ctx: Ctx, type: string): boolean => kindOf(ctx, type)?.isReadByRuns === true

export const subjectKinds = (ctx: Ctx): NamedSubject[] => [{ type: 'issue', named: namedIssues }, ...kindsOf(ctx)]

export const subjectOfRow = ({
  subjectType: type,
  subjectId: id
}: Pick<StoredRow, 'subjectType' | 'subjectId'>): Subject | undefined =>
  type === null || id === null ? undefined : { type, id }

export const issueOf = (subject: Subject | undefined): Id | undefined =>
  subject?.type === 'issue' ? subject.id : undefined

/** @throws 404 */
export async function findReadable(ctx: Ctx, caller: Caller, id: Id): Promise<StoredRow> {
  const file = await findFile(ctx.db, { workspaceId: caller.workspaceId, id })
  if (file !== undefined && (await isReadable(ctx, caller, file))) return file
  throw missing(`There is no file '${id}' in this workspace that you may read.`)
}

/**
 * @throws 404 unless the caller may read it, or administers the workspace and no text has named it yet; 403 when its
 * subject is another's
 */
export async function findRemovable(ctx: Ctx, caller: Principal, id: Id): Promise<StoredRow> {
  if (caller.role === 'ADMIN') {
    const file = await findFile(ctx.db, { workspaceId: caller.workspaceId, id })
    return file !== undefined && subjectOfRow(file) === undefined ? file : findReadable(ctx, caller, id)
  }
  const file = await findReadable(ctx, caller, id)
  const subject = subjectOfRow(file)
  if (subject) await kindOf(ctx, subject.type)?.assertChangeable?.(caller, subject.id)
  return file
}

async function isReadable(ctx: Ctx, caller: Caller, file: StoredRow): Promise<boolean> {
  const subject = subjectOfRow(file)
  return subject ? isSubjectReadable(ctx, caller, subject) : file.createdById === caller.accountId
}

async function isSubjectReadable(ctx: Ctx, caller: Caller, { type, id }: Subject): Promise<boolean> {
  if (type !== 'issue') {
    const kind = kindOf(ctx, type)
    return kind !== undefined && kind.isReadable(caller, id)
  }
  return ctx.use.issues.find(caller, ctx.db, id).then(
    () => true,
    (error: { statusCode?: number }) => {
      if (error.statusCode === 404) return false
      throw error
    }
  )
}
