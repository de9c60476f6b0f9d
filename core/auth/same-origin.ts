import type { FastifyRequest } from 'fastify'
import { ApiError } from '../api/errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const crossSite = () =>
  new ApiError(
    403,
    'CROSS_SITE',
    'A session is only for the pages of this server, and this request comes from elsewhere: send an access token ' +
      "in the header 'Authorization: Bearer <token>' instead, or have an administrator set TRACKER_PUBLIC_URL."
  )

/**
 * Refuses requests from pages of other origins. `SameSite=Strict` is not enough: another port of the same host is the
 * same site.
 * @param publicUrl where browsers reach this server; without it, the host of the request
 * @throws 403
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site === 'same-origin') return
    // From the address bar or a bookmark, browsers send only GET.
    if (site === 'none' && SAFE_METHODS.has(request.method)) return
    throw crossSite()
  }
  const { origin } = request.headers
  if (origin === undefined && SAFE_METHODS.has(request.method)) return
  if (origin === undefined || !URL.canParse(origin)) throw crossSite()
  if (publicUrl === undefined ? !isHostOf(request, origin) : origin !== new URL(publicUrl).origin) throw crossSite()
}

/** Compares only the host: a proxy may terminate TLS. */
function isHostOf({ protocol, host }: FastifyRequest, origin: string): boolean {
  const own = `${protocol}://${host}`
  return URL.canParse(own) && new URL(own).host === new URL(origin).host
}
