import {
  completers,
  liveQueries,
  settingsTabs,
  sideBarSections,
  startSteps,
  type Part
} from '../../ui/browser/contract.ts'
import { SideTeams, useHasTeamPlaces } from './side-teams.tsx'
import { people } from './people-completer.ts'

const part: Part = ({ contribute }) => {
  contribute(completers, people)
  contribute(sideBarSections, {
    id: 'teams',
    title: 'Teams',
    order: 30,
    component: SideTeams,
    useIsShown: useHasTeamPlaces
  })
  contribute(
    settingsTabs,
    {
      path: 'you',
      title: 'You',
      words: 'profile account name email picture avatar',
      order: 65,
      load: () => import('./you/you.tsx')
    },
    {
      path: 'people',
      title: 'People',
      words: 'invite add person user member role administrator',
      order: 20,
      load: () => import('./people.tsx')
    },
    {
      path: 'teams',
      title: 'Teams',
      words: 'create add new team rename status states workflow columns',
      order: 30,
      load: () => import('./teams/teams.tsx')
    },
    {
      path: 'labels',
      title: 'Labels',
      words: 'create add new label rename tag colour',
      order: 40,
      load: () => import('./labels/labels.tsx')
    },
    {
      path: 'tokens',
      title: 'Tokens',
      words: 'api key personal access create',
      order: 70,
      load: () => import('./tokens.tsx')
    }
  )
  contribute(startSteps, { order: 10, load: () => import('./you/name-step.tsx') })
  for (const events of ['account.', 'team.', 'state.']) {
    contribute(liveQueries, { events, queries: ['directory', 'people', 'teams', 'states'] })
  }
  contribute(liveQueries, { events: 'label.', queries: ['directory', 'labels'] })
}
export default part
