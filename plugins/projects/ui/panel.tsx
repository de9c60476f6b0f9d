import type { Issue } from '../../issues/ui/contract.ts'
import { ErrorNote, useRequest } from '../../ui/browser/contract.ts'
import { useCycles, useProjects } from './data.ts'
import styles from './panel.module.css'

interface Planned extends Issue {
  projectId: string | null
  cycleId: string | null
}

/** Beside an issue: its project and cycle. */
export default function PlanningPanel({ issue }: { issue: Issue }) {
  const { data: projects = [] } = useProjects()
  const { data: cycles = [] } = useCycles()
  const { mutate, error } = useRequest('issue', 'context', 'issues', 'timeline')
  const { projectId, cycleId } = issue as Planned
  const change = (body: object) => mutate({ path: `/v1/issues/${issue.id}`, body })
  const isOfTeam = ({ teamId }: { teamId: string | null }) => teamId === null || teamId === issue.teamId
  return (
    <div className={styles['fields']}>
      <Choice
        label="Project"
        value={projectId}
        options={projects.filter(isOfTeam)}
        onChange={projectId => change({ projectId })}
      />
      <Choice
        label="Cycle"
        value={cycleId}
        options={cycles.filter(isOfTeam)}
        onChange={cycleId => change({ cycleId })}
      />
      {error && <ErrorNote error={error} />}
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string | null
  options: ReadonlyArray<{ id: string; name: string }>
  onChange: (id: string | null) => void
}
function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={event => onChange(event.target.value || null)}>
        <option value="">None</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
