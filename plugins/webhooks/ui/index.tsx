import { liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'webhooks',
    title: 'Webhooks',
    words: 'integrations events add',
    order: 60,
    load: () => import('./webhooks.tsx')
  })
  contribute(liveQueries, { events: 'webhook.', queries: ['webhooks'] })
}
export default part
