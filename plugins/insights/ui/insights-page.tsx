import { Choice, Empty, PageFrame, SubHeading, useCommands } from '../../ui/browser/contract.ts'
import { teamOption, useDirectory } from '../../workspace/ui/contract.ts'
import { GROUPINGS, RANGES, useAddress, type Address, type OpenIssues } from './address.ts'
import { useInsights, useProjectName, type Group, type Insights } from './data.ts'
import { isNothing } from './values/shown-figures.ts'
import { GroupTable, PeopleAndAgents } from './figures/groups.tsx'
import { IssuesDialog } from './figures/issues-dialog.tsx'
import { TimeInStates } from './figures/time-in-states.tsx'
import { Totals } from './figures/totals.tsx'
import { Weeks } from './figures/weeks.tsx'
import styles from './insights.module.css'
import { RangeTools } from './range-tools.tsx'
import { Waiting } from './waiting.tsx'

export default function InsightsPage() {
  const address = useAddress()
  const { selection, by, change } = address
  const { data, error, refetch, isPlaceholderData } = useInsights(selection, by)
  // One after the other: the server computes figures in turns.
  const divided = useInsights(selection, by === 'week' ? 'assignee' : by, data !== undefined)
  useRangeCommands(address)
  const team = useTeam(selection.team)
  const handleRetry = () => (error ? refetch() : divided.refetch())
  const onOpen: OpenIssues = (figure, group) => change({ figure, group: group === null ? 'none' : group })
  return (
    <PageFrame
      title={team ? `Insights of ${team.name}` : 'Insights'}
      heading={<Heading project={selection.project} />}
      tools={
        <>
          <TeamChoice address={address} />
          <RangeTools address={address} />
        </>
      }
    >
      <div className={styles['page']} aria-busy={isPlaceholderData}>
        {data?.isComplete === false && (
          <p className={styles['note']} role="status">
            The figures are being computed from the history, and are too low until that is done.
          </p>
        )}
        {!data ? (
          <Waiting error={error} lines={8} onRetry={handleRetry} />
        ) : isNothing(data.total) ? (
          <Empty title="Nothing happened in these days">
            Figures are of issues that were filed, worked on or completed: choose a longer range, or file an issue.
          </Empty>
        ) : (
          <>
            <Totals total={data.total} onOpen={onOpen} />
            <div className={styles['panels']}>
              {by === 'week' && <Weeks total={data.total} groups={data.groups} onOpen={onOpen} />}
              <TimeInStates states={data.total.timeInState} />
            </div>
            {divided.data ? (
              <Groups address={address} insights={divided.data} onOpen={onOpen} />
            ) : (
              <Waiting error={divided.error} lines={4} onRetry={handleRetry} />
            )}
          </>
        )}
      </div>
      <IssuesDialog address={address} groups={divided.data?.groups ?? NO_GROUPS} />
    </PageFrame>
  )
}
const NO_GROUPS: readonly Group[] = []

const TITLES = { assignee: 'People and agents', agent: 'Agents', label: 'Labels' }

interface GroupsProps {
  address: Address
  insights: Insights
  onOpen: OpenIssues
}
const Groups = ({ address: { by }, insights: { groups, hasMore }, onOpen }: GroupsProps) => (
  <div>
    <div className={styles['groups']}>
      {by === 'week' ? (
        <PeopleAndAgents groups={groups} onOpen={onOpen} />
      ) : (
        <GroupTable title={TITLES[by]} by={by} groups={groups} onOpen={onOpen} />
      )}
    </div>
    {groups.length === 0 && <p className={styles['note']}>There are none in these days.</p>}
    {hasMore && (
      <p className={styles['note']}>The first {groups.length} are listed, those with the most completed issues.</p>
    )}
  </div>
)

function Heading({ project }: { project: string | undefined }) {
  const { data } = useProjectName(project)
  if (project === undefined || !data) return <h1>Insights</h1>
  return <SubHeading of={{ href: `/projects/${data.id}`, title: data.name }}>Insights</SubHeading>
}

/** @param ref its id or identifier */
function useTeam(ref: string | undefined) {
  const { teams = [] } = useDirectory() ?? {}
  return teams.find(({ id, identifier }) => id === ref || identifier === ref?.toUpperCase())
}

const ALL_TEAMS = ''
function TeamChoice({ address: { selection, change } }: { address: Address }) {
  const { teams = [] } = useDirectory() ?? {}
  const chosen = useTeam(selection.team)
  if (teams.length < 2 && selection.team === undefined) return null
  const options = teams.map(team => ({ ...teamOption(team), id: team.identifier }))
  return (
    <Choice
      label="Team"
      options={[{ id: ALL_TEAMS, title: 'All teams' }, ...options]}
      chosen={chosen?.identifier ?? ALL_TEAMS}
      onChoose={team => change({ team: team === ALL_TEAMS ? undefined : team })}
    />
  )
}

function useRangeCommands({ change }: Address): void {
  const section = 'Insights'
  useCommands([
    ...RANGES.map(({ id, title }) => ({
      id: `insights-range-${id}`,
      title: `Insights: ${title.toLowerCase()}`,
      section,
      run: () => change({ range: id, from: undefined, to: undefined })
    })),
    ...GROUPINGS.map(({ id, title }) => ({
      id: `insights-by-${id}`,
      title: `Insights: ${title.toLowerCase()}`,
      section,
      run: () => change({ by: id })
    }))
  ])
}
