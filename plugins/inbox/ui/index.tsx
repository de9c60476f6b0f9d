import { liveQueries, pages, type Part } from '../../ui/browser/contract.ts'

const part: Part = ({ contribute }) => {
  contribute(pages, {
    path: '/inbox',
    title: 'Needs you',
    load: () => import('./needs-you.tsx'),
    place: { order: 5, icon: 'inbox', keys: 'g n' }
  })
  contribute(liveQueries, { events: 'inbox.', queries: ['inbox'] })
}
export default part
