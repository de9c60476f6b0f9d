import { useState } from 'react'
import { DayPicker, Icon, MultiPicker, Picker, useSession, type PickerOption } from '../../../ui/browser/contract.ts'
import type { FieldPickerProps, ListingField, Row } from '../contract.ts'
import { sortStates, useLabels } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'
import { labelOptions, priorityOptions } from '../symbols.tsx'
import { memberOption } from '../../../workspace/ui/contract.ts'
import { sharedValue } from './shared-value.ts'

export const commandOf = (
  { name, label, key, words = '' }: Pick<ListingField, 'name' | 'label' | 'key' | 'words'>,
  section: string
) => ({
  id: `change ${name}`,
  title: `Change ${label.toLowerCase()}…`,
  words,
  section,
  ...(key !== undefined && { keys: [key] })
})

export const NONE = ''

/** The states that the teams of all issues have, by their names. */
function StatusPicker({ rows, directory, onChange, ...open }: FieldPickerProps) {
  const teams = directory.teams.filter(({ states }) => rows.some(row => states.some(({ id }) => id === row.stateId)))
  const states = sortStates(teams[0]?.states ?? []).filter(({ name }) =>
    teams.every(team => team.states.some(state => state.name === name))
  )
  const stateOf = ({ stateId }: Row, name: string): string =>
    teams.find(({ states }) => states.some(({ id }) => id === stateId))!.states.find(state => state.name === name)!.id
  const nameOf = ({ stateId }: Row) => teams.flatMap(({ states }) => states).find(({ id }) => id === stateId)?.name
  return (
    <Picker
      {...open}
      options={states.map(({ name, category }) => ({ id: name, title: name, icon: <StateIcon category={category} /> }))}
      chosen={sharedValue(rows, nameOf)}
      onChoose={name => onChange(row => ({ stateId: stateOf(row, name) }))}
    />
  )
}

interface MemberPickerProps extends Omit<FieldPickerProps, 'rows' | 'onChange'> {
  /** The id of a member; `NONE`: nobody; undefined: several. */
  chosen: string | undefined
  onChoose: (id: string | null) => void
}
/** People and agents; the reader first. */
export function MemberPicker({ directory: { members }, chosen, onChoose, ...open }: MemberPickerProps) {
  const ownId = useSession()?.account?.id
  const ordered = members.toSorted((a, b) => Number(b.id === ownId) - Number(a.id === ownId))
  const hintOf = ({ id, kind }: (typeof members)[number]) =>
    id === ownId ? 'You' : kind === 'AGENT' ? 'Agent' : undefined
  const options: PickerOption[] = [
    { id: NONE, title: 'Nobody', icon: <Icon name="person" /> },
    ...ordered.map(member => ({ ...memberOption(member), hint: hintOf(member) }))
  ]
  return <Picker {...open} options={options} chosen={chosen} onChoose={id => onChoose(id === NONE ? null : id)} />
}

const AssigneePicker = ({ rows, onChange, ...rest }: FieldPickerProps) => (
  <MemberPicker
    {...rest}
    chosen={sharedValue(rows, row => row.assigneeId ?? NONE)}
    onChoose={assigneeId => onChange(() => ({ assigneeId }))}
  />
)

function PriorityPicker({ rows, directory: _, onChange, ...open }: FieldPickerProps) {
  return (
    <Picker
      {...open}
      options={priorityOptions()}
      chosen={sharedValue(rows, row => String(row.priority))}
      onChoose={id => onChange(() => ({ priority: Number(id) }))}
    />
  )
}

function LabelsPicker({ rows, directory: _, onChange, ...open }: FieldPickerProps) {
  const labels = useLabels()
  const count = (id: string) => rows.filter(({ labelIds }) => labelIds.includes(id)).length
  const ids = labels.map(({ id }) => id)
  const ofAll = ids.filter(id => count(id) === rows.length)
  const ofSome = ids.filter(id => count(id) > 0 && count(id) < rows.length)
  function change(chosen: readonly string[], mixed: readonly string[]): void {
    const added = chosen.filter(id => !ofAll.includes(id))
    const removed = [...ofAll, ...ofSome].filter(id => !chosen.includes(id) && !mixed.includes(id))
    onChange(({ labelIds }) => ({
      ...(added.length > 0 && { addLabelIds: added.filter(id => !labelIds.includes(id)) }),
      ...(removed.length > 0 && { removeLabelIds: removed.filter(id => labelIds.includes(id)) })
    }))
  }
  return (
    <MultiPicker
      {...open}
      options={labelOptions(labels).map(option => ({
        ...option,
        hint: ofSome.includes(option.id) ? `${count(option.id)} of ${rows.length}` : undefined
      }))}
      chosen={ofAll}
      mixed={ofSome}
      onChoose={change}
    />
  )
}

const DueDatePicker = ({ rows, directory: _, onChange, ...open }: FieldPickerProps) => (
  <DayPicker
    {...open}
    day={sharedValue(rows, row => row.dueDate ?? null)}
    onChoose={dueDate => onChange(() => ({ dueDate }))}
  />
)

const ESTIMATES = ['1', '2', '3', '5', '8', '13']
function EstimatePicker({ rows, directory: _, onChange, ...open }: FieldPickerProps) {
  const [text, setText] = useState('')
  const typed = text.trim().replace(',', '.')
  const isNumber = /^\d{1,9}(\.\d{1,6})?$/.test(typed)
  const usual = [
    { id: NONE, title: 'No estimate', icon: <Icon name="close" /> },
    ...ESTIMATES.map(number => ({ id: number, title: number, icon: <Icon name="estimate" /> }))
  ]
  const number = { id: String(Number(typed)), title: String(Number(typed)), icon: <Icon name="estimate" /> }
  return (
    <Picker
      {...open}
      placeholder="A number…"
      onType={setText}
      options={isNumber ? [number] : usual.filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()))}
      chosen={sharedValue(rows, row => String(row.estimate ?? NONE))}
      onChoose={id => onChange(() => ({ estimate: id === NONE ? null : Number(id) }))}
    />
  )
}

/** Changed by a key: on the page of an issue, and for the issues at the cursor or selected elsewhere. */
export const FIELDS = [
  { name: 'status', label: 'Status', key: 's', words: 'state move close done start', Picker: StatusPicker },
  { name: 'assignee', label: 'Assignee', key: 'a', words: 'owner give to', Picker: AssigneePicker },
  { name: 'priority', label: 'Priority', key: 'p', words: 'urgent importance', Picker: PriorityPicker },
  { name: 'labels', label: 'Labels', key: 'l', words: 'add tags', Picker: LabelsPicker },
  { name: 'dueDate', label: 'Due date', key: 'd', words: 'deadline', Picker: DueDatePicker },
  { name: 'estimate', label: 'Estimate', key: 'e', words: 'points size', Picker: EstimatePicker }
] as const
export type FieldName = (typeof FIELDS)[number]['name']
