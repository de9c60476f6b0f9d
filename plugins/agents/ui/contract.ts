import { point } from '../../../core/contract.ts'
import { agents } from '../contract.ts'

/** The line that connects an agent's client to this server, shown beside a new token. */
export interface ConnectLine {
  client: string
  line(serverUrl: string): string
}
export const connectLines = point<ConnectLine>()(agents, 'connectLines')
