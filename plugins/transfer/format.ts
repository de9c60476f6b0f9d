import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { Closed, Day, Line, Nullable } from '../../core/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

/** The records of an export: one JSON object a line. docs/import-format.md describes them. */

const externalId = Type.String({ minLength: 1, maxLength: 200 })
const person = Type.String({ minLength: 1, maxLength: 200 })
const when = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' }))

export const Team = Closed({
  kind: Type.Literal('team'),
  identifier: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,9}$' }),
  name: Line(200),
  states: Type.Array(Closed({ name: Line(100), category: Type.Enum([...STATE_CATEGORIES]) }), { minItems: 1, maxItems: 200 })
})
export const Comment = Closed({ author: Type.Optional(person), createdAt: when, bodyMarkdown: Type.String({ minLength: 1 }), replies: Type.Optional(Type.Array(Closed({ author: Type.Optional(person), createdAt: when, bodyMarkdown: Type.String({ minLength: 1 }) }))) })
export const Issue = Closed({
  kind: Type.Literal('issue'),
  externalId,
  team: Type.String({ maxLength: 20 }),
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
  title: Line(1000),
  descriptionMarkdown: Type.Optional(Type.String()),
  state: Type.String({ maxLength: 100 }),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
  estimate: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1e9 }))),
  dueDate: Type.Optional(Nullable(Day)),
  labels: Type.Optional(Type.Array(Line(100), { maxItems: 100 })),
  assignee: Type.Optional(Nullable(person)),
  author: Type.Optional(person),
  createdAt: when,
  updatedAt: when,
  completedAt: when,
  comments: Type.Optional(Type.Array(Comment)),
  links: Type.Optional(Type.Array(Closed({ url: Type.String({ pattern: '^https?://', maxLength: 2048 }), title: Line(500) })))
})
export const Relation = Closed({ kind: Type.Literal('relation'), issue: externalId, type: Type.Enum(['BLOCKS', 'RELATED', 'DUPLICATE_OF', 'SIMILAR', 'PARENT']), relatedIssue: externalId })

export type TeamRecord = Static<typeof Team>
export type IssueRecord = Static<typeof Issue>
export type RelationRecord = Static<typeof Relation>
export type Entry = TeamRecord | IssueRecord | RelationRecord

const SCHEMAS = { team: Team, issue: Issue, relation: Relation }

/** Reads a line. @throws Error that says what is wrong with it */
export function readEntry (line: string): Entry {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is no JSON')
  }
  const kind = (value as { kind?: unknown } | null)?.kind
  const schema = SCHEMAS[kind as keyof typeof SCHEMAS]
  if (!schema) throw new Error(`its kind is none of ${Object.keys(SCHEMAS).join(', ')}`)
  const [problem] = Value.Errors(schema, value)
  if (problem) throw new Error(`${problem.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${problem.message}`)
  return value as Entry
}
