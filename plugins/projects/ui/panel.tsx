import { Property, type Issue } from '../../issues/ui/contract.ts'
import { ErrorNote, offerUndo, useRequest } from '../../ui/browser/contract.ts'
import { useCycles, useProjects } from './data.ts'

interface Plan {
  projectId: string | null
  cycleId: string | null
}
type Planned = Issue & Plan

/** An issue's project and cycle. */
export default function PlanningPanel({ issue }: { issue: Issue }) {
  const { data: projects = [] } = useProjects()
  const { data: cycles = [] } = useCycles()
  const request = useRequest<Planned>('issue', 'context', 'issues', 'timeline')
  const { mutate, mutateAsync, data, error, isPending, variables } = request
  const stored = data && data.rev > issue.rev ? data : (issue as Planned)
  // The pending choice, until the server has answered.
  const { projectId, cycleId } = isPending ? { ...stored, ...variables.body } : stored
  const path = `/v1/issues/${issue.id}`
  const change = (body: Partial<Plan>, before: Partial<Plan>) => {
    const { key } = issue
    const onSuccess = ({ rev }: Planned) => {
      const undo = () => mutateAsync({ path, body: { ...before, rev } })
      offerUndo({ title: `${key} is changed`, undone: `${key} is as before`, undo })
    }
    mutate({ path, body: { ...body, rev: stored.rev } }, { onSuccess })
  }
  const isOfTeam = ({ teamId }: { teamId: string | null }) => teamId === null || teamId === issue.teamId
  return (
    <>
      <Choice
        label="Project"
        value={projectId}
        options={projects.filter(isOfTeam)}
        onChange={chosen => change({ projectId: chosen }, { projectId })}
      />
      <Choice
        label="Cycle"
        value={cycleId}
        options={cycles.filter(isOfTeam)}
        onChange={chosen => change({ cycleId: chosen }, { cycleId })}
      />
      {error && <ErrorNote error={error} />}
    </>
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
    <Property name={label}>
      <select aria-label={label} value={value ?? ''} onChange={event => onChange(event.target.value || null)}>
        <option value="">None</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Property>
  )
}
