import type { App } from '../../../core/api/plugin.ts'
import { PATHS } from './addresses.ts'

/** Lets pages of any site use the routes of `app`, which need no cookie: clients in browsers. */
export function allowAllSites(app: App): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
  })
  for (const url of [PATHS.token, PATHS.register, PATHS.revoke]) {
    app.options(url, { config: { public: true }, schema: { hide: true } }, async (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type, mcp-protocol-version',
          'access-control-max-age': '600'
        })
        .send()
    )
  }
}
