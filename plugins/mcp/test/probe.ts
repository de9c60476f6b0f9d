import { Type } from 'typebox'
import { contract } from '../../../core/api/contract.ts'
import { definePlugin, dependsOn } from '../../../core/api/plugin.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { readScope, writeScope } from '../../../core/api/scopes.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { mcpInstructions, mcpTools, tool } from '../contract.ts'

const hints = { readOnly: true, destructive: false, idempotent: true }

/** A plugin with tools that show how the endpoint calls tools. */
export const probe = definePlugin(dependsOn(contract()('probe')), {
  summary: 'Tools for tests',
  register(ctx) {
    ctx.contribute(
      mcpTools,
      tool({
        name: 'echo',
        description: 'Answers its arguments.',
        scope: readScope,
        hints,
        input: Closed({ text: Type.String({ maxLength: 100 }), nothing: Type.Optional(Type.String()) }),
        handle: async ({ text }) => ({ text, none: null, empty: [], kept: [{ none: null, zero: 0, no: false }] })
      })
    )
    ctx.contribute(
      mcpTools,
      tool({
        name: 'who_am_i',
        description: 'Answers the caller.',
        scope: readScope,
        hints,
        input: Closed({ session: Type.Optional(Type.String()) }),
        handle: async (_args, { me, session, rest }) => ({
          me,
          session,
          rest: await rest<object>('GET', '/v1/users/me')
        })
      })
    )
    ctx.contribute(
      mcpTools,
      tool({
        name: 'open_team',
        description: 'Makes a team.',
        scope: writeScope,
        hints: { readOnly: false, destructive: false, idempotent: false },
        input: Closed({ identifier: Type.String() }),
        handle: async ({ identifier }, { rest }) => rest<object>('POST', '/v1/teams', { identifier, name: 'Team' })
      })
    )
    ctx.contribute(
      mcpTools,
      tool({
        name: 'fail',
        description: 'Fails.',
        scope: readScope,
        hints,
        input: Closed({}),
        async handle() {
          throw new Error('secret of the inside')
        }
      })
    )
    ctx.contribute(mcpInstructions, { at: 'end', scope: writeScope, sentence: 'Close it.' })
    ctx.contribute(mcpInstructions, { at: 'start', scope: readScope, sentence: 'Look first.' })
  }
})

export interface Probed extends TestServer {
  url: string
}

/** A listening server with the mcp plugin and the probe; a replica of `on`, if given. */
export async function probedServer(mcp: object = {}, on?: TestServer): Promise<Probed> {
  const server = await testServer({
    ...(on && { on }),
    plugins: ['workspace', 'agents', 'mcp'],
    also: { probe: async () => ({ default: probe }) },
    settings: { plugins: { mcp } }
  })
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...server,
    url: `${origin}/v1/mcp`,
    async close() {
      server.app.server.closeAllConnections()
      await server.close()
    }
  }
}
