import { join } from 'node:path'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import type { StoreName } from '../contract.ts'
import { databaseStore } from './database.ts'
import { folderStore } from './folder.ts'
import type { Store } from './store.ts'

/** The stores of a server, each made when it is first used. */
export class Stores {
  readonly #ctx: Ctx
  readonly #made = new Map<StoreName, Store>()

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  /** The store of new files. */
  get current(): StoreName {
    return this.#ctx.settings.store ?? (this.#ctx.dataDir === undefined ? 'database' : 'folder')
  }

  /** @throws Error that says what to set */
  assertUsable(): void {
    if (!this.isUsable(this.current)) throw withoutFolder()
  }

  get(name: StoreName): Store {
    let store = this.#made.get(name)
    if (store === undefined) this.#made.set(name, (store = this.#make(name)))
    return store
  }

  /** True if its settings say where it is. */
  isUsable(name: StoreName): boolean {
    return name === 'database' || this.#folder !== undefined
  }

  get #folder(): string | undefined {
    const { settings, dataDir } = this.#ctx
    return settings.folder ?? (dataDir === undefined ? undefined : join(dataDir, 'files'))
  }

  #make(name: StoreName): Store {
    if (name === 'database') return databaseStore(this.#ctx)
    const folder = this.#folder
    if (folder === undefined) throw withoutFolder()
    return folderStore(folder)
  }
}

const withoutFolder = () => new Error('Files are in a folder whose path is not set: set plugins.files.folder to it.')

export const stores = singleton('stores', (ctx: Ctx) => new Stores(ctx))
