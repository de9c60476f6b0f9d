import { Type } from 'typebox'
import type { Ctx, Trx } from './context.ts'
import {
  ExternalId,
  issueRecords,
  Person,
  recordKind,
  recordKinds,
  UNKNOWN_PERSON,
  When,
  type IssueRecords,
  type RecordKind
} from './contract.ts'
import { sortKinds } from './format.ts'
import { accountRecords } from './import/accounts.ts'
import { exportedIssueRecords, insertIssueRecord } from './queries/issue-records.ts'

const issueRecordKind = ({ kind, summary, table, fields }: IssueRecords): RecordKind =>
  recordKind({
    kind,
    summary,
    table,
    fields: {
      externalId: ExternalId,
      issue: ExternalId,
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When),
      ...fields
    },
    rows: (workspaceId, externalId) => exportedIssueRecords(kind, table, Object.keys(fields), workspaceId, externalId),
    async add({ trx, workspaceId, now, items, find, people, skip }) {
      const records = items.map(({ record }) => record)
      const issues = await find(
        'issue',
        records.map(({ issue }) => issue)
      )
      const accounts = await people(records.map(({ createdBy }) => createdBy ?? UNKNOWN_PERSON))
      const rows = items.flatMap(item => {
        const { issue, createdBy = UNKNOWN_PERSON, createdAt = now, externalId: _, ...values } = item.record
        const issueId = issues.get(issue)
        if (issueId === undefined) {
          skip(item, `there is no issue '${issue}'`)
          return []
        }
        const createdById = accounts.get(createdBy)!
        return [{ ...values, workspaceId, id: item.id, issueId, createdById, createdAt: new Date(createdAt) }]
      })
      const db: Trx = trx
      for (const row of rows) await insertIssueRecord(db, table, row)
    }
  })

/** In the order of an export and an import. */
export const allKinds = (ctx: Ctx): RecordKind[] =>
  sortKinds([accountRecords(ctx.use.access.scopes(), ctx.emit), ...contributedKinds(ctx)])

export const contributedKinds = ({ contributions }: Pick<Ctx, 'contributions'>): RecordKind[] => [
  ...contributions(recordKinds).map(({ item }) => item),
  ...contributions(issueRecords).map(({ item }) => issueRecordKind(item))
]
