import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { READING, type BeginRead } from '../../../core/api/http.ts'
import { directAnswer, directCall, type DirectCall } from './direct-call.ts'
import { SERVER, type Servers } from '../protocol/server.ts'
import type { CallableTool, Toolbox } from '../toolbox.ts'

export interface PlainCalls {
  /** The route's `config.readAhead`: begins the call of a tool that reads ahead. */
  begin: BeginRead
  /** The answer to a plain call of a tool; undefined: the protocol's library has to handle the message. */
  answer(request: FastifyRequest): Promise<string | undefined>
}

type PlainCall = DirectCall & { tool: CallableTool }
interface BegunCall {
  call: PlainCall
  result: Promise<CallToolResult>
}

/** Calls of tools that do not need the protocol's library; see direct-call.ts. */
export function makePlainCalls(
  toolbox: Toolbox,
  { callTool, callAhead }: Pick<Servers, 'callTool' | 'callAhead'>
): PlainCalls {
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
      return directAnswer(call, result, SERVER)
    }
  }
}
