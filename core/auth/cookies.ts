import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { conflict } from '../api/errors.ts'
import { isLoopback } from './loopback.ts'

interface Cookie {
  name: string
  value: string
  /** `lax`: it is also sent when a page of another site leads here. */
  sameSite: 'strict' | 'lax'
  seconds: number
}

/** HttpOnly cookies, with names that differ for servers on the same host. */
export interface Cookies {
  read(request: FastifyRequest, name: string): string | undefined
  write(request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void
  /**
   * The server’s address for browsers, with its prefix, e.g. `https://tracker.example.org/board`. The request's host is
   * used only if it is this machine.
   * @throws 409 without the setting `publicUrl`
   */
  addressOf(request: FastifyRequest): string
}

/** @param publicUrl where browsers reach this server; undefined: at the host that a request names */
export function makeCookies({ prefix, publicUrl }: { prefix: string; publicUrl: string | undefined }): Cookies {
  const suffix = prefix === '' ? '' : `_${createHash('sha256').update(prefix).digest('hex').slice(0, 12)}`
  const isSecure = (request: FastifyRequest) => request.protocol === 'https' || publicUrl?.startsWith('https:') === true
  const nameFor = (request: FastifyRequest, name: string) => `${isSecure(request) ? '__Host-' : ''}${name}${suffix}`
  return {
    read(request, name) {
      const { cookie } = request.headers
      return cookie && request.server.parseCookie(cookie)[nameFor(request, name)]
    },
    write(request, reply, { name, value, sameSite, seconds }) {
      const secure = isSecure(request)
      reply.header('cache-control', 'no-store')
      reply.setCookie(nameFor(request, name), value, { path: '/', httpOnly: true, secure, sameSite, maxAge: seconds })
    },
    addressOf(request) {
      if (publicUrl === undefined && !isLoopback(request.hostname)) {
        throw conflict('An administrator must set publicUrl (TRACKER_PUBLIC_URL) to where browsers reach this server.')
      }
      return new URL(publicUrl ?? `${request.protocol}://${request.host}`).origin + prefix
    }
  }
}
