import { Server } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { onBehalfOf } from '../../core/auth.ts'
import { version } from '../../core/openapi.ts'
import type { App } from '../../core/plugin.ts'
import type { Instruction, Toolset } from './contract.ts'
import type { DirectCall } from './direct-call.ts'
import { callOf } from './loopback.ts'
import type { Toolbox } from './toolbox.ts'

/** Plugins change only with a restart, but a token's scopes may change at any time. */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const DAY = ['start', 'work', 'end']
export const SERVER = { name: 'tracker', version }

export interface ServersOptions {
  app: App
  toolbox: Toolbox
  instructions: readonly Instruction[]
}

/** Calls tools for requests: directly, or through a server of the protocol's library, made for each request. */
export interface Servers {
  serverFor(request: FastifyRequest): Server
  callTool(request: FastifyRequest, call: Pick<DirectCall, 'name' | 'args' | 'meta'>): ReturnType<Toolbox['call']>
}

export function makeServers({ app, toolbox, instructions }: ServersOptions): Servers {
  const sentences = instructions.toSorted((a, b) => DAY.indexOf(a.at) - DAY.indexOf(b.at))

  /** The rules for a token, without those about tools that are not listed to it. */
  function instructionsFor(scopes: readonly string[], toolset: Toolset): string {
    const isListed = new Set(toolbox.visible(scopes, toolset).map(({ name }) => name))
    return sentences
      .filter(({ scope }) => scopes.includes(scope.name))
      .filter(({ sentence }) => !sentence.match(/\w+/g)?.some(word => toolbox.has(word) && !isListed.has(word)))
      .map(({ sentence }) => sentence)
      .join(' ')
  }

  const callTool: Servers['callTool'] = (request, { name, args, meta }) =>
    onBehalfOf(request, () =>
      toolbox.call(
        name,
        args,
        request.principal,
        callOf(asked => app.inject(asked), request, args, meta)
      )
    )

  function serverFor(request: FastifyRequest): Server {
    const { scopes } = request.principal
    const { tools: toolset } = request.query as { tools: Toolset }
    const server = new Server(SERVER, {
      capabilities: { tools: { listChanged: false } },
      instructions: instructionsFor(scopes, toolset),
      cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE }
    })
    server.setRequestHandler('tools/list', async () => ({ tools: toolbox.visible(scopes, toolset) }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {}, _meta: meta = {} } }) =>
      callTool(request, { name, args, meta })
    )
    return server
  }

  return { serverFor, callTool }
}
