import type { CoreTables, Id } from './tables.ts'

/**
 * Where a table lives on a distributed engine: `workspace`: with all else of its workspace; `reference`: whole, on
 * every node; `local`: on the coordinator only.
 */
export type Placement = 'workspace' | 'reference' | 'local'

/** The place of each table. It can be placed by workspace only if it names it. */
export type Placements<T> = {
  readonly [K in keyof T]: T[K] extends { workspaceId: Id } ? 'workspace' | 'local' : 'reference' | 'local'
}

export const coreTables: Placements<CoreTables> = {
  workspace: 'reference',
  account: 'workspace',
  token: 'workspace',
  event: 'workspace',
  eventPartition: 'local',
  eventConsumer: 'local',
  eventDeadLetter: 'workspace',
  idempotencyKey: 'workspace'
}
