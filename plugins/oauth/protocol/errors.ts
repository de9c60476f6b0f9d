import { toApiError } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'

/** An error in the form of RFC 6749. @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export class OauthError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(statusCode: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.headers = headers
  }
}
export const invalidRequest = (message: string) => new OauthError(400, 'invalid_request', message)
export const invalidGrant = (message: string) => new OauthError(400, 'invalid_grant', message)
/** With this answer clients register again. */
export const unknownClient = () =>
  new OauthError(401, 'invalid_client', 'This client is unknown, or its registration has expired: register it again.')

export function answerInOauth(app: App): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof OauthError) {
      return reply
        .code(error.statusCode)
        .headers(error.headers)
        .send({ error: error.code, error_description: error.message })
    }
    const known = toApiError(error)
    if (known === undefined) throw error
    return reply
      .code(known.statusCode)
      .headers(known.headers)
      .send({
        error: known.statusCode >= 500 ? 'temporarily_unavailable' : 'invalid_request',
        error_description: known.message
      })
  })
}
