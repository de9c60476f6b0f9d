import { join } from 'node:path'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import type { StoreName } from '../contract.ts'
import { databaseStore } from './database.ts'
import { folderStore } from './folder.ts'
import { s3Store, type S3Settings } from './s3.ts'
import type { Store } from './store.ts'

export class Stores {
  readonly #ctx: Ctx
  readonly #made = new Map<StoreName, Store>()

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  get current(): StoreName {
    return this.#ctx.settings.store ?? (this.#ctx.use.database.dataDir === undefined ? 'database' : 'folder')
  }

  assertUsable(name: StoreName = this.current): void {
    if (name === 'folder' && this.folder === undefined) throw withoutFolder()
    if (name === 's3') s3SettingsOf(this.#ctx)
  }

  get(name: StoreName): Store {
    let store = this.#made.get(name)
    if (store === undefined) this.#made.set(name, (store = this.#make(name)))
    return store
  }

  isUsable(name: StoreName): boolean {
    if (name === 's3') return this.#ctx.settings.s3Bucket !== undefined
    return name === 'database' || this.folder !== undefined
  }

  /** Also if new files go elsewhere; undefined: none is set. */
  get folder(): string | undefined {
    const { settings, use } = this.#ctx
    const { dataDir } = use.database
    return settings.folder ?? (dataDir === undefined ? undefined : join(dataDir, 'files'))
  }

  #make(name: StoreName): Store {
    if (name === 'database') return databaseStore(this.#ctx)
    if (name === 's3') return s3Store(s3SettingsOf(this.#ctx))
    const folder = this.folder
    if (folder === undefined) throw withoutFolder()
    return folderStore(folder)
  }
}

const withoutFolder = () => new Error('Files are in a folder whose path is not set: set plugins.files.folder to it.')

function s3SettingsOf({ settings }: Ctx): S3Settings {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings
  if (bucket === undefined) {
    throw new Error('Files are in a bucket that is not named: set plugins.files.s3Bucket to it.')
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error('An access key has an id and a secret: set plugins.files.s3AccessKeyId and s3SecretAccessKey.')
  }
  return {
    bucket,
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    prefix: settings.s3Prefix,
    pathStyle: settings.s3PathStyle,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  }
}

export const stores = singleton('stores', (ctx: Ctx) => new Stores(ctx))
