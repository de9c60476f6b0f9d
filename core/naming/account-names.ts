import { setImmediate } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { CoreTables, Id, TransactionHandle } from '../api/database/types.ts'
import { notDeletedIn } from '../db/workspace-rows.ts'
import { abbreviate, conflict, invalid } from '../api/errors.ts'
import { isAdministratorsName, isReservedName, nameForms } from './look-alikes.ts'

/** An account that is to have a name. */
interface Bearer {
  /** Of an account that is there: its own present name is no obstacle. */
  id?: Id
  /** Whether it may be called Administrator. */
  isAdmin: boolean
}
interface Named {
  id: Id
  fullname: string
}

/** Names that are read without letting others have their turn. */
const TURN = 1_000
/** Maximum characters of a name. */
const MAX_CHARACTERS = 200

/**
 * The names of a workspace's accounts that were not removed. Names that were alike before this was checked stay.
 * They are compared here and not by an index of the database, which would know the skeletons of one version of Unicode.
 */
export class AccountNames {
  /** By each form of its name, with the number of the form, the accounts that have it. */
  readonly #accounts = new Map<string, Named[]>()

  private constructor() {}

  /**
   * Reads the names, and keeps other transactions from giving names until this one ends. It comes before locks on rows.
   */
  static async lock(handle: TransactionHandle, workspaceId: Id): Promise<AccountNames> {
    const trx: Transaction<CoreTables> = handle
    // Raw: a function call, and no query.
    await sql`select pg_advisory_xact_lock(hashtext('core.account-names'), hashtext(${workspaceId}))`.execute(trx)
    const rows = await trx
      .selectFrom('account')
      .select(['id', 'fullname', 'email'])
      .where(notDeletedIn(workspaceId))
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    const names = new AccountNames()
    for (const [n, { id, fullname, email }] of rows.entries()) {
      if (n % TURN === TURN - 1) await setImmediate()
      names.add({ id, fullname })
      if (email !== null) names.#add(`email ${email.toLowerCase()}`, { id, fullname })
    }
    return names
  }

  /** Takes account of a name that an account gets in this transaction. */
  add(account: Named): void {
    for (const key of keysOf(account.fullname)) this.#add(key, account)
  }
  #add(key: string, account: Named): void {
    const there = this.#accounts.get(key)
    if (there === undefined) this.#accounts.set(key, [account])
    else there.push(account)
  }

  /** Another account whose name looks like this one, or whose e-mail address it is. */
  #other(name: string, id: Id | undefined): Named | undefined {
    const keys = [...keysOf(name), `email ${name.toLowerCase()}`]
    return keys.flatMap(key => this.#accounts.get(key) ?? []).find(other => other.id !== id)
  }

  /** @throws 400 for a word that means something else, 409 when the name looks like that of another account */
  assertFree(name: string, field: string, { id, isAdmin }: Bearer): void {
    const shown = abbreviate(name)
    if (isReservedName(name)) {
      throw invalid(`'${shown}' means something else where somebody is named: choose another name.`, { field })
    }
    if (!isAdmin && isAdministratorsName(name)) {
      throw invalid(`Only an administrator can be called '${shown}': choose another name.`, { field })
    }
    const other = this.#other(name, id)
    if (other === undefined) return
    throw conflict(
      `'${shown}' looks like the name or e-mail address of somebody who is here, '${abbreviate(other.fullname)}': ` +
        `choose a name that differs more, such as '${abbreviate(this.free(name, { isAdmin }))}'.`,
      { field }
    )
  }

  /** The name, with a number behind it where it is not free: for names that nobody chooses here. */
  free(name: string, { id, isAdmin }: Bearer): string {
    for (let n = 1; ; n++) {
      const number = n === 1 ? '' : ` (${n})`
      const tried = name.slice(0, MAX_CHARACTERS - number.length).toWellFormed() + number
      const isReserved = isReservedName(tried) || (!isAdmin && isAdministratorsName(tried))
      if (!isReserved && this.#other(tried, id) === undefined) return tried
    }
  }
}

const keysOf = (name: string): string[] => nameForms(name).map((form, n) => `${n} ${form}`)
