import { settingsTabs, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, { path: 'agents', title: 'Agents', order: 10, load: () => import('./agents.tsx') })
}
export default part
