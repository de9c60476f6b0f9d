import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolResult
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { Closed } from '../../../core/api/schemas.ts'
import { guardOf, READING, type BeginRead } from '../../../core/api/http.ts'
import { SERVER } from '../protocol/server.ts'
import type { ToolCalls } from '../tool-calls.ts'
import type { CallableTool, Toolbox } from '../toolbox.ts'

/*
 * Nearly every message is a plain tool call, for which the protocol's library has nothing to add. It is recognised and
 * answered here, with the same answer. All other messages go to the library.
 */

export interface PlainCalls {
  /** The route's `config.readAhead`: begins the call of a tool that reads ahead. */
  begin: BeginRead
  /** Undefined: the protocol's library has to handle the message. */
  answer(request: FastifyRequest): Promise<string | undefined>
}

type PlainCall = DirectCall & { tool: CallableTool }
interface BegunCall {
  call: PlainCall
  result: Promise<CallToolResult>
}

export function makePlainCalls(toolbox: Toolbox, { callTool, callAhead }: ToolCalls): PlainCalls {
  const read = ({ headers, body }: FastifyRequest): PlainCall | undefined => {
    const call = directCall(headers, body)
    const tool = call && toolbox.find(call.name)
    return tool && { ...call, tool }
  }
  return {
    begin(request, owner, reads) {
      const call = read(request)
      if (!call?.tool.readsAhead(call.args)) return
      const result = callAhead(call.tool, request, call, owner, reads)
      result.catch(() => {}) // `answer` gets the error
      request.setDecorator<BegunCall>(READING, { call, result })
    },
    async answer(request) {
      const ahead = request.getDecorator<BegunCall | null>(READING)
      const call = ahead?.call ?? read(request)
      if (call === undefined) return undefined
      const { tool } = call
      const result = tool.refuse(request.principal) ?? (await (ahead?.result ?? callTool(tool, request, call)))
      return directAnswer(call, result)
    }
  }
}

const MODERN = '2026-07-28'
/** The prefix of the keys of `_meta` that the protocol defines. */
const RESERVED = 'io.modelcontextprotocol/'

const TextOrInteger = Type.Union([
  Type.String(),
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
])
const progressToken = Type.Optional(TextOrInteger)
const Plain = Type.Optional(Closed({}))
const callWith = <M extends TSchema>(_meta: M) =>
  guardOf(
    Closed({
      jsonrpc: Type.Literal('2.0'),
      id: TextOrInteger,
      method: Type.Literal('tools/call'),
      params: Closed({
        name: Type.String(),
        arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        _meta
      })
    })
  )
const isLegacyCall = callWith(Type.Optional(Type.Object({ progressToken })))
const isModernCall = callWith(
  Type.Object({
    progressToken,
    [PROTOCOL_VERSION_META_KEY]: Type.Literal(MODERN),
    [CLIENT_CAPABILITIES_META_KEY]: Closed({
      roots: Plain,
      sampling: Plain,
      elicitation: Type.Optional(Closed({ form: Plain, url: Plain }))
    }),
    [CLIENT_INFO_META_KEY]: Type.Optional(
      Closed({ name: Type.String(), version: Type.String(), title: Type.Optional(Type.String()) })
    )
  })
)
const ENVELOPE = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

interface DirectCall {
  era: 'modern' | 'legacy'
  id: string | number
  name: string
  args: Record<string, unknown>
  meta: Record<string, unknown>
}

function directCall(headers: IncomingHttpHeaders, body: unknown): DirectCall | undefined {
  const era = headers['mcp-protocol-version'] === MODERN ? 'modern' : 'legacy'
  const call = era === 'modern' ? modern(headers, body) : legacy(headers, body)
  if (call === undefined) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = call.params
  return { era, id: call.id, name, args, meta }
}

function modern(headers: IncomingHttpHeaders, body: unknown) {
  const plain =
    isModernCall(body) &&
    headers['mcp-method'] === body.method &&
    headers['mcp-name'] === body.params.name &&
    reservedKeys(body.params._meta).every(key => ENVELOPE.includes(key))
  return plain ? body : undefined
}

function legacy({ accept = '', 'mcp-protocol-version': version }: IncomingHttpHeaders, body: unknown) {
  const plain =
    isLegacyCall(body) &&
    reservedKeys(body.params._meta ?? {}).length === 0 &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
  return plain ? body : undefined
}

const reservedKeys = (meta: object): string[] => Object.keys(meta).filter(key => key.startsWith(RESERVED))

/**
 * The answer, with the additions of its era. The text of a tool's result is its structured content as JSON, which is in
 * the answer twice and made once.
 */
function directAnswer({ era, id }: DirectCall, { structuredContent, ...result }: CallToolResult): string {
  const added = era === 'modern' ? { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: SERVER } } : {}
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, ...added } })
  if (structuredContent === undefined) return answer
  const [first] = result.content
  const json = first?.type === 'text' ? first.text : JSON.stringify(structuredContent)
  return `${answer.slice(0, -'}}'.length)},"structuredContent":${json}}}`
}
