import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const projects = contract()('projects')

export interface Plan {
  kind: 'project' | 'cycle'
  id: string
}
/** Another plugin's section beside a project or a cycle, below its properties. */
export const planSections = point<ComponentType<{ plan: Plan }>>()(projects, 'planSections')
