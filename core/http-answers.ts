import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends JSON that the database has made, as it is: nothing is parsed or serialised on the way. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply => reply.type(JSON_TYPE).send(json)

/** Sends JSON piece by piece, as fast as the client reads and no faster. */
export const streamJson = (reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply =>
  reply.type(JSON_TYPE).send(Readable.from(pieces))
