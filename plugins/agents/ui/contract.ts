import type { ComponentType } from 'react'
import { point } from '../../../core/api/contract.ts'
import { agents } from '../contract.ts'

/** The command that connects an agent's client to this server, shown beside a new token. */
export interface ConnectLine {
  client: string
  line(serverUrl: string): string
}
export const connectLines = point<ConnectLine>()(agents, 'connectLines')

/** The current work of an agent, on the page of all agents. */
export const agentWork = point<ComponentType<{ agentId: string }>>()(agents, 'work')

/** A section of Settings → Agents, below the list; a separate chunk. */
export interface AgentSettings {
  load: () => Promise<{ default: ComponentType }>
}
export const agentSettings = point<AgentSettings>()(agents, 'settings')

export { agentsQuery } from './data.ts'
