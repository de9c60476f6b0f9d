import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed } from '../../core/api/schemas.ts'
import { EMOJI, type Emoji } from './emoji.ts'

export interface ReactionsTables {
  /** An account reacts to a comment with an emoji, once with each. */
  reaction: { workspaceId: Id; commentId: Id; emoji: Emoji; accountId: Id; createdAt: Timestamp }
}
export const reactions = contract<object, ReactionsTables>()('reactions')

const data = Closed({ emoji: Type.Enum([...EMOJI]) })
export const reactionAdded = eventType(reactions, 'reaction.added', {
  subject: 'comment',
  summary: 'An account reacted to a comment with an emoji.',
  data
})
export const reactionRemoved = eventType(reactions, 'reaction.removed', {
  subject: 'comment',
  summary: 'An account took its reaction to a comment back.',
  data
})
