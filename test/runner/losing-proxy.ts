import type { Test } from 'tap'
import { tcpProxy } from './tcp-proxy.ts'

interface LosingProxy {
  /** The database, through the proxy. */
  url: string
  /** Begins to wait for a statement that matches, in a transaction whose commit is lost. */
  arm(statement: RegExp): void
  cuts(): number
}

/** A way to PostgreSQL that is cut once, between the commit of a transaction and its answer. */
export async function losingProxy(t: Test, databaseUrl: string): Promise<LosingProxy> {
  let awaited: RegExp | undefined
  let cuts = 0
  const url = new URL(databaseUrl)
  const port = await tcpProxy(t, new URL(databaseUrl), (client, database) => {
    let isChosen = false
    let commits = false
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      isChosen ||= awaited?.test(text) ?? false
      commits ||= isChosen && cuts === 0 && /\bcommit\b/i.test(text)
      database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      if (!commits) return client.write(chunk)
      cuts++
      client.resetAndDestroy()
      database.destroy()
    })
  })
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, arm: statement => (awaited = statement), cuts: () => cuts }
}
