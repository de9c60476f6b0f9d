import { useState } from 'react'
import { announce, Button, ErrorNote } from '../../../ui/browser/contract.ts'
import { useRowChanges, type FieldChange } from '../changes.ts'
import type { Row } from '../contract.ts'
import { sortStates, useLabels, type Directory, type Team } from '../data.ts'
import styles from './selection.module.css'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'

/** Maximum issues that one request changes. */
const MAX_SELECTED = 100
const NOBODY = 'nobody'

export interface Selection {
  rows: readonly Row[]
  ids: ReadonlySet<string>
  toggle(row: Row): void
  clear(): void
}
/** The selected issues of a listing, on one page of the interface. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    rows: [...selected.values()],
    ids: new Set(selected.keys()),
    toggle(row) {
      const next = new Map(selected)
      if (!next.delete(row.id)) {
        if (next.size >= MAX_SELECTED) return announce(`At most ${MAX_SELECTED} issues are changed at once.`)
        next.set(row.id, row)
      }
      setSelected(next)
      announce(`${next.size} selected`)
    },
    clear: () => setSelected(new Map())
  }
}

function stateNamed(teams: readonly Team[], { stateId }: Row, name: string): FieldChange {
  const team = teams.find(({ states }) => states.some(({ id }) => id === stateId))
  return { stateId: team!.states.find(state => state.name === name)!.id }
}

/** Actions on the selected issues, each with one request. */
export function SelectionBar({ selection, directory }: { selection: Selection; directory: Directory }) {
  const labels = useLabels()
  const { mutate, isPending, error } = useRowChanges()
  const { rows, clear } = selection
  if (rows.length === 0) return null
  const teams = directory.teams.filter(({ states }) => rows.some(row => states.some(({ id }) => id === row.stateId)))
  const states = sortStates(teams[0]?.states ?? []).filter(({ name }) =>
    teams.every(team => team.states.some(state => state.name === name))
  )
  function change(of: (row: Row) => FieldChange): void {
    const are = rows.length === 1 ? '1 issue is' : `${rows.length} issues are`
    const changes = rows.map(row => ({ row, change: of(row) }))
    mutate({ changes, title: `${are} changed`, undone: `${are} restored` }, { onSuccess: clear })
  }
  return (
    <div className={styles['bar']} role="group" aria-label="Selected issues">
      <strong>{rows.length} selected</strong>
      <Choice
        label="Status"
        isOff={isPending}
        options={states.map(({ name }) => [name, name])}
        onChoose={name => change(row => stateNamed(teams, row, name))}
      />
      <Choice
        label="Priority"
        isOff={isPending}
        options={PRIORITY_NAMES.map((name, priority) => [String(priority), name])}
        onChoose={priority => change(() => ({ priority: Number(priority) }))}
      />
      <Choice
        label="Assignee"
        isOff={isPending}
        options={[[NOBODY, 'Nobody'], ...directory.members.map(({ id, fullname }) => [id, fullname] as const)]}
        onChoose={id => change(() => ({ assigneeId: id === NOBODY ? null : id }))}
      />
      <Choice
        label="Add a label"
        isOff={isPending}
        options={labels.map(({ id, name }) => [id, name])}
        onChoose={id => change(() => ({ addLabelIds: [id] }))}
      />
      <Choice
        label="Remove a label"
        isOff={isPending}
        options={labels
          .filter(({ id }) => rows.some(({ labelIds }) => labelIds.includes(id)))
          .map(({ id, name }) => [id, name])}
        onChoose={id => change(() => ({ removeLabelIds: [id] }))}
      />
      <Button kind="quiet" onClick={clear}>
        Clear
      </Button>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

interface ChoiceProps {
  label: string
  isOff: boolean
  options: ReadonlyArray<readonly [value: string, text: string]>
  onChoose: (value: string) => void
}
function Choice({ label, isOff, options, onChoose }: ChoiceProps) {
  return (
    <select aria-label={label} value="" disabled={isOff} onChange={event => onChoose(event.target.value)}>
      <option value="" disabled>
        {label}…
      </option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
