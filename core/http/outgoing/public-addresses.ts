import { lookup as lookupAll, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'

/** Addresses outside of the public internet. @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4'
]
/** All global unicast addresses: not mapped IPv4, NAT64, link-local and unique local addresses. */
const GLOBAL_IPV6 = '2000::/3'
/** Within it: protocol assignments with Teredo, documentation, and 6to4, which contains an IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
const privateIpv4 = blockList(PRIVATE_IPV4, 'ipv4')
const globalIpv6 = blockList([GLOBAL_IPV6], 'ipv6')
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6')

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  }
  return false
}

/** A server's address is not on the public internet. */
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

/** Milliseconds in which a connection must be made. */
const CONNECT_TIMEOUT_MS = 5_000
/** Milliseconds that a connection is kept for the next request. */
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
