import { Type, type Static } from 'typebox'
import { Closed, IdText, Nullable, Time } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

// Numbers are text: an invalid one counts as absent and never fails.
const common = {
  workspaceId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Default: the workspace of the token; it must be that one.' })
  ),
  limit: Type.Optional(Type.String({ description: 'Most hits: default 10, at most 100.' })),
  threshold: Type.Optional(
    Type.String({ description: 'Greatest cosine distance of hits that only their meaning brings: default 0.8.' })
  ),
  stateCategory: Type.Optional(
    Type.String({ maxLength: 200, description: 'Categories, separated by commas: `STARTED,COMPLETED`.' })
  )
}
export const SearchQuery = Closed({
  query: Type.String({
    description:
      'Free text. `"A quoted phrase"` must occur; the last word may be unfinished; ' +
      'an issue’s key or UUID puts that issue first.'
  }),
  ...common
})
export const SimilarQuery = Closed({
  issueId: Type.String({ minLength: 1, maxLength: 64, description: 'An issue’s UUID or key.' }),
  ...common
})

export const Hit = Closed({
  id: IdText,
  key: Type.String(),
  title: Type.String(),
  descriptionMarkdown: Type.String(),
  stateId: IdText,
  stateCategory: Type.Enum([...STATE_CATEGORIES]),
  teamId: IdText,
  number: Type.Integer(),
  workspaceId: IdText,
  assigneeId: Nullable(IdText),
  priority: Type.Integer(),
  labelIds: Type.Array(IdText),
  updatedAt: Time,
  score: Type.Number({
    description: 'How likely it is the one asked for, if it was found at all; comparable within one answer only.'
  }),
  distance: Nullable(Type.Number(), { description: 'Cosine distance; null where only words matched.' }),
  matchedIn: Type.Enum(['title', 'description', 'comment']),
  commentId: Nullable(IdText, { description: 'Of the comment that matched.' }),
  resolutionSnippet: Nullable(Type.String(), {
    description: 'The beginning of the comment that explains the resolution; null unless COMPLETED.'
  })
})
export type SearchHit = Static<typeof Hit>
