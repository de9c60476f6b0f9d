import { useSearchParams } from 'wouter'
import { filtersOf, NOBODY, teamOf } from '../address.ts'
import type { Directory, Filters, Team } from '../data.ts'
import { useLabels } from '../data.ts'
import styles from './filters.module.css'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'

/** The filters in the address: every view is a link. */
export function useFilters(directory: Directory | undefined): { filters: Filters; team: Team | undefined } {
  const [params] = useSearchParams()
  return { filters: filtersOf(params), team: directory && teamOf(params, directory) }
}

export const focusFilter = (): void => document.querySelector<HTMLElement>('[data-filter]')?.focus()

/** Native selects that change the address. */
export function FilterBar({ directory, withTeam }: { directory: Directory; withTeam: boolean }) {
  const labels = useLabels()
  const { teams, members } = directory
  return (
    <div className={styles['bar']} role="group" aria-label="Filters">
      {withTeam && teams.length > 1 && (
        <Select name="team" label="Team" options={teams.map(({ identifier, name }) => [identifier, name])} />
      )}
      <Select
        name="assignee"
        label="Assignee"
        all="Everybody"
        options={[[NOBODY, 'Nobody'], ...members.map(({ id, fullname }) => [id, fullname] as const)]}
      />
      <Select name="label" label="Label" all="Any label" options={labels.map(({ id, name }) => [id, name])} />
      <Select
        name="priority"
        label="Priority"
        all="Any priority"
        options={PRIORITY_NAMES.map((name, priority) => [String(priority), name])}
      />
    </div>
  )
}

interface SelectProps {
  name: string
  label: string
  /** The option without a filter. */
  all?: string
  options: ReadonlyArray<readonly [value: string, text: string]>
}
export function Select({ name, label, all, options }: SelectProps) {
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
  return (
    <select
      aria-label={label}
      className={styles['select']}
      data-filter
      data-active={value !== '' || undefined}
      value={value}
      onChange={event => choose(event.target.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}
