/*
 * A server, for idempotency-kill.nightly.test.ts, that kills itself around a commit: POST /arm?afterMs=… sets the
 * delay after sending it.
 */
import { Type } from 'typebox'
import { readConfiguration } from '../core/config/config.ts'
import { contract } from '../core/api/contract.ts'
import { definePlugin, dependsOn } from '../core/api/plugin.ts'
import { build } from '../core/kernel/server.ts'
import { installed } from '../plugins/index.ts'

/** Negative: before the commit is sent. Undefined: never. */
let afterMs: number | undefined
let isKeyed = false
const kill = () => process.kill(process.pid, 'SIGKILL')

const arming = definePlugin(dependsOn(contract()('arming')), {
  summary: 'Arms the server',
  routes(app) {
    const querystring = Type.Object({ afterMs: Type.Number() })
    app.post('/arm', { config: { public: true }, schema: { querystring } }, async ({ query }) => {
      afterMs = query.afterMs
      return {}
    })
  }
})

function onStatement(statement: string): void {
  if (/^update "idempotency_key"/.test(statement)) isKeyed = true
  if (statement !== 'commit' || !isKeyed || afterMs === undefined) return
  if (afterMs < 0) kill()
  else if (afterMs === 0) setImmediate(kill)
  else setTimeout(kill, afterMs)
}

const plugins = { ...installed, arming: async () => ({ default: arming }) }
const server = await build({ configuration: await readConfiguration(plugins, process.env), database: { onStatement } })
await server.start()
await server.app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
