import { useLocation, useSearchParams } from 'wouter'
import { Choice } from '../../../ui/browser/contract.ts'
import { filtersOf, searchWith, teamOf } from '../address.ts'
import { useSavedListing } from '../display/display.ts'
import type { Directory, Filters, Team } from '../data.ts'
import { AddFilter } from '../filters/add-filter.tsx'

interface AddressFilters {
  filters: Filters
  team: Team | undefined
  setFilters(next: Filters): void
}
/** The filters in the address, or else those of the stored listing that it names: every view is a link. */
export function useFilters(directory: Directory | undefined): AddressFilters {
  const [params] = useSearchParams()
  const [path, navigate] = useLocation()
  const saved = useSavedListing()
  const stored = typeof saved === 'object' ? saved : undefined
  const ofStored = directory?.teams.find(({ id }) => id === stored?.teamId)
  return {
    filters: stored && !params.has('filter') ? stored.filters : filtersOf(params),
    team: stored ? ofStored : directory && teamOf(params, directory),
    setFilters: next => navigate(path + searchWith(params, next), { replace: true })
  }
}

interface FilterBarProps extends AddressFilters {
  directory: Directory
  withTeam: boolean
}
export const FilterBar = ({ directory, withTeam, filters, team, setFilters }: FilterBarProps) => (
  <>
    {withTeam && directory.teams.length > 1 && <TeamChoice teams={directory.teams} team={team} />}
    <AddFilter filters={filters} setFilters={setFilters} without={withTeam ? ['team'] : []} />
  </>
)

function TeamChoice({ teams, team }: { teams: readonly Team[]; team: Team | undefined }) {
  const [params, setParams] = useSearchParams()
  function choose(identifier: string): void {
    setParams(
      now => {
        const next = new URLSearchParams(now)
        next.set('team', identifier)
        return next
      },
      { replace: true }
    )
  }
  return (
    <Choice
      label="Team"
      options={teams.map(({ identifier: id, name: title }) => ({ id, title }))}
      chosen={team?.identifier ?? ''}
      isMarked={params.has('team')}
      onChoose={choose}
    />
  )
}
