import { setImmediate } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { CoreTables, Id, TransactionHandle } from '../api/database/types.ts'
import { notDeletedIn } from '../db/workspace-rows.ts'
import { abbreviate, conflict, invalid } from '../api/errors.ts'
import { isAdministratorsName, isReservedName, nameForms } from '../naming/look-alikes.ts'

interface Bearer {
  /** An existing account: its present name is no conflict. */
  id?: Id
  /** True if it may be called Administrator. */
  isAdmin: boolean
}
interface Named {
  id: Id
  fullname: string
}

/** Names read before yielding to the event loop. */
const TURN = 1_000
const MAX_CHARACTERS = 200

/**
 * The names of a workspace's accounts that were not removed. Older names that look alike stay. They are compared here
 * instead of by an index, which would store the skeletons of one version of Unicode.
 */
export class AccountNames {
  /** The accounts, by number and form of the name. */
  readonly #accounts = new Map<string, Named[]>()

  private constructor() {}

  /** Reads the names, and locks them against other transactions until this one ends. Call it before locking rows. */
  static async lock(handle: TransactionHandle, workspaceId: Id): Promise<AccountNames> {
    const trx: Transaction<CoreTables> = handle
    // Raw: a function call, not a query.
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

  add(account: Named): void {
    for (const key of keysOf(account.fullname)) this.#add(key, account)
  }
  #add(key: string, account: Named): void {
    const there = this.#accounts.get(key)
    if (there === undefined) this.#accounts.set(key, [account])
    else there.push(account)
  }

  /** Another account with a similar name, or with this e-mail address. */
  #other(name: string, id: Id | undefined): Named | undefined {
    const keys = [...keysOf(name), `email ${name.toLowerCase()}`]
    return keys.flatMap(key => this.#accounts.get(key) ?? []).find(other => other.id !== id)
  }

  /** @throws 400 for a reserved word, 409 when the name looks like another account's */
  assertFree(name: string, field: string, { id, isAdmin }: Bearer): void {
    const shown = abbreviate(name)
    if (isReservedName(name)) {
      throw invalid(`'${shown}' is a reserved word: choose another name.`, { field })
    }
    if (!isAdmin && isAdministratorsName(name)) {
      throw invalid(`Only an administrator can be called '${shown}': choose another name.`, { field })
    }
    const other = this.#other(name, id)
    if (other === undefined) return
    throw conflict(
      `'${shown}' looks like the name or e-mail address of another account, '${abbreviate(other.fullname)}': ` +
        `choose a name that differs more, such as '${abbreviate(this.free(name, { isAdmin }))}'.`,
      { field }
    )
  }

  /** The name, with a number appended if it is taken: for names that nobody chooses. */
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
