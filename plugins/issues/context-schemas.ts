import { Type } from 'typebox'
import { Closed, IdText, Nullable, Time } from '../../core/api/schemas.ts'
import { LINK_KINDS, LINK_STATES, type ContextSection } from './contract.ts'
import { Category, extraParts } from './extra-parts.ts'
import { RelationKind } from './fields/relation.ts'

export const Link = Closed({
  id: IdText,
  url: Type.String(),
  title: Type.String(),
  kind: Type.Optional(Type.Enum(LINK_KINDS, { description: 'Of links that a repository made.' })),
  state: Type.Optional(Type.Enum(LINK_STATES, { description: 'Where that is now.' }))
})

const Version = Type.String({ description: 'Of all that it shows; for `since`.' })
export const UnchangedContext = Closed({ unchanged: Type.Literal(true), version: Version })
export const ContextChanges = Type.Object(
  {
    delta: Type.Literal(true),
    version: Version,
    ticks: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Lines of the description, as they are now, where nothing but their boxes has changed in it.'
      })
    ),
    removed: Type.Optional(Type.Array(Type.String(), { description: 'Ids of comments that are no longer there.' }))
  },
  {
    additionalProperties: true,
    description:
      'Each field of the context that has changed, as it is now; null: it is no longer there. Of `comments` and ' +
      '`history` the new and changed entries: of one that was changed its id, author, time and what has changed, of ' +
      'one that was removed `removed: true`.'
  }
)

export const contextOf = (sections: readonly ContextSection[]) =>
  Type.Object(
    {
      ...contextParts,
      ...Object.fromEntries(sections.flatMap(({ name, schema }) => (schema ? [[name, Type.Optional(schema)]] : [])))
    },
    { additionalProperties: true }
  )

const NamedIssue = Closed({ id: IdText, key: Type.String(), title: Type.String() })
const OtherIssue = Closed({ ...NamedIssue.properties, stateCategory: Category })
const NamedThing = Closed({ id: IdText, name: Type.String() })
export const HistoryEntry = Closed({
  at: Time,
  actor: Type.String(),
  change: Type.String(),
  from: Nullable(Type.String()),
  to: Nullable(Type.String())
})

const contextParts = {
  id: IdText,
  key: Type.String(),
  title: Type.String(),
  descriptionMarkdown: Type.String(),
  state: Closed({ id: IdText, name: Type.String(), category: Category }),
  assignee: Nullable(Closed({ id: IdText, fullname: Type.String() })),
  team: Closed({ id: IdText, identifier: Type.String(), name: Type.String() }),
  labels: Type.Array(NamedThing),
  priority: Type.Integer(),
  estimate: Nullable(Type.Number()),
  dueDate: Nullable(Type.String()),
  parent: Nullable(NamedIssue),
  subIssues: Type.Array(OtherIssue),
  relations: Type.Array(Closed({ id: IdText, type: RelationKind, issue: OtherIssue })),
  linkedIssues: Type.Array(Link),
  history: Type.Array(HistoryEntry),
  definitionOfDone: Closed({
    met: Type.Integer(),
    total: Type.Integer(),
    items: Type.Optional(
      Type.Array(
        Closed({
          n: Type.Integer(),
          text: Type.String(),
          met: Type.Boolean(),
          by: Type.Optional(Type.String()),
          at: Time,
          evidence: Type.String()
        }),
        { description: 'The criteria that have evidence.' }
      )
    )
  }),
  similar: extraParts.similar,
  omitted: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), { description: 'How many items of a list are not in it.' })
  ),
  rev: Type.Integer(),
  version: Version,
  createdAt: Time,
  updatedAt: Time
}
