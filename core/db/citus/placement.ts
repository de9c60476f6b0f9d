import type { CoreTables, Id } from '../../api/database/types.ts'

/**
 * Where a table lives on a distributed engine: `workspace`: with all else of its workspace; `reference`: whole, on
 * every node; `local`: on the coordinator only.
 */
export type Placement = 'workspace' | 'reference' | 'local'

/** The place of each table: by workspace only if its rows have a `workspaceId`, or are the workspaces. */
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

/** The places of the tables of several owners, by their names in SQL. */
export const placementsOf = (
  owners: ReadonlyArray<Readonly<Record<string, Placement>> | undefined>
): ReadonlyMap<string, Placement> =>
  new Map(owners.flatMap(tables => Object.entries(tables ?? {}).map(([name, place]) => [snakeCase(name), place])))

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
