import { liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'trash',
    title: 'Trash',
    words: 'deleted removed restore bin',
    order: 70,
    load: () => import('./trash.tsx')
  })
  // Of all kinds: which there are is up to other plugins.
  contribute(liveQueries, { events: '', queries: ['trash'] })
}
export default part
