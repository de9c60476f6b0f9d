import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Id } from '../../core/api/database/types.ts'
import { onBehalfOf, validSession, type StartReads } from '../../core/api/accounts.ts'
import { RawBody, RestError, ToolError, type RestErrorBody, type ToolCall } from './contract.ts'
import type { CallableTool } from './toolbox.ts'

export interface RestRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string | undefined>
  payload?: object
}

export interface InnerAnswer {
  readonly statusCode: number
  json<T>(): T
}
export type SendRequest = (request: RestRequest) => Promise<InnerAnswer>

/** The key of `_meta` that corresponds to the header `Idempotency-Key` of REST. */
const IDEMPOTENCY_META_KEY = 'tracker/idempotencyKey'

/** @param meta its idempotency key is sent with the request that writes */
export function callOf(
  send: SendRequest,
  request: Pick<FastifyRequest, 'id' | 'headers'>,
  me: Id,
  args: Record<string, unknown> | undefined,
  meta: Record<string, unknown> = {}
): ToolCall {
  const session = validSession(args?.['session']) ?? validSession(request.headers['x-tracker-session'])
  const headers = {
    authorization: request.headers.authorization,
    'x-request-id': request.id,
    ...(session && { 'x-tracker-session': session })
  }
  return {
    me,
    session,
    async rest<T>(method: RestRequest['method'], path: string, body?: object): Promise<T> {
      const sent = method === 'GET' ? headers : { ...headers, ...idempotencyHeader(meta) }
      const response = await send({ method, url: path, ...bodyOf(body, sent) })
      if (response.statusCode < 300) return response.json<T>()
      throw new RestError(response.statusCode, response.json<RestErrorBody>())
    }
  }
}

const bodyOf = (body: object | undefined, headers: RestRequest['headers']): Pick<RestRequest, 'headers' | 'payload'> =>
  body instanceof RawBody
    ? { headers: { ...headers, ...body.headers }, payload: body.bytes }
    : { headers, ...(body && { payload: body }) }

/** @throws ToolError when the key is not a string */
function idempotencyHeader(meta: Record<string, unknown>): { 'idempotency-key'?: string } {
  const key = meta[IDEMPOTENCY_META_KEY]
  if (key === undefined) return {}
  if (typeof key !== 'string') {
    throw new ToolError(`_meta["${IDEMPOTENCY_META_KEY}"] must be text of 1 to 255 characters.`)
  }
  return { 'idempotency-key': key }
}

export interface ToolCalls {
  callTool(tool: CallableTool, request: FastifyRequest, call: SentArguments): Promise<CallToolResult>
  /** Begins a call before the caller is authorized; its result may be used only if `tool.refuse` returns undefined. */
  callAhead(
    tool: CallableTool,
    request: FastifyRequest,
    call: SentArguments,
    ...ahead: Parameters<StartReads>
  ): Promise<CallToolResult>
}
interface SentArguments {
  args: Record<string, unknown>
  meta: Record<string, unknown>
}

export function makeToolCalls(send: SendRequest): ToolCalls {
  const run = (tool: CallableTool, request: FastifyRequest, { args, meta }: SentArguments, me: Id) =>
    tool.call(args, callOf(send, request, me, args, meta))
  return {
    callTool: async (tool, request, call) =>
      tool.refuse(request.principal) ??
      onBehalfOf(request, () => run(tool, request, call, request.principal.accountId)),
    callAhead: (tool, request, call, owner, reads) =>
      onBehalfOf(request, () => run(tool, request, call, owner.accountId), [owner, reads])
  }
}
