import { agentSettings } from '../../agents/ui/contract.ts'
import { pages, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(pages, { path: '/authorize', title: 'Connect a client', load: () => import('./consent.tsx') })
  contribute(agentSettings, { load: () => import('./connections.tsx') })
}
export default part
