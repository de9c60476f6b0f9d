import { startSteps, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => contribute(startSteps, { order: 40, load: () => import('./import-step.tsx') })
export default part
