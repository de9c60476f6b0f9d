import type { FastifyReply } from 'fastify'

const HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The address of such a page contains the provider's code.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store'
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function send(reply: FastifyReply, status: number, { head = '', body }: { head?: string; body: string }): FastifyReply {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>\n`
  return reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(page)
}

/** A page that forwards by itself. After a redirect from another site, a browser would not send `Strict` cookies. */
export function goOn(reply: FastifyReply, to: string): FastifyReply {
  const address = escapeHtml(to)
  return send(reply, 200, {
    head: `<meta http-equiv="refresh" content="0; url=${address}"><title>Signing in</title>`,
    body: `<p><a href="${address}">Go on</a></p>`
  })
}

export const sendFailurePage = (reply: FastifyReply, status: number, message: string, back: string): FastifyReply =>
  send(reply, status, {
    head: '<title>Not signed in</title>',
    body: `<h1>Not signed in</h1><p>${escapeHtml(message)}</p><p><a href="${escapeHtml(back)}">Back</a></p>`
  })
