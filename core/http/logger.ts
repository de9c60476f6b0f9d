import { isatty } from 'node:tty'
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import type { Principal } from '../api/contract.ts'

interface LoggerOptions {
  level: string
  /** The file descriptor to write to. Default: standard output. */
  fd?: number
  isTerminal?: boolean
}

/** Lines of JSON; in a terminal, readable lines. */
export async function makeLogger({ level, fd = 1, isTerminal = isatty(fd) }: LoggerOptions): Promise<Logger> {
  const options = { level, redact: ['req.headers.authorization'] }
  if (!isTerminal) return pino(options, pino.destination(fd))
  const { default: pretty } = await import('pino-pretty')
  const lines = pretty({
    destination: fd,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,method,url,statusCode,responseTimeMs,workspaceId,tokenId',
    messageFormat: (log, messageKey) =>
      log['responseTimeMs'] === undefined
        ? String(log[messageKey])
        : `${log['method']} ${log['url']} ${log['statusCode']} in ${log['responseTimeMs']} ms`
  })
  return pino(options, lines)
}

export const isHealthProbe = (path: string | undefined) => path?.startsWith('/health/') ?? false

/** Credentials in queries: single sign-on providers add `code` and `state` to addresses of this server. */
const SECRETS = /^(?:code|state|password|\w*token|\w*secret|api_?key|authorization)$/i
const withoutSecrets = (url: string) =>
  url
    .replaceAll(/([?&;])([^=&;?#]*)=[^&#]*/g, (pair, before: string, name: string) =>
      SECRETS.test(decoded(name)) ? `${before}${name}=…` : pair
    )
    .replaceAll(/\btrk_[0-9A-Za-z]+/g, 'trk_…')

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The request's address and, if known, caller. For a request of a tool: the caller of the tool. */
function callerOf({ ip, principal }: FastifyRequest): object {
  // Null before a route, and for public routes.
  const { address = ip, workspaceId, accountId, tokenId } = (principal ?? {}) as Partial<Principal>
  return { address, ...(tokenId !== undefined && { workspaceId, accountId, tokenId }) }
}

/** One line for each answered request, except for successful health probes. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request
    const url = withoutSecrets(request.url)
    const { statusCode } = reply
    if (!error && statusCode < 400 && isHealthProbe(request.routeOptions.url)) return
    request.log.info(
      {
        method,
        url,
        statusCode,
        responseTimeMs: Math.round(reply.elapsedTime * 10) / 10,
        ...callerOf(request),
        ...(error && { error: error.message })
      },
      'request completed'
    )
  }
}
