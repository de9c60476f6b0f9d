import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { RawRichText } from '../../../core/api/text.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { Closed, Line, Nullable } from '../../../core/api/schemas.ts'
import { ExternalId, Person, TeamName, When, type Batch } from '../../transfer/contract.ts'
import type { Ctx } from '../context.ts'
import type { Field, LinksField, ReferenceField, ValueField } from '../fields/field.ts'
import { ownFields, transferred } from '../fields/fields.ts'
import { LINK_KINDS, LINK_STATES, MAX_URL_LENGTH } from '../contract.ts'
import type { FieldValues } from '../schemas.ts'

export const issueNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000, description }))

const parts = {
  externalId: ExternalId,
  team: TeamName,
  number: issueNumber('In its key; taken if it is free in the team, otherwise it gets the next.'),
  formerKeys: Type.Optional(
    Type.Array(Type.String({ pattern: '^\\S{1,200}$' }), {
      maxItems: 100,
      description: 'Keys that led to it before it was moved, or in another tracker; a key in use wins over them.'
    })
  ),
  descriptionMarkdown: Type.Optional(Type.String({ description: 'Acceptance criteria are its task list.' })),
  description: Type.Optional(RawRichText),
  links: Type.Optional(
    Type.Array(
      Closed({
        url: Type.String({ pattern: '^https?://', maxLength: MAX_URL_LENGTH }),
        title: Line(500),
        kind: Type.Optional(Type.Enum(LINK_KINDS, { description: 'Of links that a repository made.' })),
        state: Type.Optional(Type.Enum(LINK_STATES, { description: 'Where that is.' })),
        stateAt: Type.Optional(Type.String({ ...When, description: 'Of when the state is.' })),
        createdAt: Type.Optional(When)
      })
    )
  ),
  assignedAt: Type.Optional(Type.String({ ...When, description: 'Since when the assignee has it.' })),
  author: Type.Optional(Person),
  updatedBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When),
  completedAt: Type.Optional(When),
  rev: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
  history: Type.Optional(
    Type.Array(
      Closed({
        at: When,
        actor: Person,
        change: Line(100, { description: 'What changed: `state`, `assignee`, …' }),
        from: Nullable(Type.String()),
        to: Nullable(Type.String())
      })
    )
  )
} satisfies TProperties
type Parts = Static<TObject<typeof parts & typeof transferred>>
export type ImportedIssue = Parts & FieldValues

export const importedFields = (fields: readonly Field[]) => ({
  ...parts,
  ...transferred,
  ...Object.fromEntries(fields.flatMap(({ key, transfer }) => (transfer ? [[key, transfer]] : [])))
})

const isOwn = (field: Field): boolean => Object.values<Field>(ownFields).includes(field)
/** References to records of other kinds in the file. */
export const importedReferences = (fields: readonly Field[]): ReferenceField[] =>
  fields.filter(field => field.kind === 'reference').filter(field => field.transfer && !isOwn(field))
export const importedValues = (fields: readonly Field[]): ValueField[] =>
  fields.filter(field => field.kind === 'value').filter(field => field.transfer)

export const linkColumns = (link: NonNullable<ImportedIssue['links']>[number], otherwiseAt: Date) => ({
  url: link.url,
  title: link.title,
  kind: link.kind ?? null,
  state: link.state ?? null,
  stateAt: link.stateAt === undefined ? null : new Date(link.stateAt),
  createdAt: new Date(link.createdAt ?? otherwiseAt)
})

export const historyColumns = (
  { at, actor, change, from, to }: NonNullable<ImportedIssue['history']>[number],
  accountId: (name: string) => Id
) => ({ at: new Date(at), actorId: accountId(actor), change, fromName: from, toName: to })

export const nameIn = (record: ImportedIssue, { key }: Field) => record[key] as string | undefined
export const namesIn = (record: ImportedIssue, { key }: Field) => (record[key] as string[] | undefined) ?? []

export async function findListed(
  ctx: Ctx,
  fields: readonly Field[],
  { caller, trx, now, items, find }: Pick<Batch<ImportedIssue>, 'caller' | 'trx' | 'now' | 'items' | 'find'>
): Promise<Array<{ field: LinksField; ids: ReadonlyMap<string, Id> }>> {
  const lists = []
  for (const field of fields) {
    if (field.kind !== 'links' || !field.transfer) continue
    const names = items.flatMap(({ record }) => namesIn(record, field))
    const isOfLabels = field === ownFields.labels
    // Missing labels are created.
    const ids = await (isOfLabels
      ? ctx.use.workspace.labelsNamed(caller, trx, names, now)
      : find(field.source.table, names))
    lists.push({ field, ids })
  }
  return lists
}
