import { useEffect, type ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { mergeFilters } from '../../../../lib/filter/filters.ts'
import { contributions, Empty, PageFrame } from '../../../ui/browser/contract.ts'
import { rememberTeam } from '../address.ts'
import { savedListings, type Display, type Layout } from '../contract.ts'
import { NewIssueButton } from '../create/new-issue.tsx'
import { useDirectory, type Directory, type Filters, type Team } from '../data.ts'
import { LoadingPage } from '../issue/loading-page.tsx'
import { FilterChips } from '../filters/chips.tsx'
import { FilterBar, useFilters } from '../list/filters.tsx'
import { DisplayButton } from './display-button.tsx'
import { pathOf, useDisplay, useSavedListing, withAge, withoutChanges, type ShownDisplay } from './display.ts'

export interface ListingProps {
  directory: Directory
  /** Undefined: the issues of all teams. */
  team: Team | undefined
  filters: Filters
  display: Display
}

/** The filters of a listing, without the one for the age of closed issues. */
export const filtersOfAnyAge = ({ filters, team }: Pick<ListingProps, 'filters' | 'team'>): Filters =>
  team ? mergeFilters({ team: { filterType: 'IS', value: [team.id] } }, filters) : filters
export const filtersOfListing = (listing: ListingProps): Filters => withAge(filtersOfAnyAge(listing), listing.display)

interface ListingFrameProps {
  layout: Layout
  children: (props: ListingProps) => ReactNode
}
export function ListingFrame({ layout, children }: ListingFrameProps) {
  const directory = useDirectory()
  const saved = useSavedListing()
  const address = useFilters(directory)
  const { filters, team, setFilters } = address
  const shown = useDisplay(layout)
  useEffect(() => {
    if (layout === 'board' && !saved && team) rememberTeam(team)
  }, [layout, saved, team])
  const usualTitle = layout === 'board' ? 'Board' : 'Issues'
  if (saved === 'missing') return <Missing layout={layout} />
  if (!directory || saved === 'loading') return <LoadingPage title={usualTitle} />
  if (layout === 'board' && !saved && !team) return <LoadingPage title={usualTitle} />
  const ofTeam = saved || layout === 'board' ? team : undefined
  const listing = { layout, shown, filters, teamId: ofTeam?.id ?? null }
  return (
    <PageFrame
      title={saved?.name ?? ofTeam?.name ?? usualTitle}
      heading={saved && <SavedHeading />}
      tools={<FilterBar {...address} directory={directory} withTeam={layout === 'board' && !saved} />}
      below={
        <>
          <FilterChips filters={filters} setFilters={setFilters} />
          <Saved {...listing} part="Changes" />
        </>
      }
      actions={
        <>
          <Saved {...listing} part="Actions" />
          <DisplayButton layout={layout} shown={shown} directory={directory} team={ofTeam} />
          <NewIssueButton />
        </>
      }
    >
      {children({ directory, team: ofTeam, filters, display: shown.display })}
    </PageFrame>
  )
}

function SavedHeading() {
  const [source] = contributions(savedListings)
  return source ? <source.Heading /> : null
}

interface SavedProps {
  part: 'Actions' | 'Changes'
  layout: Layout
  shown: ShownDisplay
  filters: Filters
  teamId: string | null
}
function Saved({ part, layout, shown: { display, isChanged }, filters, teamId }: SavedProps) {
  const [source] = contributions(savedListings)
  const saved = useSavedListing()
  const [params] = useSearchParams()
  const [path, navigate] = useLocation()
  if (!source) return null
  const Part = source[part]
  function reset(stored = typeof saved === 'object' ? saved.layout : undefined): void {
    // The stored layout may be that of the other page.
    const to = stored ? pathOf(stored) : path
    navigate(`${to}?${withoutChanges(params)}`, { replace: true })
  }
  return <Part listing={{ layout, filters, teamId, display, isChanged, reset }} />
}

function Missing({ layout }: { layout: Layout }) {
  return (
    <PageFrame title="View not found">
      <Empty title="This view does not exist any more">
        Somebody has removed it, or keeps it to themselves. <Link href={pathOf(layout)}>Show all issues</Link>
      </Empty>
    </PageFrame>
  )
}
