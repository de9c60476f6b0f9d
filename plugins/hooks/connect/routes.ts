import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { missing } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Problem } from '../../../core/api/schemas.ts'
import { TOOLSETS } from '../../mcp/contract.ts'
import type { Ctx } from '../context.ts'
import { CLIENT_NAMES, CLIENT_TEXTS, readsVariable, type ClientName } from './names.ts'
import { addressOf } from './options.ts'
import { scriptOf, type NewFile } from './script.ts'

const tags = ['hooks']
const Query = Closed({
  tools: Type.Enum([...TOOLSETS], { default: 'all', description: 'The tools listed to the agent.' }),
  allowTools: Type.Boolean({ default: false, description: 'The client may call the tools without asking.' })
})

const Client = Closed({
  client: Type.Enum([...CLIENT_NAMES]),
  title: Type.String(),
  files: Type.Array(
    Closed({
      path: Type.String(),
      isInHome: Type.Boolean({ description: 'The path begins in the home of the user, not in the repository.' }),
      content: Type.String({ description: 'Of a new file. It holds no token.' })
    })
  ),
  next: Type.String({ description: 'What the client asks for, or needs, before it uses the files.' }),
  unattended: Type.String({ description: 'What lets it call the tools without asking.' }),
  readsVariable: Type.Boolean({ description: 'It reads the token from the variable TRACKER_TOKEN.' })
})

/** How clients are connected without a checkout of this server. Everybody may read it, as the address itself. */
export function connectRoutes(app: App, ctx: Ctx): void {
  const config = { public: true }
  const addressIn = (request: FastifyRequest): string => addressOf(ctx.use.sessions.cookies.addressOf(request))

  app.get(
    '/v1/connect',
    {
      config,
      schema: {
        tags,
        summary: 'The agents’ clients that can be connected, with the files that each reads',
        description: 'With the address by which the server was called, or the setting `publicUrl`.',
        querystring: Query,
        response: answers(200, Type.Array(Client))
      }
    },
    async request => {
      const url = addressIn(request)
      return Promise.all(
        CLIENT_NAMES.map(async client => describe(client, await newFiles(ctx, client, url, request.query)))
      )
    }
  )
  app.get(
    '/v1/connect/:script',
    {
      config,
      schema: {
        tags,
        summary: 'A shell script that connects a client in the current folder',
        description:
          '`curl -fsS ADDRESS/v1/connect/claude-code.sh | sh`. It creates the files that do not exist, and ' +
          'prints what to add to those that do: it changes none.',
        params: Closed({ script: Type.String({ description: 'The name of the client, and `.sh`.' }) }),
        querystring: Query,
        response: {
          200: { description: 'A script', content: { 'text/x-shellscript': { schema: Type.String() } } },
          '4xx': Problem,
          '5xx': Problem
        }
      }
    },
    async (request, reply) => {
      const client = CLIENT_NAMES.find(name => `${name}.sh` === request.params.script)
      if (client === undefined) {
        throw missing(`There is no such script; there are: ${CLIENT_NAMES.map(name => `${name}.sh`).join(', ')}.`)
      }
      const files = await newFiles(ctx, client, addressIn(request), request.query)
      reply.type('text/x-shellscript; charset=utf-8')
      return reply.send(scriptOf(client, files))
    }
  )
}

/** None for a client without hooks while there are no tools. */
async function newFiles(ctx: Ctx, client: ClientName, url: string, options: Static<typeof Query>): Promise<NewFile[]> {
  const { clientFiles } = await import('./clients.ts')
  return clientFiles(client, url, { ...options, mcp: ctx.use.mcp !== undefined }).map(({ path, isInHome, edit }) => ({
    path,
    isInHome: isInHome ?? false,
    content: edit('')
  }))
}

const describe = (client: ClientName, files: NewFile[]) => ({
  client,
  ...CLIENT_TEXTS[client],
  files,
  readsVariable: readsVariable(client)
})
