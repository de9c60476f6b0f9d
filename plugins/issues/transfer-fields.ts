import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { RawRichText } from '../../core/rich-text-field.ts'
import { Closed, Day, Line, Nullable } from '../../core/schemas.ts'
import { ExternalId, Person, When } from '../transfer/contract.ts'

/** An issue as a line of the import format has it, without the fields of other plugins. */
export const fields = {
  externalId: ExternalId,
  team: Type.String({ maxLength: 20, description: 'Its identifier.' }),
  number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000_000,
      description: 'In its key; taken if it is free in the team, otherwise it gets the next.'
    })
  ),
  formerKeys: Type.Optional(
    Type.Array(Type.String({ pattern: '^[^\\s/?#]{1,200}$' }), {
      maxItems: 100,
      description: 'Keys that led to it before it was moved, or in another tracker; a key in use wins over them.'
    })
  ),
  title: Line(1000),
  descriptionMarkdown: Type.Optional(Type.String({ description: 'Acceptance criteria are its task list.' })),
  description: Type.Optional(RawRichText),
  state: Type.String({ maxLength: 100, description: 'Its name.' }),
  priority: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 4, description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.' })
  ),
  estimate: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  dueDate: Type.Optional(Day),
  labels: Type.Optional(Type.Array(Line(100), { maxItems: 100, description: 'Their names.' })),
  links: Type.Optional(
    Type.Array(
      Closed({
        url: Type.String({ pattern: '^https?://', maxLength: 2048 }),
        title: Line(500),
        createdAt: Type.Optional(When)
      })
    )
  ),
  assignee: Type.Optional(Person),
  assignedAt: Type.Optional(Type.String({ ...When, description: 'Since when the assignee has it.' })),
  author: Type.Optional(Person),
  updatedBy: Type.Optional(Person),
  createdAt: Type.Optional(When),
  updatedAt: Type.Optional(When),
  completedAt: Type.Optional(When),
  rev: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
  sortOrder: Type.Optional(Type.Number()),
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
export type ImportedFields = Static<TObject<typeof fields>>
