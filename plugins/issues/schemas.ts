import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { Markdown, RawRichText } from '../../core/api/text.ts'
import { Closed, IdText, Line, Nullable, Time } from '../../core/api/schemas.ts'
import { contextOf } from './context-schemas.ts'
import { MAX_URL_LENGTH, type ContextSection, type RowSection } from './contract.ts'
import { criteriaTicks } from './criteria/criteria.ts'
import { Basis, Category, extraParts, Override, Protect, Takeover } from './extra-parts.ts'
import type { DraftSource } from './fields/draft-source.ts'
import type { Field, View as FieldView } from './fields/field.ts'
import { issueRef, MAX_ITEMS, teamRef } from './fields/fields.ts'
import { RelationTo, RemovedRelation } from './fields/relation.ts'
import { isNamed, sectionsIn } from './queries/read/json.ts'
import { filterOf, NAMED, type FilterParts } from './queries/filter/schema.ts'
import type { ChangeParts } from './write/participants.ts'

const url = Type.String({ format: 'uri', pattern: '^https?://', maxLength: MAX_URL_LENGTH })

export const NewLink = Closed({ url, title: Line(500) })

const parts = {
  description: Type.Optional(RawRichText),
  descriptionMarkdown: Type.Optional(Nullable(Markdown))
}
const draftParts = {
  ...parts,
  acceptanceCriteria: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 10_000 }), {
      maxItems: MAX_ITEMS,
      description:
        'Added to the description as a checklist under its heading "Acceptance criteria", each once; the marker of a ' +
        'list or a box before one (`- [ ] …`) is taken as such.'
    })
  ),
  issueRelation: Type.Optional(RelationTo),
  relations: Type.Optional(Type.Array(RelationTo, { maxItems: 100 })),
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

export type FieldValues = Readonly<Record<string, unknown>>
export type Draft = Static<ReturnType<typeof Closed<typeof draftParts>>> & {
  title: string
  requireCriteria?: boolean
  subIssues?: Draft[]
} & FieldValues
const MAX_NESTING = 5

const moveParts = { teamId: teamRef, override: Override, takeover: Takeover }
export type Move = Static<ReturnType<typeof Closed<typeof moveParts>>>
const changeParts = (takesEvidence: boolean) => ({
  ...parts,
  addBlockedByIds: Type.Optional(Type.Array(issueRef, { maxItems: 100, description: 'Issues that block it, too.' })),
  removeBlockedByIds: Type.Optional(
    Type.Array(issueRef, { maxItems: 100, description: 'Issues that block it no longer; each must be one that does.' })
  ),
  addRelations: Type.Optional(Type.Array(RelationTo, { maxItems: 100 })),
  removeRelations: Type.Optional(Type.Array(RemovedRelation, { maxItems: 100 })),
  criteria: Type.Optional(criteriaTicks(takesEvidence)),
  override: Override,
  takeover: Takeover,
  rev: Basis,
  protect: Protect
})
export type Patch = Static<ReturnType<typeof Closed<ReturnType<typeof changeParts>>>> & FieldValues

const fixed = { id: IdText, key: Type.String(), stateCategory: Category }
const full = {
  ...fixed,
  description: Nullable(Type.Object({}, { additionalProperties: true }), { description: 'ProseMirror JSON.' }),
  descriptionMarkdown: Type.String(),
  rev: Type.Integer({ description: '1, then one more with every change.' })
}
const boardParts = {
  rev: full.rev,
  assignedAt: Time,
  criteria: Closed({ met: Type.Integer(), total: Type.Integer() }),
  isBlocked: Type.Literal(true)
}
const optional = (properties: TProperties): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))
export const View = Closed({
  view: Type.Optional(
    Type.Enum(['list', 'full', 'named'], {
      default: 'full',
      description: `\`list\`: a row of the board, without its description; ${NAMED}`
    })
  )
})
export const WriteView = { view: Type.Optional(Type.Enum(['full', 'named'], { default: 'full', description: NAMED })) }
export const PickUp = Closed({
  takeover: Type.Optional(Type.Boolean({ default: false, description: 'Take it although somebody else has it.' }))
})

const NameOrId = Type.String({ minLength: 1, maxLength: 200, description: 'Its name or UUID.' })
const NamesOrIds = Type.Array(NameOrId, { maxItems: MAX_ITEMS, description: 'Their names or UUIDs.' })

function inputsOf(field: Field): TProperties {
  const { key, property, input } = field
  if (input === undefined) return {}
  const isRequired = field.kind === 'value' && field.isRequired
  const byId = { [property]: isRequired ? input : Type.Optional(input) }
  if (field.kind === 'value') return byId
  const name: TSchema = field.kind === 'links' ? NamesOrIds : field.isNullable ? Nullable(NameOrId) : NameOrId
  return { ...byId, [key]: Type.Optional(name) }
}
function changesOf(field: Field): TProperties {
  if (field.input === undefined || field.settable === 'create') return {}
  const inputs = inputsOf(field)
  for (const { property, key } of field.kind === 'links' ? [field.add, field.remove] : []) {
    Object.assign(inputs, { [property]: field.input, [key]: NamesOrIds })
  }
  return optional(inputs)
}
const merged = (fields: readonly Field[], of: (field: Field) => TProperties): TProperties =>
  Object.assign({}, ...fields.map(of))
