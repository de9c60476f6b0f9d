import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { onBehalfOf, type StartReads } from '../../../core/api/accounts.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { version } from '../../../core/api/http.ts'
import type { Instruction, Toolset } from '../contract.ts'
import type { DirectCall } from '../fast-path/direct-call.ts'
import { callOf, type SendRequest } from '../tool-calls.ts'
import type { CallableTool, Toolbox } from '../toolbox.ts'

/** Plugins change only with a restart, but a token's scopes may change at any time. */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const DAY = ['start', 'work', 'end']
export const SERVER = { name: 'tracker', version }

export interface ServersOptions {
  send: SendRequest
  toolbox: Toolbox
  instructions: readonly Instruction[]
}

/** Calls tools: directly, or through a server of the protocol's library, made for each request. */
export interface Servers {
  serverFor(request: FastifyRequest): Server
  callTool(tool: CallableTool, request: FastifyRequest, call: ToolArguments): Promise<CallToolResult>
  /** Begins a call before the caller is authorized; its result may be used only if `tool.refuse` returns undefined. */
  callAhead(
    tool: CallableTool,
    request: FastifyRequest,
    call: ToolArguments,
    ...ahead: Parameters<StartReads>
  ): Promise<CallToolResult>
}
type ToolArguments = Pick<DirectCall, 'args' | 'meta'>

export function makeServers({ send, toolbox, instructions }: ServersOptions): Servers {
  const sentences = instructions.toSorted((a, b) => DAY.indexOf(a.at) - DAY.indexOf(b.at))

  /** The rules for a token, without those about tools that it does not list. */
  function instructionsFor(scopes: readonly string[], toolset: Toolset): string {
    const isListed = new Set(toolbox.visible(scopes, toolset).map(({ name }) => name))
    return sentences
      .filter(({ scope }) => scopes.includes(scope.name))
      .filter(({ sentence }) => !sentence.match(/\w+/g)?.some(word => toolbox.find(word) && !isListed.has(word)))
      .map(({ sentence }) => sentence)
      .join(' ')
  }

  const run = (tool: CallableTool, request: FastifyRequest, { args, meta }: ToolArguments, me: Id) =>
    tool.call(args, callOf(send, request, me, args, meta))
  const callTool: Servers['callTool'] = async (tool, request, call) =>
    tool.refuse(request.principal) ?? onBehalfOf(request, () => run(tool, request, call, request.principal.accountId))

  function serverFor(request: FastifyRequest): Server {
    const { scopes } = request.principal
    const { tools: toolset } = request.query as { tools: Toolset }
    const server = new Server(SERVER, {
      capabilities: { tools: { listChanged: false } },
      instructions: instructionsFor(scopes, toolset),
      cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE }
    })
    server.setRequestHandler('tools/list', async () => ({ tools: toolbox.visible(scopes, toolset) }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {}, _meta: meta = {} } }) => {
      const tool = toolbox.find(name)
      if (tool) return callTool(tool, request, { args, meta })
      const names = toolbox.visible(scopes, toolset).map(({ name }) => name)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool '${name.slice(0, 80)}'; the tools are: ${names.join(', ')}.`
      )
    })
    return server
  }

  return {
    serverFor,
    callTool,
    callAhead: (tool, request, call, owner, reads) =>
      onBehalfOf(request, () => run(tool, request, call, owner.accountId), [owner, reads])
  }
}
