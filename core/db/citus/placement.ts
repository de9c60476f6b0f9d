import { snakeCase } from '../sql.ts'
import type { CoreTables, Id } from '../../api/database/types.ts'

/**
 * The placement of a table on Citus: `workspace`: with its workspace's other rows; `reference`: whole, on every node;
 * `local`: on the coordinator only.
 */
export type Placement = 'workspace' | 'reference' | 'local'

/** The placement of each table: by workspace only if its rows have a `workspaceId`, or are the workspaces. */
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

/** The tables that a plugin declares; undefined: none. */
export type DeclaredTables = Readonly<Record<string, Placement>> | undefined

/** The placements of the core's tables and those of plugins, by their names in SQL. */
export const placementsOf = (plugins: readonly DeclaredTables[]): ReadonlyMap<string, Placement> =>
  new Map(
    [coreTables, ...plugins].flatMap(tables =>
      Object.entries(tables ?? {}).map(([name, place]) => [snakeCase(name), place])
    )
  )
