import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from '../../core/api/contract.ts'
import { abbreviate, toApiError } from '../../core/api/errors.ts'
import { hasFields } from '../../lib/util/has-fields.ts'
import { unstorableText, validatorCompiler } from '../../core/api/http.ts'
import { Closed } from '../../core/api/schemas.ts'
import { nearestName } from '../../core/api/text.ts'
import { bareNumbers, readArguments, withKeys } from './arguments.ts'
import { forClients } from './client-schema.ts'
import type { Ctx } from './context.ts'
import {
  ImageResult,
  mcpToolArguments,
  mcpTools,
  RestError,
  ToolError,
  type Reading,
  type Tool,
  type ToolArguments,
  type ToolCall,
  type Toolset
} from './contract.ts'

export interface Toolbox {
  /**
   * The answer of `tools/list` to a token with these scopes. Tools outside of the toolset can be called all the same.
   */
  visible(scopes: readonly string[], toolset?: Toolset): ListedTool[]
  find(name: string): CallableTool | undefined
}

export interface CallableTool {
  /** True if a call with these arguments may begin while the token is looked up. */
  readsAhead(args: Record<string, unknown>): boolean
  /** Undefined: the caller has the tool's scope. */
  refuse(principal: Principal): CallToolResult | undefined
  /** The text of a result is its structured content as JSON; one with an image has the text alone. */
  call(args: Record<string, unknown>, call: ToolCall): Promise<CallToolResult>
}

export const toolsOf = (contributions: Ctx['contributions']): Tool[] =>
  contributions(mcpTools).map(({ item: tool }) =>
    contributions(mcpToolArguments)
      .filter(({ item }) => item.tool === tool.name)
      .reduce((tool, { item }) => withArguments(tool, item), tool)
  )

const withArguments = (tool: Tool, { properties, before }: ToolArguments): Tool => ({
  ...tool,
  input: Closed({ ...tool.input.properties, ...properties }),
  ...(tool.core && { core: { ...tool.core, omits: [...tool.core.omits, ...Object.keys(properties)] } }),
  async handle(args, call) {
    await before(args, call)
    return tool.handle(args, call)
  }
})

/** @throws Error when two have the same name */
export function makeToolbox(tools: readonly Tool[], log: FastifyBaseLogger): Toolbox {
  const byName = new Map(
    tools.map(tool => [
      tool.name,
      { tool, listed: { all: listed(tool), core: listedInCore(tool) }, callable: callableTool(tool, tools, log) }
    ])
  )
  const twice = tools.find((tool, i) => tools.findIndex(({ name }) => name === tool.name) !== i)
  if (twice) throw new Error(`two plugins have a tool '${twice.name}'`)

  return {
    visible: (scopes, toolset = 'all') =>
      [...byName.values()]
        .filter(({ tool }) => scopes.includes(tool.scope.name))
        .flatMap(({ listed }) => listed[toolset] ?? []),
    find: name => byName.get(name)?.callable
  }
}

function callableTool(tool: Tool, tools: readonly Tool[], log: FastifyBaseLogger): CallableTool {
  const { name, scope, hints, input, core, unlisted = [], listField, readsAhead = false } = tool
  const validate = validatorCompiler({ schema: input, method: 'POST', url: '/v1/mcp', httpPart: 'arguments' })
  const read = (sent: Arguments) => readArguments(input, sent, unlisted.concat(core?.omits ?? []))
  return {
    readsAhead: sent => readsAhead && bareNumbers(input, read(sent)).length === 0,
    refuse({ scopes }) {
      if (scopes.includes(scope.name)) return undefined
      return failure(
        `${name} needs the scope '${scope.name}', which this token does not have: an administrator can grant it.`
      )
    },
    async call(sent, call) {
      const args = read(sent)
      const refusal = refusalOf(tool, tools, validate, args)
      if (refusal !== undefined) return failure(refusal)
      try {
        const meant = await withTeam(input, args, call)
        const answer = await tool.handle(meant, call)
        if (answer instanceof ImageResult) return withImage(answer)
        const result = withoutSentKey(compactResult(answer, listField), sent, hints)
        return { content: [textOf(result)], structuredContent: result }
      } catch (error) {
        if (error instanceof ToolError) return failure(error.message)
        if (error instanceof RestError) return failure(messageOf(tool, error))
        log.error({ err: error, tool: name }, 'tool failed')
        return failure('Something went wrong inside the server; its log says what.')
      }
    }
  }
}

type Arguments = Record<string, unknown>
type Validate = ReturnType<typeof validatorCompiler>

async function withTeam(input: Tool['input'], args: Arguments, { rest }: ToolCall): Promise<Arguments> {
  const [first, ...more] = bareNumbers(input, args)
  if (first === undefined) return args
  const teams = await rest<Array<{ identifier: string }>>('GET', '/v1/teams')
  const [only, ...others] = teams.map(({ identifier }) => identifier)
  if (only !== undefined && others.length === 0) return withKeys(args, [first, ...more], only)
  const keys = [only, ...others].slice(0, 3).map(identifier => `${identifier}-${[args[first]].flat()[0]}`)
  throw new ToolError(
    `arguments.${first} '${[args[first]].flat()[0]}' may be of several teams: send the key, ${keys.join(' or ')}.`
  )
}

