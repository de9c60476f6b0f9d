import { parse, patch } from '@decimalturn/toml-patch'
import { isMap, parseDocument } from 'yaml'
import { addCursorHooks, addGroupedHooks } from './hook-entries.ts'
import { isObject, jsonFile, type JsonFile } from './json-file.ts'
import type { ClientName } from './names.ts'
import { TOKEN_VARIABLE, type ConfigFile, type ConnectOptions } from './options.ts'
import { addServer, mergeServer, SERVER, type AddressField } from './server-entry.ts'

const TOKEN_INPUT = 'tracker-token'

/** None without tools for a client that has no hooks. */
export const clientFiles = (client: ClientName, url: string, options: ConnectOptions): ConfigFile[] =>
  CLIENTS[client](url, options)

const CLIENTS: Record<ClientName, (url: string, options: ConnectOptions) => ConfigFile[]> = {
  'claude-code': (url, options) => [
    ...serverFile(url, options, '.mcp.json', 'mcpServers', 'url', {
      type: 'http',
      headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` }
    }),
    jsonConfig('.claude/settings.json', file => {
      addGroupedHooks(file, 'claude-code', url)
      if (options.mcp && options.allowTools) addToList(file, 'permissions', 'allow', `mcp__${SERVER}`)
    })
  ],
  codex: (url, options) => [
    ...(options.mcp ? [codexServers(url, options)] : []),
    jsonConfig('.codex/hooks.json', file => addGroupedHooks(file, 'codex', url))
  ],
  cursor: (url, options) => [
    ...serverFile(url, options, '.cursor/mcp.json', 'mcpServers', 'url', {
      headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` }
    }),
    jsonConfig('.cursor/hooks.json', file => addCursorHooks(file, url))
  ],
  gemini: (url, { mcp, allowTools, tools }) => [
    jsonConfig('.gemini/settings.json', file => {
      const fields = { headers: { Authorization: `Bearer $${TOKEN_VARIABLE}` } }
      const address = endpointOf(url)
      if (mcp) addServer(file, { key: 'mcpServers', field: 'httpUrl', address, fields, tools })
      if (mcp && allowTools) file.set(['mcpServers', SERVER, 'trust'], true)
      addGroupedHooks(file, 'gemini', url)
    })
  ],
  opencode: (url, options) =>
    serverFile(url, options, 'opencode.json', 'mcp', 'url', {
      type: 'remote',
      enabled: true,
      oauth: false,
      headers: { Authorization: `Bearer {env:${TOKEN_VARIABLE}}` }
    }),
  vscode: (url, options) =>
    serverFile(
      url,
      options,
      '.vscode/mcp.json',
      'servers',
      'url',
      { type: 'http', headers: { Authorization: `Bearer \${input:${TOKEN_INPUT}}` } },
      addTokenInput
    ),
  zed: (url, options) => serverFile(url, options, '.zed/settings.json', 'context_servers', 'url', {}),
  windsurf: (url, options) =>
    serverFile(url, options, '.codeium/windsurf/mcp_config.json', 'mcpServers', 'serverUrl', {
      headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` }
    }).map(inHome),
  goose: (url, options) => (options.mcp ? [inHome(gooseExtensions(url, options))] : []),
  amp: (url, options) =>
    serverFile(
      url,
      options,
      '.amp/settings.json',
      'amp.mcpServers',
      'url',
      { headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` } },
      file => options.allowTools && allowAmpTools(file)
    )
}

const endpointOf = (url: string): string => `${url}/v1/mcp`
const inHome = (file: ConfigFile): ConfigFile => ({ ...file, isInHome: true })

function serverFile(
  url: string,
  { mcp, tools }: ConnectOptions,
  path: string,
  key: string,
  field: AddressField,
  fields: Record<string, unknown>,
  more?: (file: JsonFile) => void
): ConfigFile[] {
  if (!mcp) return []
  return [
    jsonConfig(path, file => {
      addServer(file, { key, field, address: endpointOf(url), fields, tools })
      more?.(file)
    })
  ]
}

const jsonConfig = (path: string, change: (file: JsonFile) => void): ConfigFile => ({
  path,
  edit(text) {
    const file = jsonFile(text)
    change(file)
    return file.text()
  }
})

const codexServers = (url: string, { allowTools, tools }: ConnectOptions): ConfigFile => ({
  path: '.codex/config.toml',
  edit(text) {
    const config = parseToml(text)
    const servers = (config['mcp_servers'] ??= {})
    if (!isObject(servers)) throw new Error("has an 'mcp_servers' that is not a table")
    const fields = { bearer_token_env_var: TOKEN_VARIABLE }
    servers[SERVER] = {
      ...mergeServer(servers[SERVER], { field: 'url', address: endpointOf(url), fields, tools }),
      ...(allowTools && { default_tools_approval_mode: 'approve' })
    }
    // TOML 1.0, which clients parse, has no comma after the last field of an inline table.
    return withoutEmptyTable(text, patch(text, config, { inlineTableStart: 2, trailingComma: false }))
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

/** goose keeps its extensions in the user's YAML file, whose comments stay. */
const gooseExtensions = (url: string, { tools }: ConnectOptions): ConfigFile => ({
  path: '.config/goose/config.yaml',
  edit(text) {
    const file = parseDocument(text)
    const [error] = file.errors
    if (error) throw new Error(`is not valid YAML (${error.message.split('\n')[0]})`)
    if (file.contents !== null && !isMap(file.contents)) throw new Error('is not a YAML mapping')
    const extensions: unknown = file.getIn(['extensions'])
    if (extensions !== undefined && !isMap(extensions)) throw new Error("has 'extensions' that are not a mapping")
    const before: unknown = isMap(extensions) ? extensions.toJS(file)[SERVER] : undefined
    const merged = mergeServer(before, {
      field: 'uri',
      address: endpointOf(url),
      fields: {
        type: 'streamable_http',
        name: SERVER,
        enabled: true,
        timeout: 300,
        env_keys: [TOKEN_VARIABLE],
        headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` }
      },
      tools
    })
    if (JSON.stringify(merged) === JSON.stringify(before)) return text
    file.setIn(['extensions', SERVER], merged)
    return file.toString({ lineWidth: 0 })
  }
})

function addToList(file: JsonFile, key: string, list: string, value: string): void {
  const object = file.at([key])
  if (object !== undefined && !isObject(object)) throw new Error(`has '${key}' that are not an object`)
  const values = object?.[list] ?? []
  if (!Array.isArray(values)) throw new Error(`has a '${key}.${list}' that is not a list`)
  if (!values.includes(value)) file.set([key, list, values.length], value)
}

function addTokenInput(file: JsonFile): void {
  const inputs = file.at(['inputs']) ?? []
  if (!Array.isArray(inputs)) throw new Error("has 'inputs' that are not a list")
  if (inputs.some(input => isObject(input) && input['id'] === TOKEN_INPUT)) return
  const input = {
    type: 'promptString',
    id: TOKEN_INPUT,
    description: 'The agent’s token of the tracker',
    password: true
  }
  file.set(['inputs', inputs.length], input)
}

function allowAmpTools(file: JsonFile): void {
  const key = 'amp.permissions'
  const rules = file.at([key]) ?? []
  if (!Array.isArray(rules)) throw new Error(`has '${key}' that are not a list`)
  const tool = `mcp__${SERVER}__*`
  if (!rules.some(rule => isObject(rule) && rule['tool'] === tool)) {
    file.set([key, rules.length], { tool, action: 'allow' })
  }
}
