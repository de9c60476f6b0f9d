import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'
import { emptyDatabase } from '../../../test/runner/empty-database.ts'

t.test('a server stops in order, although clients are connected whose requests do not arrive', async t => {
  const database = await emptyDatabase(undefined)
  t.teardown(database.remove)
  const server = await startProcess({ ...database.env, ...onlyPlugins('workspace') })
  const port = Number(new URL(server.url).port)
  const sent = [
    '',
    'GET /health/live HTTP/1.1\r\nHost: a',
    'POST /v1/teams HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'
  ]
  const sockets = await Promise.all(
    sent.map(async text => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(text)
      return socket
    })
  )
  t.teardown(() => sockets.forEach(socket => socket.destroy()))
  t.equal(await server.end('SIGTERM'), 0, server.output())
})
