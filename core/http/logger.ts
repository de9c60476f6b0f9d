import { isatty } from 'node:tty'
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'
import type { Principal } from '../api/contract.ts'

interface LoggerOptions {
  level: string
  /** The file descriptor to write to. Default: standard output. */
  fd?: number
  /** Whether a person reads along. Default: what the file descriptor is. */
  isTerminal?: boolean
}

/** Lines of JSON for programs; in a terminal, lines for people. */
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

const isHealthProbe = (path: string | undefined) => path?.startsWith('/health/') ?? false

/** What a provider of single sign-on adds to addresses of this server: who reads a log must not sign in with it. */
const withoutSecrets = (url: string) => url.replaceAll(/([?&](?:code|state)=)[^&#]*/gi, '$1…')

/** Where a request comes from, and from whom, when that is known: of what a tool requests, who called the tool. */
function callerOf({ ip, principal }: FastifyRequest): object {
  // Null in what is answered before a route, and for routes that need no token.
  const { address = ip, workspaceId, accountId, tokenId } = (principal ?? {}) as Partial<Principal>
  return { address, ...(tokenId !== undefined && { workspaceId, accountId, tokenId }) }
}

/** One line for each request when it is answered; none for a health probe that succeeds. */
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
