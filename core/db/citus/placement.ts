import { snakeCase } from '../sql.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'

/** On Citus: with its workspace's other rows; whole, on every node; on the coordinator only. */
export type Placement = 'workspace' | 'reference' | 'local'

/** By workspace only if the rows have a `workspaceId`, or are the workspaces. */
export type Placements<T> = {
  readonly [K in keyof T]: K extends 'workspace'
    ? 'workspace'
    : T[K] extends { workspaceId: Id }
      ? 'workspace' | 'local'
      : 'reference' | 'local'
}

export const coreTables: Placements<CoreTables> = {
  workspace: 'workspace',
  account: 'workspace',
  token: 'workspace',
  signInPlace: 'workspace',
  event: 'workspace',
  eventPartition: 'local',
  eventConsumer: 'local',
  eventDeadLetter: 'workspace',
  jobCrash: 'local',
  idempotencyKey: 'workspace'
}

export type DeclaredTables = Readonly<Record<string, Placement>> | undefined

export const placementsOf = (plugins: readonly DeclaredTables[]): ReadonlyMap<string, Placement> =>
  new Map(
    [coreTables, ...plugins].flatMap(tables =>
      Object.entries(tables ?? {}).map(([name, place]) => [snakeCase(name), place])
    )
  )
