import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { version } from '../../../core/api/http.ts'
import type { Instruction, Toolset } from '../contract.ts'
import type { ToolCalls } from '../tool-calls.ts'
import type { Toolbox } from '../toolbox.ts'

/** Plugins change only with a restart, but a token's scopes may change at any time. */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const ORDER = ['start', 'work', 'end']
export const SERVER = { name: 'tracker', version }

interface ServerOptions {
  toolbox: Toolbox
  callTool: ToolCalls['callTool']
  instructions: readonly Instruction[]
}

export function makeServers({ toolbox, callTool, instructions }: ServerOptions): (request: FastifyRequest) => Server {
  const sentences = instructions.toSorted((a, b) => ORDER.indexOf(a.at) - ORDER.indexOf(b.at))

  /** Without sentences about tools that the token does not list. */
  function instructionsFor(scopes: readonly string[], toolset: Toolset): string {
    const isListed = new Set(toolbox.visible(scopes, toolset).map(({ name }) => name))
    return sentences
      .filter(({ scope }) => scopes.includes(scope.name))
      .filter(({ sentence }) => !sentence.match(/\w+/g)?.some(word => toolbox.find(word) && !isListed.has(word)))
      .map(({ sentence }) => sentence)
      .join(' ')
  }

  return request => {
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
}
