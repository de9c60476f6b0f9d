import type { FastifyReply } from 'fastify'

/** Sends JSON that the database has made, as it is: nothing is parsed or serialised on the way. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply => reply.type('application/json; charset=utf-8').send(json)
