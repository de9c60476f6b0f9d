import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import { RestError, tool, ToolError, type Tool } from '../mcp/contract.ts'

interface ProjectAnswer {
  id: string
  name: string
}

const listProjects = tool({
  name: 'list_projects',
  description: 'List the projects of tasks. Returns their names.',
  input: Closed({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Projects.' })),
    from: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'The next of the answer before.' }))
  }),
  scope: readScope,
  hints: { readOnly: true, destructive: false, idempotent: true },
  listField: 'projects',
  async handle({ limit = 100, from = 0 }, { rest }) {
    const projects = await rest<ProjectAnswer[]>('GET', '/v1/projects?view=list')
    const end = from + limit
    return {
      projects: projects.slice(from, end).map(({ name }) => ({ name })),
      total: projects.length,
      next: projects.length > end ? end : null
    }
  }
})

const createProject = tool({
  name: 'create_project',
  description: 'Open a project for an objective that needs several tasks. Returns its name.',
  input: Closed({
    name: Type.String({ description: 'One line.', aliases: ['title'] }),
    description: Type.Optional(Type.String({ description: 'Markdown.', reads: 'markdown' })),
    team: Type.Optional(Type.String({ description: 'Identifier or name.' }))
  }),
  scope: writeScope,
  hints: { readOnly: false, destructive: false, idempotent: false },
  restNames: { descriptionMarkdown: 'description' },
  async handle({ name, description, team }, { rest }) {
    const project = await rest<ProjectAnswer>('POST', '/v1/projects', {
      name,
      ...(description !== undefined && { descriptionMarkdown: description }),
      ...(team !== undefined && { team })
    }).catch((error: unknown) => {
      throw error instanceof RestError && error.code === 'CONFLICT'
        ? new ToolError(`There is a project '${name}' already: use it, or choose another name.`)
        : error
    })
    return { name: project.name }
  }
})

export const tools: readonly Tool[] = [listProjects, createProject]
