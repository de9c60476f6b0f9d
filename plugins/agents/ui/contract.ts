import type { ComponentType } from 'react'
import { point } from '../../../core/api/contract.ts'
import { agents } from '../contract.ts'

/** How a client is connected: beside a new token, and on a page of its own; a separate chunk. */
export interface ConnectGuide {
  /** @param token of the agent; without it the guide shows a place for one */
  load: () => Promise<{ default: ComponentType<{ token?: string }> }>
}
export const connectGuides = point<ConnectGuide>()(agents, 'connectGuides')

/** The current work of an agent, on the page of all agents. */
export const agentWork = point<ComponentType<{ agentId: string }>>()(agents, 'work')

/** A section of Settings → Agents, below the list; a separate chunk. */
export interface AgentSettings {
  load: () => Promise<{ default: ComponentType }>
}
export const agentSettings = point<AgentSettings>()(agents, 'settings')

export { agentsQuery } from './data.ts'
