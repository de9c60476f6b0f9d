import { liveQueries, pages, settingsTabs, type Part } from '../../ui/browser/contract.ts'
import { AGENTS_KEY } from './data.ts'

const part: Part = ({ contribute }) => {
  contribute(pages, {
    path: '/agents',
    title: 'Agents',
    words: 'bots ai working now',
    load: () => import('./now.tsx'),
    place: { order: 35, icon: 'agent', keys: 'g a' }
  })
  contribute(settingsTabs, {
    path: 'agents',
    title: 'Agents',
    words: 'create add new agent bot ai token scopes',
    order: 10,
    load: () => import('./agents.tsx')
  })
  // Any event may change an agent's last activity.
  contribute(liveQueries, { events: '', queries: AGENTS_KEY })
}
export default part
