/** An agent as `GET /v1/users/agents` shows it. */
export interface Agent {
  id: string
  fullname: string
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
}
export const AGENTS_KEY = ['agents']
