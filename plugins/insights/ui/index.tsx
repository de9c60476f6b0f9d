import { pages, subjectActions, type Part } from '../../ui/browser/contract.ts'
import { teamPlaces } from '../../workspace/ui/contract.ts'
import { InsightsOfSubject } from './subject-action.tsx'

const part: Part = ({ contribute }) => {
  contribute(pages, {
    path: '/insights',
    title: 'Insights',
    words: 'reports analytics statistics charts metrics dashboard',
    load: () => import('./insights-page.tsx'),
    place: { order: 28, icon: 'chart', keys: 'g t' }
  })
  contribute(teamPlaces, {
    title: 'Insights',
    icon: 'chart',
    order: 40,
    href: identifier => `/insights?team=${identifier}`
  })
  contribute(subjectActions, InsightsOfSubject)
}
export default part
