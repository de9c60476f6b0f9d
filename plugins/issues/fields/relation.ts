import { Type } from 'typebox'
import { Closed, IdText } from '../../../core/api/schemas.ts'
import type { RelationType } from '../tables.ts'
import { issueRef } from './fields.ts'

/* Relations in words: `BLOCKED ENG-2` is a relation as one of its issues sees it, `BLOCKED` any of that type. */

export const RELATION_TYPES = [
  'BLOCKS',
  'BLOCKED',
  'RELATED',
  'DUPLICATE',
  'DUPLICATE_OF',
  'SIMILAR'
] as const satisfies readonly RelationType[]

export const RelationKind = Type.Enum([...RELATION_TYPES])
export const NewRelation = Closed({ issueId: issueRef, relatedIssueId: issueRef, type: RelationKind })
export const Relation = Closed({ id: IdText, issueId: IdText, relatedIssueId: IdText, type: RelationKind })
export const RelationTo = Closed({ type: RelationKind, relatedIssueId: issueRef })
export const RemovedRelation = Closed(
  { type: Type.Optional(RelationKind), relatedIssueId: issueRef },
  { description: 'A relation that it has; without `type` all to that issue.' }
)

const SYNONYMS: ReadonlyMap<string, RelationType> = new Map([
  ['BLOCKED_BY', 'BLOCKED'],
  ['RELATED_TO', 'RELATED'],
  ['RELATES_TO', 'RELATED'],
  ['SIMILAR_TO', 'SIMILAR']
])

interface RelationName {
  type: RelationType
  /** The key or id of the other issue. */
  issue: string | undefined
}

/** The relation that a text names, in any case; undefined when it names none. */
export function parseRelation(text: string): RelationName | undefined {
  const words = text.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const issue = words.length > 1 && /\d/.test(last) ? last : undefined
  const name = (issue === undefined ? words : words.slice(0, -1)).join('_').toUpperCase().replaceAll('-', '_')
  const type = SYNONYMS.get(name) ?? RELATION_TYPES.find(type => type === name)
  return type && { type, issue }
}
