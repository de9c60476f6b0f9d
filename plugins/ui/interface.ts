import { resolve } from 'node:path'
import { overloaded } from '../../core/api/errors.ts'
import { singleton } from '../../core/api/plugin.ts'
import { encodeAsset, typeOf, type Asset } from './assets.ts'
import { makeBundle, type Part } from './bundle.ts'
import type { Ctx } from './context.ts'
import { uiParts } from './contract.ts'
import { pageOf } from './page.ts'

interface Built {
  assets: Map<string, Asset>
  page: Asset
}
interface Interface {
  readonly state: 'not built' | 'building' | 'ready' | 'failed'
  /** Builds it on the first call. @throws ApiError 503 when it cannot be built; the next call retries */
  get(): Promise<Built>
}

export const partsOf = (ctx: Ctx): Part[] =>
  ctx.contributions(uiParts).map(({ from, item: { entry } }) => ({ name: from, entry }))

function makeInterface(ctx: Ctx): Interface {
  let building: Promise<Built> | undefined
  let state: Interface['state'] = 'not built'

  async function build(): Promise<Built> {
    const start = performance.now()
    state = 'building'
    const parts = partsOf(ctx)
    const { assets, entry, isCached } = await makeBundle(parts, resolve(ctx.settings.cacheDir))
    const html = pageOf(
      entry,
      ctx.use.address.prefix,
      parts.map(({ name }) => name)
    )
    const page = await encodeAsset(typeOf('index.html'), Buffer.from(html))
    state = 'ready'
    const ms = Math.round(performance.now() - start)
    ctx.log.info({ isCached, ms, assets: assets.size }, 'the web interface is ready')
    return { assets, page }
  }

  return {
    get state() {
      return state
    },
    async get() {
      building ??= build()
      try {
        return await building
      } catch (error) {
        if (state !== 'failed') ctx.log.error({ err: error }, 'the web interface could not be built')
        state = 'failed'
        building = undefined
        throw overloaded('The web interface could not be built; the log of the server says why. REST and MCP work.')
      }
    }
  }
}
export const interfaceOf = singleton('interface', makeInterface)
