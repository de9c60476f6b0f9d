import { parse, patch } from '@decimalturn/toml-patch'
import type { Toolset } from '../../mcp/contract.ts'
import type { Harness } from '../contract.ts'
import { FORMATS } from '../harnesses.ts'
import { isObject, jsonFile, type JsonFile } from './json-file.ts'
import { TOKEN_VARIABLE, type ConfigFile, type ConnectOptions } from './options.ts'

const SERVER = 'tracker'
/** Seconds to wait for the server, and the slightly longer timeout of the client. */
const ANSWER_TIMEOUT_SECONDS = 10
const HOOK_TIMEOUT_SECONDS = 15

/** The files that connect a client to the server at `url`. */
export function filesOf(harness: Harness, url: string, options: ConnectOptions): ConfigFile[] {
  const { mcpFile, hooksFile } = CLIENTS[harness]
  return [...(options.mcp ? [mcpFile(`${url}/v1/mcp`, options)] : []), hooksFile(url, options)]
}

interface ClientFiles {
  mcpFile(url: string, options: ConnectOptions): ConfigFile
  hooksFile(url: string, options: ConnectOptions): ConfigFile
}
const CLIENTS: Record<Harness, ClientFiles> = {
  'claude-code': {
    mcpFile: (url, { tools }) =>
      jsonConfig('.mcp.json', file =>
        addServer(file, { type: 'http', url, headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` } }, tools)
      ),
    hooksFile: (url, { mcp, allowTools }) =>
      jsonConfig('.claude/settings.json', file => {
        addGroupedHooks(file, 'claude-code', url)
        if (mcp && allowTools) allowClaudeTools(file)
      })
  },
  codex: {
    mcpFile: (url, { allowTools, tools }) => ({
      path: '.codex/config.toml',
      edit(text) {
        const config = parseToml(text)
        const servers = (config['mcp_servers'] ??= {})
        if (!isObject(servers)) throw new Error("has an 'mcp_servers' that is not a table")
        servers[SERVER] = {
          ...mergeServer(servers[SERVER], { url, bearer_token_env_var: TOKEN_VARIABLE }, tools),
          ...(allowTools && { default_tools_approval_mode: 'approve' })
        }
        // TOML 1.0, which clients parse, has no comma after the last field of an inline table.
        return withoutEmptyTable(text, patch(text, config, { inlineTableStart: 2, trailingComma: false }))
      }
    }),
    hooksFile: url => jsonConfig('.codex/hooks.json', file => addGroupedHooks(file, 'codex', url))
  },
  cursor: {
    mcpFile: (url, { tools }) =>
      jsonConfig('.cursor/mcp.json', file =>
        addServer(file, { url, headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` } }, tools)
      ),
    hooksFile: url =>
      jsonConfig('.cursor/hooks.json', file => {
        if (file.at(['version']) === undefined) file.set(['version'], 1)
        for (const [name, event] of [
          ['sessionStart', 'session-start'],
          ['stop', 'stop']
        ] as const) {
          addHook(file, name, commandFor(url, event, 'cursor'), command => ({ command, timeout: HOOK_TIMEOUT_SECONDS }))
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

/** The library writes a header for the table of servers, which a file with servers alone does not need. */
function withoutEmptyTable(before: string, after: string): string {
  if (/^\[mcp_servers\]/m.test(before)) return after
  return after.replace(/^\[mcp_servers\]\s+(?=\[mcp_servers\.)/m, '').replace(/\n?$/, '\n')
}

/** A server's entry, with an address without query. */
interface ServerEntry extends Record<string, unknown> {
  url: string
}

function addServer(file: JsonFile, entry: ServerEntry, tools: Toolset | undefined): void {
  const servers = file.at(['mcpServers'])
  if (servers !== undefined && !isObject(servers)) throw new Error("has an 'mcpServers' that is not an object")
  const before = servers?.[SERVER]
  const merged = mergeServer(before, entry, tools)
  if (JSON.stringify(merged) !== JSON.stringify(before)) file.set(['mcpServers', SERVER], merged)
}

/**
 * Updates the address of an MCP server's entry; its other fields stay.
 * @throws Error when another server has the name
 */
function mergeServer(before: unknown, entry: ServerEntry, tools: Toolset | undefined): Record<string, unknown> {
  const query = tools === 'core' ? '?tools=core' : ''
  if (before === undefined) return { ...entry, url: entry.url + query }
  const url = isObject(before) ? String(before['url']) : ''
  const endpoint = /\/v1\/mcp(?<query>\?.*)?$/.exec(url)
  if (!isObject(before) || endpoint === null) {
    throw new Error(`has another MCP server that is called '${SERVER}': give that one another name`)
  }
  const toolsQuery = tools === undefined ? (endpoint.groups?.['query'] ?? '') : query
  return { ...entry, ...before, ...(isAddress(url) && { url: entry.url + toolsQuery }) }
}

/** True for an address; false for a variable that the client expands. */
const isAddress = (url: string) => /^https?:\/\//.test(url)

function allowClaudeTools(file: JsonFile): void {
  const permissions = file.at(['permissions'])
  if (permissions !== undefined && !isObject(permissions)) throw new Error("has 'permissions' that are not an object")
  const allowed = permissions?.['allow'] ?? []
  if (!Array.isArray(allowed)) throw new Error("has a 'permissions.allow' that is not a list")
  const rule = `mcp__${SERVER}`
  if (!allowed.includes(rule)) file.set(['permissions', 'allow', allowed.length], rule)
}

/** The hooks of `claude-code` and `codex`: lists of groups of handlers. */
function addGroupedHooks(file: JsonFile, harness: Harness, url: string): void {
  for (const [name, event] of [
    ['SessionStart', 'session-start'],
    ['UserPromptSubmit', 'prompt'],
    ['Stop', 'stop']
  ] as const) {
    addHook(file, name, commandFor(url, event, harness), command => ({
      hooks: [{ type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS }]
    }))
  }
}

/**
 * Adds a hook to an event. An existing hook that calls the endpoint gets only a new address, unless it has the command
 * of an earlier version, which is replaced.
 */
function addHook(
  file: JsonFile,
  event: string,
  { address, command }: HookCommand,
  entry: (command: string) => object
): void {
  const hooks = file.at(['hooks'])
  if (hooks !== undefined && !isObject(hooks)) throw new Error("has 'hooks' that are not an object")
  const entries = hooks?.[event] ?? []
  if (!Array.isArray(entries)) throw new Error(`has hooks for '${event}' that are not a list`)
  const known = stringsIn(entries, ['hooks', event]).find(({ text }) => text.includes(pathOf(address)))
  if (known === undefined) file.set(['hooks', event, entries.length], entry(command))
  else if (COMMAND_OF_0_1.test(known.text)) file.set(known.path, command)
  else {
    file.set(
      known.path,
      known.text.replace(new RegExp(`https?://[^\\s"']*?${RegExp.escape(pathOf(address))}`), address)
    )
  }
}
/** The complete command of version 0.1, which does not report a refused token. */
const COMMAND_OF_0_1 = new RegExp(
  [
    String.raw`^\{ \{ printf 'header = "Authorization: Bearer %s"' "\$${TOKEN_VARIABLE}" \| `,
    String.raw`curl -sf --max-time \d+ -K /dev/fd/3 -H 'Content-Type: application/json' --data-binary @- '[^']*' `,
    String.raw`3<&0 0<&4; \} 4<&0 \|\| echo '\{\}'; \}$`
  ].join('')
)
const pathOf = (address: string) => address.slice(address.indexOf('/v1/'))

function stringsIn(
  value: unknown,
  path: Array<string | number>
): Array<{ path: Array<string | number>; text: string }> {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, n) => stringsIn(item, [...path, n]))
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => stringsIn(item, [...path, key])) : []
}

interface HookCommand {
  address: string
  command: string
}

/**
 * All in one group, so that a client may append the input as a here-document. curl reads the token from a pipe, because
 * everybody on the machine can see its arguments. Without an answer the command prints `{}`, so that the agent goes on;
 * a refused token is reported once, when a session starts.
 */
function commandFor(url: string, event: string, harness: Harness): HookCommand {
  const address = `${url}/v1/agent-hooks/${event}?harness=${harness}`
  const header = `printf 'header = "Authorization: Bearer %s"' "$${TOKEN_VARIABLE}"`
  const transfer = `-sf --max-time ${ANSWER_TIMEOUT_SECONDS} -K /dev/fd/3`
  const options = `${transfer} -H 'Content-Type: application/json' --data-binary @-`
  const answer = `answer=$(${header} | curl ${options} -w '%{http_code}' '${address}' 3<&0 0<&4)`
  const refused = JSON.stringify(FORMATS[harness].addContext('SessionStart', REFUSED_TOKEN))
  const cases = [
    `'{'*200) printf '%s\\n' "\${answer%200}" ;;`,
    ...(event === 'session-start' ? [`401) printf '%s\\n' '${refused}' ;;`] : []),
    `*) echo '{}' ;;`
  ]
  return { address, command: `{ { ${answer}; case "$answer" in ${cases.join(' ')} esac; } 4<&0; }` }
}

/** The text for the agent, in a shell's single quotes. */
const REFUSED_TOKEN =
  `The tracker refuses the token in ${TOKEN_VARIABLE}, or there is none: tell the user to start this client with a ` +
  'valid one. Until then the tools and reminders of the tracker do not work.'
