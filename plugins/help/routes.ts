import { dirname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { acceptsEncoding } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { NODE_MODULES, PREPARED } from '../../lib/packages/node-modules.ts'
import type { Ctx } from './context.ts'
import { readSiteFile, type SiteFile } from './site.ts'

/** Where a release has it, and where `npm run docs` puts it in a checkout and in an image. */
const DEFAULT_FOLDER = PREPARED ? join(PREPARED, 'help') : join(dirname(NODE_MODULES), 'out/help')
const NOT_BUILT = 'The documentation was not built: run npm run docs in the folder of tracker.\n'

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin'
}

export function helpRoutes(app: App, ctx: Ctx): void {
  const folder = ctx.settings.folder ?? DEFAULT_FOLDER
  const home = `${ctx.use.address.prefix}/help/`
  const options = { config: { public: true }, schema: { hide: true } }

  // The links of its pages are relative.
  app.get('/help', options, async (_request, reply) => reply.redirect(home))
  app.get('/help/*', options, async (request, reply) => {
    reply.headers(HEADERS)
    const path = (request.params as { '*': string })['*']
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
    const file = await readSiteFile(folder, name)
    if (file) return send(request, reply, name, file)
    const page = await readSiteFile(folder, '404.html')
    reply.code(404).header('cache-control', 'no-cache')
    if (!page) return reply.type('text/plain; charset=utf-8').send(NOT_BUILT)
    // It is the same at every address, whose folder its links do not know.
    const html = String(await page.read()).replace('<head>', `<head>\n<base href="${home}">`)
    return reply.type(page.type).send(html)
  })
}

async function send(request: FastifyRequest, reply: FastifyReply, name: string, file: SiteFile): Promise<FastifyReply> {
  const { type, etag, br, read } = file
  reply
    .type(type)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    // The names of assets have the digests of their contents.
    .header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, no-cache')
  if (fresh(request.headers, { etag })) return reply.code(304).send()
  if (!br || !acceptsEncoding(request, 'br')) return reply.send(await read())
  return reply.header('content-encoding', 'br').send(br)
}
