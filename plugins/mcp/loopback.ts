import type { FastifyRequest } from 'fastify'
import type { SelfAnswer, SelfRequest } from '../../core/self-request.ts'
import { validSession } from '../../core/session-name.ts'
import { RestError, type ToolCall } from './contract.ts'

/** A tool's way to REST: inside this process, with the caller's own token and request id. */
export function callOf(
  ask: (request: SelfRequest) => Promise<SelfAnswer>,
  request: Pick<FastifyRequest, 'id' | 'headers' | 'principal'>,
  args: Record<string, unknown> | undefined
): ToolCall {
  const session = validSession(args?.['session']) ?? validSession(request.headers['x-tracker-session'])
  const headers = {
    authorization: request.headers.authorization,
    'x-request-id': request.id,
    ...(session && { 'x-tracker-session': session })
  }
  return {
    me: request.principal.accountId,
    session,
    async rest<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
      const response = await ask({ method, path, headers, body })
      if (response.statusCode < 300) return response.json<T>()
      const { code, message } = response.json<{ code: string; message: string }>()
      throw new RestError(response.statusCode, code, message)
    }
  }
}
