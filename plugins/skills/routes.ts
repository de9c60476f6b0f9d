import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { Type } from 'typebox'
import { abbreviate, missing } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Problem } from '../../core/api/schemas.ts'
import { TOOLSETS, type Toolset } from '../mcp/contract.ts'
import { guideFiles, guideParts } from './contract.ts'
import { readGuides } from './guides.ts'
import type { Ctx } from './context.ts'

const tags = ['guides']
/** The first name is used by one vendor, the second by all others. */
const INSTRUCTION_FILES = ['CLAUDE.md', 'AGENTS.md']
/** @see https://agentskills.io discovery index 0.2.0 */
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const Index = Closed({
  $schema: Type.Literal(SCHEMA),
  skills: Type.Array(
    Closed({
      name: Type.String(),
      type: Type.Literal('skill-md'),
      description: Type.String(),
      url: Type.String({ description: 'Relative to this index.' }),
      digest: Type.String({ description: '`sha256:` and the hex digest of what `url` serves.' })
    })
  )
})
const Query = Closed({
  tools: Type.Enum([...TOOLSETS], {
    default: 'all',
    description: 'For agents whose address of the MCP server has the same: which tools the text may name.'
  })
})
const Markdown = {
  200: { description: 'Markdown', content: { 'text/markdown': { schema: Type.String() } } },
  '4xx': Problem,
  '5xx': Problem
}

/** They enclose the section, so that it can be replaced by a newer one. */
const BEGIN = '<!-- tracker:begin -->'
const END = '<!-- tracker:end -->'
const wrapInMarkers = (section: string) => `${BEGIN}\n${section}${END}\n`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Document {
  contentType: string
  text: string
  etag: string
}
const document = (contentType: string, text: string): Document => ({ contentType, text, etag: `"${sha256(text)}"` })
const markdown = (text: string) => document('text/markdown; charset=utf-8', text)

/** Assembled once: they change only with a restart, like the enabled plugins. */
function makeDocuments(ctx: Ctx, toolset: Toolset) {
  const contributed = ctx
    .contributions(guideFiles)
    .map(({ item }) => item)
    .filter(({ core }) => core === true || toolset === 'all')
  const parts = toolset === 'all' ? ctx.contributions(guideParts).map(({ item }) => item) : []
  const query = toolset === 'all' ? '' : `?tools=${toolset}`
  const all = readGuides(
    contributed.map(({ folder }) => folder),
    parts
  )
  const asInstructions = new Set(contributed.map(({ instructions }) => instructions))
  const guides = all.filter(({ name }) => !asInstructions.has(name))
  const index = document(
    'application/json; charset=utf-8',
    JSON.stringify({
      $schema: SCHEMA,
      skills: guides.map(({ name, description, skill }) => ({
        name,
        type: 'skill-md',
        description,
        url: `${name}/SKILL.md${query}`,
        digest: `sha256:${sha256(skill)}`
      }))
    })
  )
  const skills = new Map(guides.map(({ name, skill }) => [name, markdown(skill)]))
  const instructions = new Map(
    all
      .filter(({ name }) => asInstructions.has(name))
      .flatMap(({ body }) => INSTRUCTION_FILES.map(file => [file, markdown(wrapInMarkers(body))]))
  )
  return { index, skills, instructions }
}

export function guideRoutes(app: App, ctx: Ctx): void {
  const documents = { all: makeDocuments(ctx, 'all'), core: makeDocuments(ctx, 'core') }
  const config = { public: ctx.settings.public, confined: { allows: 'all guides, which teach the tools' } }
  // Clients revalidate on each use, which costs a 304: the digests of an index must match the current guides.
  const cacheControl = `${ctx.settings.public ? 'public' : 'private'}, no-cache`
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('cache-control', cacheControl)
  })

  for (const url of ['/.well-known/agent-skills/', '/.well-known/agent-skills/index.json']) {
    app.get(
      url,
      {
        config,
        schema: {
          tags,
          summary: 'The guides for agents: a discovery index of Agent Skills',
          querystring: Query,
          response: answers(200, Index)
        }
      },
      async (request, reply) => send(request, reply, documents[request.query.tools].index)
    )
  }
  app.get(
    '/.well-known/agent-skills/:name/SKILL.md',
    {
      config,
      schema: {
        tags,
        summary: 'A guide',
        params: Closed({ name: Type.String() }),
        querystring: Query,
        response: Markdown
      }
    },
    async (request, reply) =>
      send(request, reply, find('guide', documents[request.query.tools].skills, request.params.name))
  )
  app.get(
    '/v1/agent-skill/:file',
    {
      config,
      schema: {
        tags,
        summary: 'The rules for working on issues, as a section of an instruction file',
        description:
          `For ${INSTRUCTION_FILES.join(' or ')} of a repository, between the lines \`${BEGIN}\` and \`${END}\`: ` +
          'remove the text between them there, and append it.',
        params: Closed({ file: Type.String() }),
        querystring: Query,
        response: Markdown
      }
    },
    async (request, reply) =>
      send(request, reply, find('instruction file', documents[request.query.tools].instructions, request.params.file))
  )
}

function send(request: FastifyRequest, reply: FastifyReply, { contentType, text, etag }: Document): FastifyReply {
  reply.type(contentType).header('etag', etag)
  return fresh(request.headers, { etag }) ? reply.code(304).send() : reply.send(text)
}

function find(what: string, documents: Map<string, Document>, name: string): Document {
  const document = documents.get(name)
  if (document) return document
  throw missing(`There is no ${what} '${abbreviate(name)}'; there are: ${[...documents.keys()].join(', ') || 'none'}.`)
}
