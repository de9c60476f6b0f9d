import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { makeDatabase } from '../../database.ts'
import { migrateAll, type Owner } from '../migrate.ts'
import { readLocks, readTables, type TableState } from './queries.ts'

/** `nothing`: only statements of others that need the rows that it writes. */
export type Blocking = 'reads and writes' | 'writes' | 'nothing'

export interface Effect {
  table: string
  blocks: Blocking
  isRewritten: boolean
  newIndexes: number
  /** Foreign keys and checks: each row is read. */
  newRules: number
  /** All rows, as far as a trial without rows can tell. */
  writesRows: boolean
  /** It fills another table. */
  isRead: boolean
}
export interface Step {
  owner: string
  name: string
  effects: Effect[]
}

const BLOCK_ALL = ['AccessExclusiveLock', 'ExclusiveLock']
const BLOCK_WRITES = ['ShareLock', 'ShareRowExclusiveLock']

/** Applies them to an empty database in memory that has the same tables, and observes locks and changes. */
export async function tryMigrations(
  owners: readonly Owner[],
  pending: ReadonlyArray<{ owner: string; name: string }>,
  log: FastifyBaseLogger
): Promise<Step[]> {
  const isPending = (owner: string, name: string) => pending.some(each => each.owner === owner && each.name === name)
  const applied = owners.map(({ name: owner, migrations }) => ({
    name: owner,
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => !isPending(owner, name)))
  }))
  const database = makeDatabase({ poolSize: 2 })
  try {
    await database.open()
    await migrateAll(database.db, applied, log)
    const steps: Step[] = []
    for (const { owner, name } of pending) {
      const migration = await owners.find(each => each.name === owner)!.migrations[name]!()
      steps.push({ owner, name, effects: await observe(database.db.withoutPlugins(), migration.up) })
    }
    return steps
  } finally {
    await database.close()
  }
}

const observe = <DB>(db: Kysely<DB>, up: Migration['up']): Promise<Effect[]> =>
  db.transaction().execute(async trx => {
    const before = await readTables(trx)
    await up(trx)
    const locks = await readLocks(trx)
    const after = await readTables(trx)
    const fillsNew = [...locks].some(([oid, modes]) => !before.has(oid) && modes.includes('RowExclusiveLock'))
    return [...before].flatMap(([oid, old]) => {
      const effect = effectOn(old, after.get(oid), locks.get(oid) ?? [], fillsNew)
      return effect === undefined ? [] : [effect]
    })
  })

function effectOn(
  old: TableState,
  now: TableState | undefined,
  modes: readonly string[],
  fillsNew: boolean
): Effect | undefined {
  const has = (some: readonly string[]) => modes.some(mode => some.includes(mode))
  const blocks = has(BLOCK_ALL) ? 'reads and writes' : has(BLOCK_WRITES) ? 'writes' : 'nothing'
  const writesRows = modes.includes('RowExclusiveLock')
  const isRead = fillsNew && !writesRows && blocks === 'nothing' && modes.includes('AccessShareLock')
  if (blocks === 'nothing' && !writesRows && !isRead) return undefined
  const added = (before: readonly string[], after: readonly string[] = []) =>
    after.filter(oid => !before.includes(oid)).length
  return {
    table: old.name,
    blocks,
    isRewritten: now !== undefined && now.file !== old.file,
    newIndexes: added(old.indexes, now?.indexes),
    newRules: added(old.rules, now?.rules),
    writesRows,
    isRead
  }
}
