import { useLocation, useSearchParams } from 'wouter'
import { Avatar, Choice, Icon, type PickerOption } from '../../../ui/browser/contract.ts'
import { filtersOf, NOBODY, searchWith, teamOf } from '../address.ts'
import type { Directory, Filters, Team } from '../data.ts'
import { useLabels } from '../data.ts'
import { LabelDot, priorityOptions } from '../symbols.tsx'
import styles from './filters.module.css'

interface AddressFilters {
  filters: Filters
  team: Team | undefined
  setFilters(next: Filters): void
}
/** The filters in the address: every view is a link. */
export function useFilters(directory: Directory | undefined): AddressFilters {
  const [params] = useSearchParams()
  const [path, navigate] = useLocation()
  return {
    filters: filtersOf(params),
    team: directory && teamOf(params, directory),
    setFilters: next => navigate(path + searchWith(params, next), { replace: true })
  }
}

export const focusFilter = (): void => document.querySelector<HTMLElement>('[aria-label=Filters] button')?.focus()

/** Filters that change the address. */
export function FilterBar({ directory, withTeam }: { directory: Directory; withTeam: boolean }) {
  const labels = useLabels()
  const { teams, members } = directory
  return (
    <div className={styles['bar']} role="group" aria-label="Filters">
      {withTeam && teams.length > 1 && (
        <FilterChoice
          name="team"
          label="Team"
          options={teams.map(({ identifier: id, name: title }) => ({ id, title }))}
        />
      )}
      <FilterChoice
        name="assignee"
        label="Assignee"
        all="Everybody"
        options={[
          { id: NOBODY, title: 'Nobody', icon: <Icon name="person" /> },
          ...members.map(({ id, fullname, kind }) => ({
            id,
            title: fullname,
            icon: <Avatar name={fullname} isAgent={kind === 'AGENT'} />
          }))
        ]}
      />
      <FilterChoice
        name="label"
        label="Label"
        all="Any label"
        options={labels.map(label => ({ id: label.id, title: label.name, icon: <LabelDot label={label} /> }))}
      />
      <FilterChoice name="priority" label="Priority" all="Any priority" options={priorityOptions()} />
    </div>
  )
}

interface FilterChoiceProps {
  name: string
  label: string
  /** The option without a filter. */
  all?: string
  options: readonly PickerOption[]
}
export function FilterChoice({ name, label, all, options }: FilterChoiceProps) {
  const [params, setParams] = useSearchParams()
  const value = params.get(name) ?? ''
  function choose(chosen: string): void {
    setParams(
      now => {
        const next = new URLSearchParams(now)
        if (chosen === '') next.delete(name)
        else next.set(name, chosen)
        return next
      },
      { replace: true }
    )
  }
  const allOptions = all === undefined ? options : [{ id: '', title: all }, ...options]
  return (
    <Choice
      label={label}
      options={allOptions}
      chosen={allOptions.some(({ id }) => id === value) ? value : (allOptions[0]?.id ?? '')}
      isMarked={value !== ''}
      onChoose={choose}
    />
  )
}
