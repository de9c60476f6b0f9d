import { resolve } from 'node:path'
import { defineCommand } from '../../core/api/command.ts'
import { makeBundle } from './bundle.ts'
import type { Ctx } from './context.ts'
import { partsOf } from './interface.ts'

/** `build-ui`: builds the interface into an image, for all its servers. */
export const buildCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'build-ui',
    summary: 'Build the web interface of the plugins that are on, into its cache',
    database: false,
    async run() {
      const { assets, isCached } = await makeBundle(partsOf(ctx), resolve(ctx.settings.cacheDir))
      process.stderr.write(`The web interface ${isCached ? 'was built already' : 'is built'}: ${assets.size} files.\n`)
    }
  })
