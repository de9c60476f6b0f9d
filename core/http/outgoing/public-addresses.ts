import { lookup as lookupAll, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent } from 'undici'

/** All global unicast addresses: outside are translated IPv4 and site-local addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6))
}

export class PrivateAddressError extends Error {
  constructor(host: string, setting: string) {
    super(`'${host}' is at a private address: an administrator of the server allows these with ${setting}.`)
  }
}

/** Like `dns.lookup`, with public addresses only: connections are made to the result. */
const lookupPublic =
  (setting: string): LookupFunction =>
  (hostname, options, callback) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(new PrivateAddressError(hostname, setting), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }

const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_MS = 5_000

/**
 * Connects to servers whose addresses users choose; to private addresses only if a setting allows it.
 * @param setting its name, for the error
 */
export async function makeAgent(allowPrivateAddresses: boolean, setting: string): Promise<Agent> {
  // Loaded with the first request: most servers do not need it.
  const { Agent, buildConnector } = await import('undici')
  const timeout = CONNECT_TIMEOUT_MS
  const connect = buildConnector(allowPrivateAddresses ? { timeout } : { timeout, lookup: lookupPublic(setting) })
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect(options, callback) {
      // A literal address is not looked up.
      const literal = options.hostname.replace(/^\[(.*)\]$/, '$1')
      if (!allowPrivateAddresses && isIP(literal) !== 0 && !isPublicAddress(literal)) {
        return callback(new PrivateAddressError(literal, setting), null)
      }
      return connect(options, callback)
    }
  })
}
