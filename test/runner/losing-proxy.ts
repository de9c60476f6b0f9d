import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface LosingProxy {
  /** The database, through the proxy. */
  url: string
  /** Begins to wait for a statement that matches, in a transaction whose commit is lost. */
  arm(statement: RegExp): void
  cuts(): number
}

/** A way to PostgreSQL that is cut once, between the commit of a transaction and its answer. */
export async function losingProxy(t: Test, databaseUrl: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(databaseUrl)
  let awaited: RegExp | undefined
  let cuts = 0
  const proxy = createServer(client => {
    const database = connect(Number(port), hostname)
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
    for (const [socket, other] of [
      [client, database],
      [database, client]
    ] as const) {
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return { url: url.href, arm: statement => (awaited = statement), cuts: () => cuts }
}
