import type { FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import { validSession } from '../../core/session-name.ts'
import { RestError, type ToolCall } from './contract.ts'

/** The server, as far as it is needed here. */
interface Rest { inject (options: InjectOptions): Promise<LightMyRequestResponse> }

/** A tool's way to REST: inside this process, with the caller's own token and request id. */
export function callOf (app: Rest, request: Pick<FastifyRequest, 'id' | 'headers' | 'principal'>, args: Record<string, unknown> | undefined): ToolCall {
  const session = validSession(args?.['session']) ?? validSession(request.headers['x-tracker-session'])
  const headers = {
    authorization: request.headers.authorization,
    'x-request-id': request.id,
    ...session && { 'x-tracker-session': session }
  }
  return {
    me: request.principal.accountId,
    session,
    async rest<T> (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
      const response = await app.inject({ method, url: path, headers, ...body && { payload: body } })
      const answer = response.json()
      if (response.statusCode >= 300) throw new RestError(response.statusCode, answer.code, answer.message)
      return answer as T
    }
  }
}
