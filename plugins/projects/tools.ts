import { Type } from 'typebox'
import { Closed } from '../../core/schemas.ts'
import { tool, type Tool } from '../mcp/contract.ts'

interface ProjectAnswer { id: string, name: string, descriptionMarkdown: string }

const listProjects = tool({
  name: 'list_projects',
  description: 'The projects of the workspace: where a task may belong.',
  input: Closed({}),
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  async handle (_args, { rest }) {
    const projects = await rest<ProjectAnswer[]>('GET', '/v1/projects')
    return { projects: projects.slice(0, 100).map(({ id, name }) => ({ id, name })), total: projects.length }
  }
})

const createProject = tool({
  name: 'create_project',
  description: 'Open a project for an objective that needs several tasks. Answers its id and name.',
  input: Closed({ name: Type.String(), description: Type.Optional(Type.String({ description: 'Markdown.' })), team: Type.Optional(Type.String({ description: 'Identifier, e.g. ENG.' })) }),
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  async handle ({ name, description, team }, { rest }) {
    const made = await rest<ProjectAnswer>('POST', '/v1/projects', { name, ...description !== undefined && { descriptionMarkdown: description }, ...team !== undefined && { teamId: team } })
    return { id: made.id, name: made.name }
  }
})

export const tools: readonly Tool[] = [listProjects, createProject]
