import { liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'trash',
    title: 'Trash',
    words: 'deleted removed restore bin',
    order: 70,
    load: () => import('./trash.tsx')
  })
  // All events: other plugins define the kinds of records.
  contribute(liveQueries, { events: '', queries: ['trash'] })
}
export default part
