import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../core/api/errors.ts'
import { acceptsEncoding } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import type { Asset } from './assets.ts'
import type { Ctx } from './context.ts'
import { interfaceOf } from './interface.ts'
import { PAGE_HEADERS } from './page.ts'

export function pageRoutes(app: App, ctx: Ctx): void {
  const built = ctx.get(interfaceOf)
  const config = { public: true }

  app.get(
    '/assets/:name',
    { config, schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    async (request, reply) => {
      const { assets } = await built.get()
      const asset = assets.get(request.params.name)
      if (!asset) throw notFound('asset', request.params.name)
      return send(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), asset)
    }
  )
  // Every address of the interface answers this page; other addresses stay a 404 in JSON.
  for (const url of ['/', '/*']) {
    app.get(url, { config, schema: { hide: true } }, async (request, reply) => {
      if (!isPage(request)) return reply.callNotFound()
      return send(request, reply.headers(PAGE_HEADERS), (await built.get()).page)
    })
  }
}

/** The root is tried with other clients than browsers, too. */
function isPage({ url, headers }: FastifyRequest): boolean {
  const path = url.split('?')[0]!
  const { accept = '' } = headers
  if (path === '/' && accept.includes('*/*')) return true
  return !/^\/(v1|docs|health|metrics|\.well-known)(\/|$)|\.\w+$/.test(path) && accept.includes('text/html')
}

function send(request: FastifyRequest, reply: FastifyReply, { type, identity, br, gzip }: Asset): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding')
  if (br && acceptsEncoding(request, 'br')) return reply.header('content-encoding', 'br').send(br)
  if (gzip && acceptsEncoding(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(identity)
}
