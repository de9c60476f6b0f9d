import { parse, patch } from '@decimalturn/toml-patch'
import type { Harness } from '../contract.ts'
import { isObject, jsonFile, type JsonFile } from './json-file.ts'

/** A file of a client's configuration. */
export interface ConfigFile {
  /** From the folder that is connected. */
  path: string
  /** What it is to hold, given what it holds; '' when it is not there. @throws Error that says why it cannot be changed */
  edit(text: string): string
}

/** The variable that holds the agent's token; the token itself is written nowhere. */
export const TOKEN_VARIABLE = 'TRACKER_TOKEN'
const SERVER = 'tracker'
/** Seconds that the server may take, and a little more that the client waits. */
const ANSWERS_WITHIN = 10
const WAITS = 15

/** The files that connect a client to the server at `url`. */
export function filesOf(harness: Harness, url: string, { mcp }: { mcp: boolean }): ConfigFile[] {
  const { mcpFile, hooksFile } = CLIENTS[harness]
  return [...(mcp ? [mcpFile(`${url}/v1/mcp`)] : []), hooksFile(url)]
}

const CLIENTS: Record<Harness, { mcpFile(url: string): ConfigFile; hooksFile(url: string): ConfigFile }> = {
  'claude-code': {
    mcpFile: url =>
      jsonConfig('.mcp.json', file =>
        addServer(file, { type: 'http', url, headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` } })
      ),
    hooksFile: url => jsonConfig('.claude/settings.json', file => addGroupedHooks(file, 'claude-code', url))
  },
  codex: {
    mcpFile: url => ({
      path: '.codex/config.toml',
      edit(text) {
        const config = parseToml(text)
        const servers = (config['mcp_servers'] ??= {})
        if (!isObject(servers)) throw new Error("has an 'mcp_servers' that is not a table")
        servers[SERVER] = mergedServer(servers[SERVER], { url, bearer_token_env_var: TOKEN_VARIABLE })
        return patch(text, config, { inlineTableStart: 2 })
      }
    }),
    hooksFile: url => jsonConfig('.codex/hooks.json', file => addGroupedHooks(file, 'codex', url))
  },
  cursor: {
    mcpFile: url =>
      jsonConfig('.cursor/mcp.json', file =>
        addServer(file, { url, headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` } })
      ),
    hooksFile: url =>
      jsonConfig('.cursor/hooks.json', file => {
        if (file.at(['version']) === undefined) file.set(['version'], 1)
        for (const [name, event] of [
          ['sessionStart', 'session-start'],
          ['stop', 'stop']
        ] as const) {
          addHook(file, name, endpoint(url, event, 'cursor'), command => ({ command, timeout: WAITS }))
        }
      })
  }
}

const jsonConfig = (path: string, change: (file: JsonFile) => void): ConfigFile => ({
  path,
  edit(text) {
    const file = jsonFile(text)
    change(file)
    return file.text()
  }
})

function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text) as Record<string, unknown>
  } catch (error) {
    throw new Error(`is not valid TOML (${(error as Error).message.split('\n').at(-1)?.trim()})`)
  }
}

function addServer(file: JsonFile, wanted: Record<string, unknown>): void {
  const servers = file.at(['mcpServers'])
  if (servers !== undefined && !isObject(servers)) throw new Error("has an 'mcpServers' that is not an object")
  const before = servers?.[SERVER]
  const merged = mergedServer(before, wanted)
  if (JSON.stringify(merged) !== JSON.stringify(before)) file.set(['mcpServers', SERVER], merged)
}

/**
 * An MCP server's entry with what is wanted of it: its address is brought up to date, what else it says of itself stays.
 * @throws Error when it is another server that has the name
 */
function mergedServer(before: unknown, wanted: Record<string, unknown>): Record<string, unknown> {
  if (before === undefined) return wanted
  const url = isObject(before) ? before['url'] : undefined
  if (!isObject(before) || typeof url !== 'string' || !url.endsWith('/v1/mcp')) {
    throw new Error(`has another MCP server that is called '${SERVER}': give that one another name`)
  }
  return { ...wanted, ...before, ...(isAddress(url) && { url: wanted['url'] }) }
}

/** An address, and not a variable that stands for one. */
const isAddress = (url: string) => /^https?:\/\//.test(url)

const endpoint = (url: string, event: string, harness: Harness) => `${url}/v1/agent-hooks/${event}?harness=${harness}`

/** The hooks of `claude-code` and `codex`: lists of groups of handlers. */
function addGroupedHooks(file: JsonFile, harness: Harness, url: string): void {
  for (const [name, event] of [
    ['SessionStart', 'session-start'],
    ['UserPromptSubmit', 'prompt'],
    ['Stop', 'stop']
  ] as const) {
    addHook(file, name, endpoint(url, event, harness), command => ({
      hooks: [{ type: 'command', command, timeout: WAITS }]
    }))
  }
}

/** Adds a hook to those of an event; one that calls the endpoint already stays as it is, but for an address that has changed. */
function addHook(file: JsonFile, event: string, address: string, entry: (command: string) => object): void {
  const hooks = file.at(['hooks'])
  if (hooks !== undefined && !isObject(hooks)) throw new Error("has 'hooks' that are not an object")
  const entries = hooks?.[event] ?? []
  if (!Array.isArray(entries)) throw new Error(`has hooks for '${event}' that are not a list`)
  const known = stringsIn(entries, ['hooks', event]).find(({ text }) => text.includes(pathOf(address)))
  if (known === undefined) file.set(['hooks', event, entries.length], entry(commandFor(address)))
  else {
    file.set(
      known.path,
      known.text.replace(new RegExp(`https?://[^\\s"']*?${RegExp.escape(pathOf(address))}`), address)
    )
  }
}
const pathOf = (address: string) => address.slice(address.indexOf('/v1/'))

function stringsIn(
  value: unknown,
  path: Array<string | number>
): Array<{ path: Array<string | number>; text: string }> {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, n) => stringsIn(item, [...path, n]))
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => stringsIn(item, [...path, key])) : []
}

/**
 * All in one group, so that a client may append the input as a here-document; `{}` where there is no answer. curl reads
 * the token from a pipe: its arguments are there for everybody on the machine to see.
 */
const commandFor = (address: string) =>
  `{ { printf 'header = "Authorization: Bearer %s"' "$${TOKEN_VARIABLE}" | curl -sf --max-time ${ANSWERS_WITHIN} -K /dev/fd/3 -H 'Content-Type: application/json' --data-binary @- '${address}' 3<&0 0<&4; } 4<&0 || echo '{}'; }`
