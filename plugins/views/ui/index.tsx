import { issueActions, type Issue } from '../../issues/ui/contract.ts'
import { projectActions, type Project } from '../../projects/ui/contract.ts'
import { liveQueries, sideBarSections, type Part } from '../../ui/browser/contract.ts'
import { favouriteLinks } from './contract.ts'
import { Favourites, useHasFavourites } from './favourites/favourites.tsx'
import { PageStar, Star } from './favourites/star.tsx'

const IssueStar = ({ issue: { id, key, title } }: { issue: Issue }) => (
  <PageStar favourite={{ type: 'issue', id, key, name: title }} section="Issue" />
)
const ProjectStar = ({ project: { id, name } }: { project: Project }) => (
  <Star favourite={{ type: 'project', id, name }} />
)

const part: Part = ({ contribute }) => {
  contribute(sideBarSections, {
    id: 'favourites',
    title: 'Favourites',
    order: 10,
    component: Favourites,
    useIsShown: useHasFavourites
  })
  contribute(issueActions, IssueStar)
  contribute(projectActions, ProjectStar)
  contribute(favouriteLinks, { type: 'issue', icon: 'issue', href: ({ key }) => `/issue/${key}` })
  contribute(liveQueries, { events: 'favourites.', queries: ['favourites'] })
  // They change the names of favourites, and which of them are shown.
  for (const events of ['issue.updated', 'issue.deleted', 'issue.restored', 'project.']) {
    contribute(liveQueries, { events, queries: ['favourites'] })
  }
}
export default part
