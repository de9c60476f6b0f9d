import { liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, { path: 'trash', title: 'Trash', order: 70, load: () => import('./trash.tsx') })
  for (const events of ['issue.', 'comment.', 'project.', 'label.', 'knowledge.']) {
    contribute(liveQueries, { events, queries: ['trash'] })
  }
}
export default part
