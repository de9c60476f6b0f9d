import { contributions } from '../../ui/browser/contract.ts'
import { planSections, type Plan } from './contract.ts'

export const PlanSections = ({ plan }: { plan: Plan }) =>
  contributions(planSections).map((Section, n) => <Section key={n} plan={plan} />)