function refusalOf(tool: Tool, tools: readonly Tool[], validate: Validate, args: Arguments): string | undefined {
  const unstorable = unstorableText(args)
  if (unstorable !== undefined) {
    const problem = 'has a NUL character or half of a surrogate pair: send Unicode text without them.'
    return `arguments.${unstorable} ${problem}`
  }
  const { error } = validate(args) as { error?: Error }
  if (error === undefined) return undefined
  const { properties } = tool.input
  const unknown = Object.keys(args).find(name => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return unknownArgument(tool, tools, unknown)
  const { message, details } = toApiError(error) ?? { message: error.message, details: {} }
  const { field = '' } = details as { field?: string }
  const { description, instead = 'call the tool once for each' }: Reading & { description?: string } =
    (Object.hasOwn(properties, field) && (properties[field] as object)) || {}
  if (Array.isArray(args[field])) return `arguments.${field} takes one value, not a list: ${instead}.`
  if (description === undefined || field in args) return message
  return `${message.replace(/\.$/, '')}; it is: ${description}`
}

function unknownArgument({ input }: Tool, tools: readonly Tool[], name: string): string {
  const known = Object.keys(input.properties)
  const isNot = `arguments.${abbreviate(name)} is not an argument of this tool`
  if (known.length === 0) return `${isNot}: it takes none.`
  const nearest =
    nearestName(name, known) ?? known.find(argument => (input.properties[argument] as Reading).aliases?.includes(name))
  // Among the tools and arguments that every client may have been listed.
  const listing = tools.filter(
    ({ core, input }) => core !== undefined && !core.omits.includes(name) && Object.hasOwn(input.properties, name)
  )
  const only = listing.length === 1 ? listing[0] : undefined
  const other = (listing.find(({ input }) => input.required?.includes(name)) ?? only)?.name
  const hint = nearest !== undefined ? `; did you mean '${nearest}'?` : other ? `, but of ${other}.` : '.'
  return `${isNot}${hint} Its arguments are: ${known.join(', ')}.`
}

/** Without hints that the protocol assumes anyway. */
export const listed = ({ name, description, input, hints, unlisted = [] }: Tool): ListedTool => ({
  name,
  description,
  inputSchema: JSON.parse(JSON.stringify(forClients(without(input, unlisted)))),
  annotations: hints.readOnly
    ? { readOnlyHint: true }
    : {
        destructiveHint: hints.destructive,
        ...(hints.idempotent && { idempotentHint: true }),
        // Clients ask before each call of a tool that may reach other systems.
        openWorldHint: false
      }
})

function listedInCore(tool: Tool): ListedTool | undefined {
  if (tool.core === undefined) return undefined
  const { omits, requires = [] } = tool.core
  const input = without(tool.input, omits)
  return listed({ ...tool, input: Object.assign({}, input, { required: [...(input.required ?? []), ...requires] }) })
}

function without(input: Tool['input'], names: readonly string[]): Tool['input'] {
  const properties = Object.entries(input.properties).filter(([name]) => !names.includes(name))
  return { ...input, properties: Object.fromEntries(properties) }
}

/** With the argument's name instead of the field's. */
function messageOf({ restNames = {} }: Tool, { message: sent, field }: RestError): string {
  const message = sent.replaceAll(TIMES, '$1Z')
  const start = [`body.${field}`, `query.${field}`].find(start => message.startsWith(start))
  if (field === undefined || start === undefined) return message
  const renamed = Object.keys(restNames).find(name => field === name || field.startsWith(`${name}.`))
  const argument = renamed === undefined ? field : `${restNames[renamed]}${field.slice(renamed.length)}`
  return `arguments.${argument}${message.slice(start.length)}`
}

const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

const textOf = (result: object) => ({ type: 'text' as const, text: JSON.stringify(result) })

/** Without structured content: some clients show a model nothing beside it. */
const withImage = ({ result, data, mimeType }: ImageResult): CallToolResult => ({
  content: [textOf(compactResult(result, undefined)), { type: 'image', data, mimeType }]
})

type Fields = Record<string, unknown>

/** @param listField the list that stays when it is empty */
function compactResult(result: object, listField: string | undefined): Fields {
  const compacted = hasFields(result) ? compactFields(result) : {}
  return listField === undefined || listField in compacted ? compacted : { [listField]: [], ...compacted }
}

/** An answer to a change has the task's key if the caller named it in another way, or if there is nothing else. */
function withoutSentKey({ key, ...result }: Fields, { task }: Arguments, { readOnly }: Tool['hints']): Fields {
  return readOnly || key !== task || Object.keys(result).length === 0 ? { key, ...result } : result
}

const TIMES = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z\b/g
const IS_TIME = new RegExp(`^${TIMES.source}$`)
/** Removes seconds, which cost an agent tokens without information. */
const toMinutes = (name: string, value: unknown): unknown =>
  (name === 'at' || name === 'since' || name.endsWith('At')) && typeof value === 'string'
    ? value.replace(IS_TIME, '$1Z')
    : value

/**
 * Removes nulls and empty lists, which cost an agent tokens without information. Every answer passes through it:
 * `Object.entries` would take three times as long.
 */
function compactFields(fields: Fields): Fields {
  const compacted: Fields = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
    compacted[name] = typeof value === 'object' ? compact(value) : toMinutes(name, value)
  }
  return compacted
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  return hasFields(value) ? compactFields(value) : value
}
