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

/** What signs somebody in: a provider of single sign-on adds the first two to addresses of this server. */
const SECRETS = /^(?:code|state|password|\w*token|\w*secret|api_?key|authorization)$/i
/** The address of a request as the log has it: who reads it must not be able to sign in. */
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
