import { contract, type Id, type Timestamp } from 'tracker/api'

export interface VotesTables {
  /** An account's vote for an issue. */
  votesVote: { workspaceId: Id; issueId: Id; accountId: Id; createdAt: Timestamp }
}
export const votes = contract<object, VotesTables>()('votes')
