import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from '../../core/contract.ts'
import { toApiError } from '../../core/errors.ts'
import { hasFields } from '../../core/has-fields.ts'
import { unstorableText, validatorCompiler } from '../../core/validation.ts'
import { readArguments } from './arguments.ts'
import { RestError, ToolError, type Tool, type ToolCall, type Toolset } from './contract.ts'

export interface Toolbox {
  /**
   * What `tools/list` answers to a token with these scopes. Tools outside of the toolset can be called all the same.
   */
  visible(scopes: readonly string[], toolset?: Toolset): ListedTool[]
  find(name: string): CallableTool | undefined
}

/** A tool whose arguments are checked; whatever goes wrong is a result with `isError`. */
export interface CallableTool {
  /** Whether a call may begin while the token is looked up. */
  readsAhead: boolean
  /** The answer to a caller without the tool's scope; undefined: the caller has it. */
  refuse(principal: Principal): CallToolResult | undefined
  /** The text of a result is its structured content as JSON. */
  call(args: Record<string, unknown>, call: ToolCall): Promise<CallToolResult>
}

/** The tools of all plugins; their schemas are compiled here, once. @throws Error when two have one name */
export function makeToolbox(tools: readonly Tool[], log: FastifyBaseLogger): Toolbox {
  const byName = new Map(
    tools.map(tool => [
      tool.name,
      { tool, listed: { all: listed(tool), core: listedInCore(tool) }, callable: callableTool(tool, log) }
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

function callableTool(tool: Tool, log: FastifyBaseLogger): CallableTool {
  const { name, scope, input, listField, readsAhead = false } = tool
  const validate = validatorCompiler({ schema: input, method: 'POST', url: '/v1/mcp', httpPart: 'arguments' })
  return {
    readsAhead,
    refuse({ scopes }) {
      if (scopes.includes(scope.name)) return undefined
      return failure(
        `${name} needs the scope '${scope.name}', which this token does not have: an administrator can grant it.`
      )
    },
    async call(sent, call) {
      const read = readValid(tool, validate, sent)
      if ('refusal' in read) return failure(read.refusal)
      try {
        const result = compactResult(await tool.handle(read.args, call), listField)
        return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
      } catch (error) {
        if (error instanceof ToolError) return failure(error.message)
        if (error instanceof RestError) return failure(messageOf(tool, error))
        log.error({ err: error, tool: name }, 'tool failed')
        return failure('Something went wrong inside the server; its log has this request id.')
      }
    }
  }
}

type Validate = ReturnType<typeof validatorCompiler>

/** The arguments of a call as the tool takes them. @returns what is wrong with them, if so */
function readValid(
  tool: Tool,
  validate: Validate,
  sent: Record<string, unknown>
): { args: Record<string, unknown> } | { refusal: string } {
  const plain = readArguments(tool.input, sent)
  const args = tool.readArguments?.(plain) ?? plain
  const unstorable = unstorableText(args)
  if (unstorable !== undefined) {
    const problem = 'has a NUL character or half of a surrogate pair: send Unicode text without them.'
    return { refusal: `arguments.${unstorable} ${problem}` }
  }
  const { error } = validate(args) as { error?: Error }
  if (error === undefined) return { args }
  const alias = Object.keys(args).find(name => TASK_ALIASES.includes(name) && !(name in tool.input.properties))
  if (alias === undefined || !('task' in tool.input.properties)) return { refusal: refusalOf(error) }
  return { refusal: `arguments.${alias} is not an argument of this tool: send the key or id of the task as 'task'.` }
}

/** What models call the argument `task` when they guess. */
const TASK_ALIASES = ['key', 'id', 'issue', 'issueId', 'issueKey', 'taskId', 'taskKey']

/** A tool as `tools/list` shows it; hints that the protocol assumes anyway are left out. */
export const listed = ({ name, description, input, hints }: Tool): ListedTool => ({
  name,
  description,
  inputSchema: JSON.parse(JSON.stringify(input)),
  annotations: hints.readOnly
    ? { readOnlyHint: true }
    : {
        destructiveHint: hints.destructive,
        ...(hints.idempotent && { idempotentHint: true }),
        // Clients ask before each call of a tool that may reach systems beyond the server.
        openWorldHint: false
      }
})

/** A core tool as the list of the core tools shows it; undefined: it is not there. */
export function listedInCore(tool: Tool): ListedTool | undefined {
  if (tool.core === undefined) return undefined
  const { omits } = tool.core
  const properties = Object.entries(tool.input.properties).filter(([name]) => !omits.includes(name))
  return listed({ ...tool, input: { ...tool.input, properties: Object.fromEntries(properties) } })
}

/** What is wrong with arguments that the tool's schema refused. */
function refusalOf(error: Error): string {
  const refusal = toApiError(error)
  const { field, knownFields } = (refusal?.details ?? {}) as { field?: string; knownFields?: string[] }
  if (knownFields === undefined) return refusal?.message ?? error.message
  const known = knownFields.length === 0 ? ': it takes none.' : `; its arguments are: ${knownFields.join(', ')}.`
  return `arguments.${field} is not an argument of this tool${known}`
}

/** REST's message, with the name of the argument in the place of the field that it begins with. */
function messageOf({ restNames = {} }: Tool, { message, field }: RestError): string {
  const start = [`body.${field}`, `query.${field}`].find(start => message.startsWith(start))
  if (field === undefined || start === undefined) return message
  const renamed = Object.keys(restNames).find(name => field === name || field.startsWith(`${name}.`))
  const argument = renamed === undefined ? field : `${restNames[renamed]}${field.slice(renamed.length)}`
  return `arguments.${argument}${message.slice(start.length)}`
}

const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

type Fields = Record<string, unknown>

/** @param listField the list that stays although it is empty */
function compactResult(result: object, listField: string | undefined): Fields {
  const compacted = hasFields(result) ? compactFields(result) : {}
  return listField === undefined || listField in compacted ? compacted : { [listField]: [], ...compacted }
}

const IS_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
/** A time without its seconds, which cost tokens without informing an agent. */
const toMinutes = (name: string, value: unknown): unknown =>
  (name === 'at' || name.endsWith('At')) && typeof value === 'string' && IS_TIME.test(value)
    ? `${value.slice(0, 16)}Z`
    : value

/**
 * Without nulls and empty lists, which cost tokens without informing an agent. Each answer goes through it: with
 * `Object.entries` it would take three times as long.
 */
function compactFields(fields: Fields): Fields {
  const kept: Fields = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue
    kept[name] = typeof value === 'object' ? compact(value) : toMinutes(name, value)
  }
  return kept
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  return hasFields(value) ? compactFields(value) : value
}
