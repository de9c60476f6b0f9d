import { useQuery } from '@tanstack/react-query'
import { ErrorNote, go, Time, useRequest } from '../../../ui/browser/contract.ts'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'
import { changedRow, type FieldChange } from '../changes.ts'
import type { Issue } from '../contract.ts'
import { sortStates, useChange, useLabels, type Directory, type Label } from '../data.ts'
import { contextQuery } from './context-query.ts'
import styles from './issue.module.css'
import { Property } from './property.tsx'
import { Assignee, LabelChip, PriorityIcon } from '../symbols.tsx'
import { StateIcon } from './state-icon.tsx'

/** The fields beside the text, each a native select. */
export function Properties({ issue: stored, directory }: { issue: Issue; directory: Directory }) {
  const { mutate, error, isPending, variables } = useChange(stored)
  // The pending choice, until the server has answered.
  const issue = isPending ? changedRow(stored, variables.body) : stored
  const states = sortStates(directory.teams.find(({ id }) => id === issue.teamId)?.states ?? [])
  const category = states.find(({ id }) => id === issue.stateId)?.category ?? issue.stateCategory
  const change = (body: FieldChange) => mutate({ body })
  return (
    <section className={styles['properties']} aria-label="Properties">
      <Property name="Status" icon={<StateIcon category={category} />}>
        <select aria-label="Status" value={issue.stateId} onChange={event => change({ stateId: event.target.value })}>
          {states.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Property>
      <Property name="Priority" icon={<PriorityIcon priority={issue.priority} />}>
        <select
          aria-label="Priority"
          value={issue.priority}
          onChange={event => change({ priority: Number(event.target.value) })}
        >
          {PRIORITY_NAMES.map((name, priority) => (
            <option key={name} value={priority}>
              {name}
            </option>
          ))}
        </select>
      </Property>
      <Property name="Assignee" icon={<Assignee row={issue} members={directory.members} />}>
        <select
          aria-label="Assignee"
          value={issue.assigneeId ?? ''}
          onChange={event => change({ assigneeId: event.target.value || null })}
        >
          <option value="">Nobody</option>
          {directory.members.map(({ id, fullname }) => (
            <option key={id} value={id}>
              {fullname}
            </option>
          ))}
        </select>
      </Property>
      <Values issue={issue} onChange={change} />
      <TeamChoice issue={stored} directory={directory} />
      <Criteria issue={issue} />
      <Labels issue={issue} onChange={change} />
      <Property name="Created">
        <Time at={issue.createdAt} />
      </Property>
      {error && <ErrorNote error={error} />}
    </section>
  )
}

/** The due date and the estimate. */
function Values({ issue, onChange: change }: { issue: Issue; onChange: (change: FieldChange) => void }) {
  return (
    <>
      <Property name="Due">
        <ValueField
          label="Due date"
          type="date"
          value={issue.dueDate ?? ''}
          onChange={day => change({ dueDate: day || null })}
        />
      </Property>
      <Property name="Estimate">
        <ValueField
          label="Estimate"
          type="number"
          value={String(issue.estimate ?? '')}
          onChange={number => change({ estimate: number === '' ? null : Number(number) })}
        />
      </Property>
    </>
  )
}

interface ValueFieldProps {
  label: string
  type: 'date' | 'number'
  /** Empty: none. */
  value: string
  onChange: (value: string) => void
}
/** Saved when it loses the focus, not at each part of a date. */
const ValueField = ({ label, type, value, onChange }: ValueFieldProps) => (
  <input
    key={value}
    aria-label={label}
    type={type}
    placeholder="None"
    min={type === 'number' ? 0 : undefined}
    step={type === 'number' ? 'any' : undefined}
    defaultValue={value}
    onBlur={({ target }) => {
      if (!target.validity.valid) target.value = value
      else if (target.value !== value) onChange(target.value)
    }}
    onKeyDown={event => {
      if (event.key === 'Enter') event.currentTarget.blur()
    }}
  />
)

/** Moves the issue to another team, where it gets another key. */
function TeamChoice({ issue, directory }: { issue: Issue; directory: Directory }) {
  const { mutate, error, isPending } = useRequest<Issue>('issue', 'context', 'issues', 'timeline')
  if (directory.teams.length < 2) return null
  const move = (teamId: string) =>
    mutate({ path: `/v1/issues/${issue.id}/move`, body: { teamId } }, { onSuccess: ({ key }) => go(`/issue/${key}`) })
  return (
    <Property name="Team">
      <select aria-label="Team" disabled={isPending} value={issue.teamId} onChange={event => move(event.target.value)}>
        {directory.teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {error && <ErrorNote error={error} />}
    </Property>
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
        <meter min={0} max={total} value={met} aria-label="Criteria met" />
      </span>
    </Property>
  )
}

function Labels({ issue, onChange }: { issue: Issue; onChange: (change: FieldChange) => void }) {
  const labels = useLabels()
  const has = ({ id }: Label) => issue.labelIds.includes(id)
  return (
    <Property name="Labels">
      <span className={styles['labels']}>
        {labels.filter(has).map(label => (
          <button
            key={label.id}
            type="button"
            title="Remove"
            aria-label={`Remove the label ${label.name}`}
            onClick={() => onChange({ removeLabelIds: [label.id] })}
          >
            <LabelChip label={label} />
          </button>
        ))}
        <select aria-label="Add a label" value="" onChange={event => onChange({ addLabelIds: [event.target.value] })}>
          <option value="">Add…</option>
          {labels
            .filter(label => !has(label))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </span>
    </Property>
  )
}
