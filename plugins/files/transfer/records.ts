import { Type } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import { IdText, Line } from '../../../core/api/schemas.ts'
import {
  ExternalId,
  Person,
  recordKind,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type RecordOf
} from '../../transfer/contract.ts'
import { addedEvent } from '../binding.ts'
import type { Ctx, Trx } from '../context.ts'
import { fileAdded } from '../contract.ts'
import { importedPictures } from '../pictures.ts'
import { exportedFiles, isStored, lockUnpublished, publishImported } from '../queries/transfer.ts'
import { nameSubjects, subjectKey } from '../queries/subjects.ts'
import { addUsage } from '../queries/usage.ts'
import { subjectKinds } from '../subjects.ts'
import { workspaceFull } from '../upload/limits.ts'
import { fileContents } from './contents.ts'

const fields = {
  externalId: Type.String({ ...IdText, description: 'A UUID: texts name the file as `/v1/files/<UUID>/<name>`.' }),
  sourceId: Type.Optional(
    Type.String({ ...ExternalId, description: 'Its name in another tracker, by which later imports know it.' })
  ),
  name: Line(200),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    title: 'SHA-256',
    description: 'Of the content, in hexadecimal digits: its name in the folder of `--files`.'
  }),
  subjectType: Type.String({
    maxLength: 50,
    description:
      'What it belongs to, whose readers read it: `issue`, `project`, `knowledge`, `issue_template` or `account`.'
  }),
  subject: ExternalId,
  createdBy: Type.Optional(Person),
  createdAt: Type.Optional(When)
}
type FileRecord = RecordOf<typeof fields>

export const fileRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'file',
    summary:
      'A file, whose content is in the folder of `--files`; without that option, exports have no such lines.\n' +
      'What no text has named yet, and what belongs to something deleted, is not exported.',
    table: 'file',
    isRecord: isStored,
    fields,
    contents: fileContents(ctx),
    nameOf: ({ sourceId }) => sourceId,
    rows: (workspaceId, externalId) => exportedFiles(subjectKinds(ctx), workspaceId, externalId),
    add: batch => addFiles(ctx, batch)
  })

async function addFiles(ctx: Ctx, batch: Batch<FileRecord>): Promise<void> {
  const { trx, caller, workspaceId, now, items, people, skip } = batch
  const db: Trx = trx
  const accounts = await people(items.map(({ record }) => record.createdBy ?? UNKNOWN_PERSON))
  const subjects = await findSubjects(ctx, batch)
  const idsOf = (type: string) => [
    ...new Set(items.flatMap(({ record }) => (record.subjectType === type ? (subjects.of(record) ?? []) : [])))
  ]
  const issueIds = idsOf('issue')
  // So that their events are in order with those of the issues.
  if (issueIds.length > 0) await ctx.use.issues.lock(caller, trx, issueIds)
  const pictureFault = await importedPictures(db, workspaceId, idsOf('account'))
  const stored = await lockUnpublished(
    db,
    workspaceId,
    items.map(({ id }) => id)
  )
  const contents = new Map(stored.map(file => [file.id, file]))
  const events = []
  for (const item of items) {
    const { createdBy = UNKNOWN_PERSON, createdAt = now, subjectType: type, subject } = item.record
    const [file, id] = [contents.get(item.id), subjects.of(item.record)]
    const fault = id !== undefined && file && type === 'account' ? pictureFault(id, file) : undefined
    if (id === undefined) skip(item, `there is no ${type} '${subject}', to which it belongs`)
    else if (file === undefined) skip(item, 'its content was removed meanwhile: import again')
    else if (fault !== undefined) skip(item, fault)
    else if (!(await addUsage(db, workspaceId, file.bytes, ctx.settings.maxBytesPerWorkspace))) {
      skip(item, workspaceFull(ctx.settings.maxBytesPerWorkspace).message)
    } else {
      const row = { subjectType: type, subjectId: id, createdById: accounts.get(createdBy)! }
      await publishImported(db, { workspaceId, id: item.id, ...row, createdAt: new Date(createdAt) })
      events.push(addedEvent(file, { type, id }))
    }
  }
  if (events.length > 0) await ctx.emit(trx, fileAdded, caller, events)
}

/** Without deleted ones. */
async function findSubjects(ctx: Ctx, { trx, workspaceId, items, find }: Batch<FileRecord>) {
  const kinds = subjectKinds(ctx)
  const idsByType = new Map<string, ReadonlyMap<string, Id>>()
  for (const { type } of kinds) {
    const names = items.flatMap(({ record }) => (record.subjectType === type ? record.subject : []))
    idsByType.set(type, await find(type, names))
  }
  const all = [...idsByType].flatMap(([subjectType, ids]) =>
    [...ids.values()].map(subjectId => ({ subjectType, subjectId }))
  )
  const there = await nameSubjects(trx, workspaceId, kinds, all)
  return {
    of({ subjectType, subject }: FileRecord): Id | undefined {
      const subjectId = idsByType.get(subjectType)?.get(subject)
      return subjectId !== undefined && there.has(subjectKey({ subjectType, subjectId })) ? subjectId : undefined
    }
  }
}
