import { Type, type Static, type TProperties } from 'typebox'
import { Markdown, RawRichText } from '../../core/rich-text-field.ts'
import { Closed, Day, IdText, Line, Nullable, Ref, Time } from '../../core/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import type { IssueReference, RowSection } from './contract.ts'
import { ORDERS } from './queries/list.ts'

export const issueRef = Ref('An issue’s UUID or key (`ENG-12`, any case).')
const teamRef = Ref('A team’s UUID or identifier.')
const Category = Type.Enum([...STATE_CATEGORIES])
const title = Line(1000)
const priority = Type.Integer({ minimum: 0, maximum: 4, description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.' })
const estimate = Nullable(Type.Number({ minimum: 0, maximum: 1e9 }))
const labelIds = Type.Array(IdText, { maxItems: 100 })
const url = Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2048 })

export const RELATION_TYPES = ['BLOCKS', 'BLOCKED', 'RELATED', 'DUPLICATE', 'DUPLICATE_OF', 'SIMILAR'] as const
const RelationKind = Type.Enum([...RELATION_TYPES])
export const NewLink = Closed({ url, title: Line(500) })
export const Link = Closed({ id: IdText, url: Type.String(), title: Type.String() })
export const NewRelation = Closed({ issueId: issueRef, relatedIssueId: issueRef, type: RelationKind })
export const Relation = Closed({ id: IdText, issueId: IdText, relatedIssueId: IdText, type: RelationKind })

const draftFields = {
  title,
  stateId: Type.Optional(IdText),
  description: Type.Optional(RawRichText),
  descriptionMarkdown: Type.Optional(Nullable(Markdown)),
  acceptanceCriteria: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 10_000 }), {
      maxItems: 100,
      description:
        'Added to the description as a checklist under its heading "Acceptance criteria", each once; the marker of a ' +
        'list or a box before one (`- [ ] …`) is taken as such.'
    })
  ),
  priority: Type.Optional(priority),
  estimate: Type.Optional(estimate),
  dueDate: Type.Optional(Nullable(Day)),
  sortOrder: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
  labelIds: Type.Optional(labelIds),
  assigneeId: Type.Optional(Nullable(IdText)),
  issueRelation: Type.Optional(Closed({ type: RelationKind, relatedIssueId: issueRef })),
  blockedByIds: Type.Optional(Type.Array(issueRef, { maxItems: 100, description: 'Issues that block it.' })),
  links: Type.Optional(Type.Array(NewLink, { maxItems: 100 }))
}
const requireCriteria = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Refuse the issue without a real description beside its title, headings and criteria, and, unless it has a ' +
      'parent, without acceptance criteria. Sub-issues in the request need a description.'
  })
)
const draft = { teamId: teamRef, parentId: Type.Optional(Nullable(issueRef)), ...draftFields }

/** A new issue, as it may nest: `subIssues` are of the same shape. */
export type Draft = Static<ReturnType<typeof Closed<typeof draftFields>>> & {
  teamId?: string
  parentId?: string | null
  requireCriteria?: boolean
  subIssues?: Draft[]
  [field: string]: unknown
}
export const MOST_NESTED = 5

export const Criteria = Closed({
  met: Type.Optional(
    Type.Array(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 10_000 })]), {
      maxItems: 500,
      description: 'Numbers or texts of checklist items to tick.'
    })
  ),
  unmet: Type.Optional(
    Type.Array(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 10_000 })]), {
      maxItems: 500
    })
  )
})

const changes = {
  title: Type.Optional(title),
  stateId: draftFields.stateId,
  description: draftFields.description,
  descriptionMarkdown: draftFields.descriptionMarkdown,
  priority: draftFields.priority,
  estimate: draftFields.estimate,
  dueDate: draftFields.dueDate,
  sortOrder: draftFields.sortOrder,
  labelIds: Type.Optional(labelIds),
  addLabelIds: Type.Optional(labelIds),
  removeLabelIds: Type.Optional(labelIds),
  assigneeId: draftFields.assigneeId,
  parentId: draft.parentId,
  addBlockedByIds: Type.Optional(Type.Array(issueRef, { maxItems: 100, description: 'Issues that block it, too.' })),
  removeBlockedByIds: Type.Optional(
    Type.Array(issueRef, { maxItems: 100, description: 'Issues that block it no longer; each must be one that does.' })
  ),
  criteria: Type.Optional(Criteria)
}
/** Changes to an issue. The fields of `IssueReference`s come on top. */
export type Patch = Partial<Static<ReturnType<typeof Closed<typeof changes>>>> & { [field: string]: unknown }

const issueFields = {
  id: IdText,
  number: Type.Integer(),
  key: Type.String(),
  title: Type.String(),
  description: Nullable(Type.Object({}, { additionalProperties: true }), { description: 'ProseMirror JSON.' }),
  descriptionMarkdown: Type.String(),
  priority,
  estimate: Nullable(Type.Number()),
  dueDate: Nullable(Day),
  sortOrder: Type.Number(),
  teamId: IdText,
  stateId: IdText,
  stateCategory: Category,
  assigneeId: Nullable(IdText),
  parentId: Nullable(IdText),
  labelIds: Type.Array(IdText),
  createdById: IdText,
  updatedById: IdText,
  createdAt: Time,
  updatedAt: Time,
  completedAt: Nullable(Time),
  rev: Type.Integer({ description: '1, then one more with every change.' })
}

