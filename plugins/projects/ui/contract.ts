import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'
import type { Project } from './data.ts'

export type { Project } from './data.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const projects = contract()('projects')

/** An action of another plugin in the line of a project. */
export const projectActions = point<ComponentType<{ project: Project }>>()(projects, 'actions')
