import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { localhostAllowedHostnames } from '@modelcontextprotocol/server'
import type { App } from '../../core/plugin.ts'
import type { Ctx } from './context.ts'

const ALL_ADDRESSES = ['0.0.0.0', '::']

/**
 * The host names under which the server is known to be reached. A page of a foreign site whose name suddenly resolves
 * to this server (DNS rebinding) still sends that name, and is refused by it. A server that listens on all addresses
 * does not know them all (its container's host has others), but an address cannot be rebound: it takes every one.
 * @param host the header `Host` of the request
 */
export function hostNames(app: App, { origin, settings }: Ctx, host = ''): string[] {
  const names = [...localhostAllowedHostnames(), ...settings.allowedHosts, nameOf(new URL(origin()).host)]
  const listening = app.server.address()
  if (typeof listening !== 'object' || listening === null) return names
  if (!ALL_ADDRESSES.includes(listening.address)) return names
  const name = nameOf(host)
  return [...names, hostname(), ...(isIP(name.replace(/^\[|\]$/g, '')) ? [name] : [])]
}

/** `host:port` without its port, as the protocol's library compares it; nothing when it is none. */
const nameOf = (host: string): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '')
