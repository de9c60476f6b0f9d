/** Messages of one batch; only the oldest revision has batches. */
export const MAX_MESSAGES = 16

/**
 * An error that the protocol does not define. Its code is the HTTP status, outside the range that JSON-RPC reserves.
 * @param message the request; its id is echoed
 */
export function jsonRpcError(code: number, text: string, message?: unknown, data?: object) {
  return { jsonrpc: '2.0', id: idOf(message), error: { code, message: text, ...(data && { data }) } }
}

function idOf(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null
}