export const View = Closed({
  view: Type.Optional(
    Type.Enum(['list', 'full'], {
      default: 'full',
      description: '`list`: a row of the board, without its description.'
    })
  )
})
export const PickUp = Closed({
  takeover: Type.Optional(Type.Boolean({ default: false, description: 'Take it although somebody else has it.' }))
})
export const Move = Closed({ teamId: teamRef })

const List = (view: TProperties) => Type.Array(Closed(view))

/** The schemas that the plugins' references are part of. */
export function issueSchemas(references: readonly IssueReference[], sections: readonly RowSection[]) {
  const refs = <T extends 'optional' | 'shown'>(how: T): TProperties =>
    Object.fromEntries(
      references.map(r => [r.field, how === 'optional' ? Type.Optional(Nullable(IdText)) : Nullable(IdText)])
    )
  const Issue = Closed({ ...issueFields, ...refs('shown') })
  const Written = Closed(
    { ...issueFields, description: Type.Optional(issueFields.description), ...refs('shown') },
    { description: '`description` stands in it only with `Prefer: return=representation`.' }
  )
  const nested = (depth: number): TProperties => ({
    ...draftFields,
    ...refs('optional'),
    teamId: Type.Optional(teamRef),
    ...(depth > 1 && { subIssues: Type.Optional(Type.Array(Closed(nested(depth - 1)), { maxItems: 100 })) })
  })
  const NewIssue = Closed({
    ...draft,
    requireCriteria,
    ...refs('optional'),
    subIssues: Type.Optional(Type.Array(Closed(nested(MOST_NESTED - 1)), { maxItems: 100 }))
  })
  const IssueRow = {
    id: IdText,
    key: Type.String(),
    title: Type.String(),
    stateId: IdText,
    stateCategory: Category,
    assigneeId: Nullable(IdText),
    priority,
    labelIds: Type.Array(IdText),
    ...refs('shown'),
    ...Object.fromEntries(sections.map(({ name, schema }) => [name, schema])),
    updatedAt: Time
  }
  return {
    Issue,
    Written,
    IssueRow: Closed(IssueRow),
    NewIssue,
    NewIssues: Closed({ issues: Type.Array(NewIssue, { minItems: 1, maxItems: 100 }) }),
    Changes: Closed({ ...changes, ...refs('optional') }),
    Filter: Closed({
      filters: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'Filters by key, ANDed: `{state: {filterType: "IS", value: [id]}}`. An unknown key or type is refused with the list of those that there are.'
          }
        )
      ),
      workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      orderBy: Type.Optional(
        Type.Enum([...ORDERS], {
          description:
            'Always descending. `priority` goes by its number, `urgency` by what it means: urgent first, none last.'
        })
      ),
      view: Type.Optional(Type.Enum(['list', 'full'])),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description:
            'The `nextCursor` of the page before, with the same filters and order: the listing goes on in the order ' +
            'that it had when it began. Issues made since are not in it.'
        })
      )
    }),
    Filtered: Type.Union([
      Closed({
        issues: Type.Union([List(IssueRow), Type.Array(Issue)]),
        page: Type.Integer(),
        perPage: Type.Integer(),
        total: Type.Integer(),
        nextCursor: Nullable(Type.String())
      }),
      Type.Array(Issue)
    ])
  }
}

const NamedIssue = Closed({ id: IdText, key: Type.String(), title: Type.String() })
const OtherIssue = Closed({ ...NamedIssue.properties, stateCategory: Category })
const NamedThing = Closed({ id: IdText, name: Type.String() })
/** Open: the plugins that are on add their sections. */
export const Context = Type.Object(
  {
    id: IdText,
    key: Type.String(),
    title: Type.String(),
    descriptionMarkdown: Type.String(),
    state: Closed({ id: IdText, name: Type.String(), category: Category }),
    assignee: Nullable(Closed({ id: IdText, fullname: Type.String() })),
    team: Closed({ id: IdText, identifier: Type.String(), name: Type.String() }),
    labels: Type.Array(NamedThing),
    priority,
    estimate: Nullable(Type.Number()),
    dueDate: Nullable(Day),
    parent: Nullable(NamedIssue),
    subIssues: Type.Array(OtherIssue),
    relations: Type.Array(Closed({ id: IdText, type: RelationKind, issue: OtherIssue })),
    linkedIssues: Type.Array(Link),
    history: Type.Array(
      Closed({
        at: Time,
        actor: Type.String(),
        change: Type.String(),
        from: Nullable(Type.String()),
        to: Nullable(Type.String())
      })
    ),
    definitionOfDone: Closed({ met: Type.Integer(), total: Type.Integer() }),
    omitted: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), { description: 'How many items of a list are not in it.' })
    ),
    rev: Type.Integer(),
    createdAt: Time,
    updatedAt: Time
  },
  { additionalProperties: true }
)
