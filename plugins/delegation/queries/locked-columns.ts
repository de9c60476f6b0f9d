/** The columns that are read with a run's lock, by name: a prepared `select *` fails once there are more columns. */
export const LOCKED_COLUMNS = [
  'workspaceId',
  'id',
  'issueId',
  'agentId',
  'requestedById',
  'instructions',
  'status',
  'attempt',
  'startedAt',
  'finishedAt',
  'resumedAt',
  'attemptsBefore',
  'pickedUpAt',
  'leaseId',
  'tokenId',
  'runner',
  'retryOfId',
  'resultAt',
  'review'
] as const
