import type { Toolset } from '../../mcp/contract.ts'
import { isObject, type JsonFile } from './json-file.ts'

export const SERVER = 'tracker'

export type AddressField = 'url' | 'httpUrl' | 'serverUrl' | 'uri'

interface ServerOptions {
  key: string
  field: AddressField
  address: string
  /** For a new entry. */
  fields: Record<string, unknown>
  tools: Toolset | undefined
}

export function addServer(file: JsonFile, { key, ...options }: ServerOptions): void {
  const servers = file.at([key])
  if (servers !== undefined && !isObject(servers)) throw new Error(`has a '${key}' that is not an object`)
  const before = servers?.[SERVER]
  const merged = mergeServer(before, options)
  if (JSON.stringify(merged) !== JSON.stringify(before)) file.set([key, SERVER], merged)
}

/** Other fields stay. @throws Error when another server has the name */
export function mergeServer(
  before: unknown,
  { field, address, fields, tools }: Omit<ServerOptions, 'key'>
): Record<string, unknown> {
  const query = tools === 'core' ? '?tools=core' : ''
  const { type, ...others } = fields
  const entry = { ...(type !== undefined && { type }), [field]: address + query, ...others }
  if (before === undefined) return entry
  const url = isObject(before) ? String(before[field]) : ''
  const endpoint = /\/v1\/mcp(?<query>\?.*)?$/.exec(url)
  if (!isObject(before) || endpoint === null) {
    throw new Error(`has another MCP server that is called '${SERVER}': give that one another name`)
  }
  const toolsQuery = tools === undefined ? (endpoint.groups?.['query'] ?? '') : query
  return { ...entry, ...before, ...(isAddress(url) && { [field]: address + toolsQuery }) }
}

/** True for an address; false for a variable that the client expands. */
const isAddress = (url: string) => /^https?:\/\//.test(url)
