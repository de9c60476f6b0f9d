import { agentWork } from '../../agents/ui/contract.ts'
import { issueSections } from '../../issues/ui/contract.ts'
import { planSections } from '../../projects/ui/contract.ts'
import { liveQueries, type Part } from '../../ui/browser/contract.ts'
import { USAGE, UsageOfAgent, UsageOfIssue, UsageOfPlan } from './usage.tsx'

const part: Part = ({ contribute }) => {
  contribute(issueSections, UsageOfIssue)
  contribute(planSections, UsageOfPlan)
  contribute(agentWork, UsageOfAgent)
  // Reports have no events of their own: they come with runs, and with changes of the issue that is worked on.
  contribute(liveQueries, { events: 'run.', queries: [USAGE] })
  contribute(liveQueries, { events: 'issue.', queries: [USAGE] })
}
export default part
