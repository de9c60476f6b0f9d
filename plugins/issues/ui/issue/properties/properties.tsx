import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import {
  contributions,
  ErrorNote,
  go,
  Icon,
  Meter,
  Picker,
  Time,
  useCommands,
  useSession,
  type OpenPicker
} from '../../../../ui/browser/contract.ts'
import { teamOption } from '../../../../workspace/ui/contract.ts'
import { PRIORITY_NAMES } from '../../../fields/priorities.ts'
import { useChange, useChanged } from '../../changes/use-change.ts'
import { issueProperties, type FieldChange, type Issue } from '../../contract.ts'
import { useLabels, type Directory } from '../../data.ts'
import { DueDate } from '../../pickers/due-date.tsx'
import { commandOf, FIELDS, type FieldName } from '../../pickers/field-picker.tsx'
import { IssuePicker } from '../../pickers/issue-picker.tsx'
import { useIssueRequest } from '../../changes/send.ts'
import { Assignee, LabelChip, PriorityIcon } from '../../symbols.tsx'
import { contextQuery } from '../context-query.ts'
import styles from './properties.module.css'
import { PickerProperty, Property } from './property.tsx'
import { StateIcon } from '../state-icon.tsx'

const SECTION = 'Issue'

/** The fields beside the text, each with its picker. Empty ones are behind a button, and their keys open them, too. */
export function Properties({ issue: stored, directory }: { issue: Issue; directory: Directory }) {
  const { mutate, error } = useChange(stored)
  const issue = useChanged(stored)
  const [areAllShown, setAllShown] = useState(false)
  const change = (body: FieldChange) => mutate({ body })
  return (
    <section className={styles['properties']} aria-label="Properties" data-all={areAllShown || undefined}>
      <Fields issue={issue} directory={directory} onChange={change} />
      {contributions(issueProperties).map((Contributed, n) => (
        <Contributed key={n} issue={stored} />
      ))}
      <Parent issue={issue} onChange={change} />
      <TeamChoice issue={stored} directory={directory} />
      <button
        type="button"
        className={styles['more']}
        aria-expanded={areAllShown}
        onClick={() => setAllShown(!areAllShown)}
      >
        <Icon name={areAllShown ? 'close' : 'plus'} size={14} />
        {areAllShown ? 'Hide empty properties' : 'Add property'}
      </button>
      <Criteria issue={issue} />
      <Property name="Created">
        <Time at={issue.createdAt} />
      </Property>
      {error && <ErrorNote error={error} />}
    </section>
  )
}

interface FieldsProps {
  issue: Issue
  directory: Directory
  onChange: (change: FieldChange) => void
}
interface Value {
  icon?: ReactNode
  text: ReactNode
  isEmpty?: boolean
}

function Fields({ issue, directory, onChange }: FieldsProps) {
  const ownId = useSession()?.account?.id
  function assign(): void {
    if (ownId !== undefined) onChange({ assigneeId: ownId })
  }
  useCommands([{ id: 'assign to me', title: 'Assign to me', section: SECTION, run: assign }])
  const labels = useLabels().filter(({ id }) => issue.labelIds.includes(id))
  const state = directory.teams.flatMap(({ states }) => states).find(({ id }) => id === issue.stateId)
  const assignee = directory.members.find(({ id }) => id === issue.assigneeId)
  const values: Record<FieldName, Value> = {
    status: { icon: <StateIcon category={state?.category ?? issue.stateCategory} />, text: state?.name },
    assignee: {
      icon: assignee ? <Assignee row={issue} members={directory.members} /> : <Icon name="person" />,
      text: assignee?.fullname ?? 'Nobody'
    },
    priority: { icon: <PriorityIcon priority={issue.priority} />, text: PRIORITY_NAMES[issue.priority] },
    labels: {
      text: labels.length > 0 ? labels.map(label => <LabelChip key={label.id} label={label} />) : 'None',
      isEmpty: labels.length === 0
    },
    dueDate: { text: issue.dueDate ? <DueDate row={issue} /> : 'None', isEmpty: !issue.dueDate },
    estimate: { text: issue.estimate ?? 'None', isEmpty: issue.estimate === null }
  }
  return FIELDS.map(field => {
    const { icon, text, isEmpty = false } = values[field.name]
    return (
      <PickerProperty
        key={field.name}
        name={field.label}
        command={commandOf(field, SECTION)}
        icon={icon}
        isEmpty={isEmpty}
        picker={open => (
          <field.Picker
            {...open}
            label={field.label}
            rows={[issue]}
            directory={directory}
            onChange={of => onChange(of(issue))}
          />
        )}
      >
        {text}
      </PickerProperty>
    )
  })
}

function Parent({ issue, onChange }: Pick<FieldsProps, 'issue' | 'onChange'>) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const parent = context?.parent
  return (
    <PickerProperty
      name="Parent"
      command={{ id: 'change parent', title: 'Change parent…', section: SECTION, keys: ['shift+s'] }}
      icon={<Icon name="parent" />}
      isEmpty={issue.parentId === null}
      picker={open => (
        <IssuePicker
          {...open}
          label="Parent"
          none="No parent"
          without={[issue.id]}
          chosen={issue.parentId}
          onChoose={parentId => onChange({ parentId })}
        />
      )}
    >
      <span className={styles['text']}>{parent ? `${parent.key} ${parent.title}` : 'None'}</span>
    </PickerProperty>
  )
}

function TeamChoice({ issue, directory }: { issue: Issue; directory: Directory }) {
  const { mutate, error } = useIssueRequest<Issue>()
  const { teams } = directory
  if (teams.length < 2) return null
  const move = (teamId: string) =>
    mutate({ path: `/v1/issues/${issue.id}/move`, body: { teamId } }, { onSuccess: ({ key }) => go(`/issue/${key}`) })
  const picker = (open: OpenPicker) => (
    <Picker {...open} label="Team" options={teams.map(teamOption)} chosen={issue.teamId} onChoose={move} />
  )
  return (
    <>
      <PickerProperty name="Team" picker={picker}>
        {teams.find(({ id }) => id === issue.teamId)?.name}
      </PickerProperty>
      {error && <ErrorNote error={error} />}
    </>
  )
}

function Criteria({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const { met, total } = context?.definitionOfDone ?? { met: 0, total: 0 }
  if (total === 0) return null
  return (
    <Property name="Criteria">
      <span className={styles['criteria']}>
        {met} of {total} met
        <Meter label="Criteria met" value={met} max={total} />
      </span>
    </Property>
  )
}
