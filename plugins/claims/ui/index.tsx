import { agentWork } from '../../agents/ui/contract.ts'
import { filterProperties, issueBanners } from '../../issues/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { ClaimBanner } from './banner.tsx'
import { CLAIMS_OF_AGENTS, ClaimsOfAgent } from './claims-of-agent.tsx'

const part: Part = ({ contribute }) => {
  contribute(liveQueries, { events: 'issue.', queries: [CLAIMS_OF_AGENTS] })
  contribute(liveQueries, { events: 'claim.', queries: ['issues', 'context', CLAIMS_OF_AGENTS] })
  contribute(issueBanners, ClaimBanner)
  contribute(filterProperties, () => import('./filter-properties.tsx'))
  contribute(agentWork, ClaimsOfAgent)
}
export default part
