import { issueActions, savedListings, type Issue } from '../../issues/ui/contract.ts'
import {
  liveQueries,
  overlays,
  sideBarSections,
  subjectActions,
  type PageSubject,
  type Part
} from '../../ui/browser/contract.ts'
import { favouriteLinks } from './contract.ts'
import { Favourites, useHasFavourites } from './favourites/favourites.tsx'
import { PageStar } from './favourites/star.tsx'
import { savedViews } from './saved/listing.tsx'
import { ViewDialogs } from './saved/open-dialog.tsx'
import { SideViews, useHasViews } from './saved/side-views.tsx'

const IssueStar = ({ issue: { id, key, title } }: { issue: Issue }) => (
  <PageStar favourite={{ type: 'issue', id, key, name: title }} section="Issue" />
)
const SubjectStar = ({ subject }: { subject: PageSubject }) => <PageStar favourite={subject} section="General" />

const part: Part = ({ contribute }) => {
  contribute(sideBarSections, {
    id: 'favourites',
    title: 'Favourites',
    order: 10,
    component: Favourites,
    useIsShown: useHasFavourites
  })
  contribute(sideBarSections, {
    id: 'views',
    title: 'Views',
    order: 20,
    component: SideViews,
    useIsShown: useHasViews
  })
  contribute(savedListings, savedViews)
  contribute(overlays, ViewDialogs)
  contribute(issueActions, IssueStar)
  contribute(subjectActions, SubjectStar)
  contribute(favouriteLinks, { type: 'view', icon: 'view', href: ({ id }) => `/board?view=${id}` })
  contribute(favouriteLinks, { type: 'issue', icon: 'issue', href: ({ key }) => `/issue/${key}` })
  contribute(liveQueries, { events: 'favourites.', queries: ['favourites'] })
  for (const events of ['view.', 'private_view.']) {
    contribute(liveQueries, { events, queries: ['views', 'favourites'] })
  }
  // They change the names of favourites, and which of them are shown.
  for (const events of ['issue.updated', 'issue.deleted', 'project.', 'cycle.']) {
    contribute(liveQueries, { events, queries: ['favourites'] })
  }
}
export default part
