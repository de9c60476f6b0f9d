import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import { resolve as resolvePath } from 'node:path'
import { json } from 'node:stream/consumers'
import { findCommand, runCommand } from '../../api/command.ts'
import { version } from '../../../lib/packages/version.ts'
import { commands, type Command } from '../../api/points.ts'
import type { Server } from '../../kernel/server.ts'
import { explainFullDisk } from '../../db/start-errors.ts'
import { makeTerminal } from '../terminal.ts'
import { problemsOf } from '../../http/validation.ts'
import { prepareSocket, removeSocket } from './folder.ts'
import { commandRequest, ROUTE, type CommandRequest, type Frame } from './protocol.ts'

/** Sockets are created without access for others. */
const UMASK = 0o177

export interface Door {
  /** Aborts the running commands, and waits for their end. */
  close(): Promise<void>
}

/**
 * Runs commands for the owner of the data folder, because only this process can open its database. It listens on a Unix
 * socket only.
 * @throws Error when the folder is a link or another user's
 */
export async function openDoor(server: Server, dataDir: string): Promise<Door> {
  const known = server
    .contributions(commands)
    .map(({ item }) => item)
    .filter(({ needsDatabase }) => needsDatabase)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const http = createServer((request, response) => {
    const work = answer(request, response, { known, server, stopped: stopping.signal }).finally(() =>
      running.delete(work)
    )
    running.add(work)
  })
  await listen(http, await prepareSocket(dataDir))
  return {
    async close() {
      http.close()
      stopping.abort()
      http.closeAllConnections()
      await Promise.all(running)
      await removeSocket(dataDir)
    }
  }
}

async function listen(http: HttpServer, path: string): Promise<void> {
  const umask = process.umask(UMASK)
  try {
    // `listen` creates the socket before it returns.
    http.listen(path)
  } finally {
    process.umask(umask)
  }
  await once(http, 'listening')
}

interface DoorContext {
  known: readonly Command[]
  server: Server
  stopped: AbortSignal
}

async function answer(request: IncomingMessage, response: ServerResponse, context: DoorContext): Promise<void> {
  function refuse(status: number, message: string): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
  }
  if (request.method !== ROUTE.method || request.url !== ROUTE.path) {
    return refuse(404, 'Here are only the commands that npm run tracker -- help lists.')
  }
  const body: unknown = await json(request).catch(() => undefined)
  const theirs = (body as Partial<CommandRequest> | undefined)?.version
  if (theirs !== version) {
    return refuse(
      409,
      `The server that uses this data folder is tracker ${version}, and this command is of ` +
        `${theirs ?? 'another version'}: use the command of the same version, or restart the server with the other one.`
    )
  }
  const [problem] = problemsOf(commandRequest, body, 'body')
  if (problem !== undefined) return refuse(400, `${problem}.`)
  await perform(body as CommandRequest, response, context)
}

async function perform(
  { args, folder, env, hasScreen }: CommandRequest,
  response: ServerResponse,
  { known, server, stopped }: DoorContext
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('Who sent the command has gone.')))
  response.on('error', () => {}) // its connection has broken, which `close` tells
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const send = (frame: Frame, done?: () => void) => response.write(`${JSON.stringify(frame)}\n`, done)
  const signal = AbortSignal.any([gone.signal, stopped])
  const terminal = makeTerminal({
    write: text => new Promise(resolve => send({ out: text }, () => resolve())),
    writeError(err) {
      send({ err })
    },
    path: name => resolvePath(folder, name),
    hasScreen,
    env,
    isInServer: true,
    assertThere: () => signal.throwIfAborted()
  })
  const end = await runCommand(known, args, async () => {}, terminal).then(
    (exit): Frame => ({ exit }),
    (error: Error): Frame => {
      const { message, cause } = explainFullDisk(error)
      return { failure: message, ...(cause instanceof Error && { cause: cause.message }) }
    }
  )
  const command = findCommand(known, args)?.name
  server.app.log.info({ command, actor: 'system', ...end }, 'a command came from the data folder')
  if (gone.signal.aborted) return
  send(end)
  response.end()
}
