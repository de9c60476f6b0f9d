import { contract, job, problem } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType, NoData } from '../../core/api/events.ts'

export interface GitTables {
  gitHook: {
    workspaceId: Id
    id: Id
    repository: string
    /** In plain text, because signatures are verified with it. */
    secret: string
    /** The account that acts for authors without a mapping. */
    accountId: Id
    createdAt: Timestamp
    deletedAt: Moment
  }
  /** Handled deliveries: each is handled once, and so is each body, whatever its delivery id. */
  gitDelivery: { workspaceId: Id; hookId: Id; deliveryId: string; signature: string; at: Timestamp }
}
export const git = contract<object, GitTables>()('git')

const audience = 'admin' as const
export const gitHookCreated = eventType(git, 'git_hook.created', {
  summary: 'A hook for a repository was made.',
  audience,
  logged: [],
  data: NoData
})
export const gitHookUpdated = eventType(git, 'git_hook.updated', {
  summary: 'A hook for a repository got a new secret, which is not in the event.',
  audience,
  logged: [],
  data: ChangesData
})
export const gitHookDeleted = eventType(git, 'git_hook.deleted', {
  summary: 'A hook for a repository was removed.',
  audience,
  logged: [],
  data: NoData
})
export const gitEvents = [gitHookCreated, gitHookUpdated, gitHookDeleted]

export const forgetDeliveries = job<Record<string, never>>()(git, 'forget')

/** For an unknown hook, too, so that it does not reveal which ids exist. */
export const badSignature = problem(401, 'BAD_SIGNATURE')
