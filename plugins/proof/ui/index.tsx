import { issueSections } from '../../issues/ui/contract.ts'
import type { Part } from '../../ui/browser/contract.ts'
import { teamSettings } from '../../workspace/ui/contract.ts'
import { ClosingRule } from './closing-rule.tsx'
import { Evidence } from './evidence.tsx'

const part: Part = ({ contribute }) => {
  contribute(issueSections, Evidence)
  contribute(teamSettings, ClosingRule)
}
export default part
