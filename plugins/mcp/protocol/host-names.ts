import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { localhostAllowedHostnames } from '@modelcontextprotocol/server'
import type { App } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'

const ALL_ADDRESSES = ['0.0.0.0', '::']

/**
 * The host names of the server. A page of a foreign site whose name suddenly resolves to this server (DNS rebinding)
 * still sends that name, and is refused. A server that listens on all addresses does not know them all (its container's
 * host has others), but an address cannot be rebound: it accepts every one.
 * @returns a function that returns them for the header `Host` of a request
 */
export function makeHostNames(app: App, { settings, use }: Ctx): (host: string | undefined) => string[] {
  const { origin, publicUrl } = use.address
  // Read from the system once: a listening server does not move.
  let known: { names: string[]; isOnAllAddresses: boolean } | undefined
  function find() {
    const addresses = [origin(), ...(publicUrl === undefined ? [] : [publicUrl])]
    const names = [
      ...localhostAllowedHostnames(),
      ...settings.allowedHosts,
      ...addresses.map(address => nameOf(new URL(address).host))
    ]
    const listening = app.server.address()
    if (typeof listening !== 'object' || listening === null) return { names, isOnAllAddresses: false }
    const isOnAllAddresses = ALL_ADDRESSES.includes(listening.address)
    return (known = { names: isOnAllAddresses ? [...names, hostname()] : names, isOnAllAddresses })
  }
  return (host = '') => {
    const { names, isOnAllAddresses } = known ?? find()
    if (!isOnAllAddresses) return names
    const name = nameOf(host)
    return isIP(name.replace(/^\[|\]$/g, '')) ? [...names, name] : names
  }
}

/** In the form that the protocol's library compares; '' when it is invalid. */
const nameOf = (host: string): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '')