const propertiesIn = (fields: readonly Field[], view: FieldView): TProperties =>
  Object.fromEntries(fields.filter(({ views }) => views.includes(view)).map(({ property, shown }) => [property, shown]))

const namedOf = (fields: readonly Field[]): TProperties =>
  Object.fromEntries(
    fields.filter(isNamed).map(field => {
      const isPlain = field.kind === 'value' && field.words === undefined
      const shown = isPlain ? field.shown : field.kind === 'links' ? Type.Array(Type.String()) : Type.String()
      return [field.key, isPlain && !field.isNullable ? shown : Type.Optional(shown)]
    })
  )

function newIssueOf(fields: readonly Field[], source: DraftSource | undefined) {
  const draft = merged(fields, inputsOf)
  const { parentId: _, parent: __, ...draftOfPart } = draft
  const fromSource: TProperties = source
    ? { title: Type.Optional(draft['title']!), [source.name]: Type.Optional(source.schema) }
    : {}
  const subIssues = (depth: number): TSchema =>
    Type.Optional(
      Type.Array(
        Closed({ ...draftParts, ...draftOfPart, ...(depth < MAX_NESTING && { subIssues: subIssues(depth + 1) }) }),
        { maxItems: 100 }
      )
    )
  return Closed({ ...draftParts, ...draft, ...fromSource, requireCriteria, subIssues: subIssues(2) })
}

export function issueSchemas(
  fields: readonly Field[],
  rowSections: readonly RowSection[],
  sections: readonly ContextSection[],
  { takesEvidence, keepsHolders }: ChangeParts,
  filterParts: FilterParts,
  source: DraftSource | undefined
) {
  const body = <T extends TProperties>(properties: T) =>
    Closed(keepsHolders ? properties : without(properties, 'takeover'))
  const answered = keepsHolders ? extraParts : without(extraParts, 'holder')
  const added = (view: 'list' | 'board'): TProperties =>
    Object.fromEntries(sectionsIn(rowSections, view).map(({ name, schema }) => [name, schema]))
  const Issue = Closed({ ...full, ...propertiesIn(fields, 'full') })
  const IssueRow = Closed({ ...fixed, ...propertiesIn(fields, 'list'), ...optional(added('list')) })
  const BoardRow = Closed({
    ...fixed,
    ...optional({ ...propertiesIn(fields, 'list'), ...propertiesIn(fields, 'board'), ...boardParts, ...added('board') })
  })
  const { id: _, ...named } = fixed
  const relations = Type.Optional(Type.Array(Type.String(), { description: 'As `BLOCKED ENG-2`; at most 10.' }))
  const NamedRow = Closed({ ...named, ...namedOf(fields), relations, ...answered, rev: Type.Optional(full.rev) })
  const Written = Type.Union([
    Closed(
      { ...Issue.properties, description: Type.Optional(full.description), ...answered },
      { description: '`description` stands in it only with `Prefer: return=representation`.' }
    ),
    NamedRow
  ])
  const NewIssue = newIssueOf(fields, source)
  return {
    Issue,
    Written,
    IssueRow,
    NamedRow,
    NewIssue,
    NewIssues: Closed({ issues: Type.Array(NewIssue, { minItems: 1, maxItems: 100 }) }),
    Criteria: criteriaTicks(takesEvidence),
    Changes: body({ ...changeParts(takesEvidence), ...merged(fields, changesOf) }),
    Move: body(moveParts),
    BulkChanges: body({
      issues: Type.Array(Closed({ issueId: issueRef, rev: Basis, ...merged(fields, changesOf) }), {
        minItems: 1,
        maxItems: 100
      }),
      takeover: Takeover
    }),
    Context: contextOf(sections),
    Filter: filterOf(filterParts),
    Filtered: Type.Union([pageOf([IssueRow, BoardRow, Issue, NamedRow]), Type.Array(Issue)])
  }
}

const pageOf = (rows: readonly TSchema[]) =>
  Closed({
    issues: Type.Union(rows.map(row => Type.Array(row))),
    page: Type.Integer(),
    perPage: Type.Integer(),
    total: Type.Optional(Type.Integer({ description: 'Always there but with `total: "none"`.' })),
    totalIsExact: Type.Optional(Type.Literal(false, { description: 'More issues match than `total`.' })),
    nextCursor: Nullable(Type.String())
  })

const without = (properties: TProperties, name: string): TProperties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name))
