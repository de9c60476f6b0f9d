import { isLoopback } from '../../../core/api/accounts.ts'

export const MAX_REDIRECT_LENGTH = 2000

export const isLoopbackRedirect = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && isLoopback(hostname)
}

/** True if codes may be sent to this address: https, or http on the person's own machine. */
export function isRedirect(uri: string): boolean {
  // URL parsers remove or replace some of these characters.
  if (uri.length > MAX_REDIRECT_LENGTH || !/^[\x21-\x7e]+$/.test(uri) || /[\\#]/.test(uri)) return false
  if (!URL.canParse(uri)) return false
  const { protocol, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || isLoopbackRedirect(uri)
}

/** The address without its port, which programs choose when they start; only for one on the person's own machine. */
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]+)):\d+/i, '$1')

/** True if a client with these redirect URIs may use `uri`: one of them exactly, on loopback with any port. */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return isRedirect(uri)
  if (!isRedirect(uri) || !isLoopbackRedirect(uri)) return false
  return registered.some(own => isLoopbackRedirect(own) && withoutPort(own) === withoutPort(uri))
}
