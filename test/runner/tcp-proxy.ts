import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * Listens on a port of its own. When one side of a connection is closed, the other is, too.
 * @param to a host and port
 * @param pass is called for each connection, to pass on what either side sends
 * @returns the port
 */
export async function tcpProxy(
  t: Test,
  to: { hostname: string; port: string },
  pass: (client: Socket, server: Socket) => void
): Promise<number> {
  const proxy = createServer(client => {
    const server = connect(Number(to.port), to.hostname)
    pass(client, server)
    for (const [socket, other] of [
      [client, server],
      [server, client]
    ] as const) {
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  return (proxy.address() as AddressInfo).port
}
