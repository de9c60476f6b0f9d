import { PickerProperty, useChange, type Issue } from '../../issues/ui/contract.ts'
import { ErrorNote, Icon, Picker } from '../../ui/browser/contract.ts'
import { useCycles, useMilestones, useProjects } from './data.ts'

type Plan = Pick<Issue, 'projectId' | 'milestoneId' | 'cycleId'>

function usePlan(issue: Issue) {
  const { mutate, error, isPending, variables } = useChange(issue)
  // The pending choice, until the server has answered.
  const { projectId = null, milestoneId = null, cycleId = null }: Plan = { ...issue, ...(isPending && variables.body) }
  return { plan: { projectId, milestoneId, cycleId }, change: (body: Plan) => mutate({ body }), error }
}

const isOf = (issue: Issue) => (other: { teamId: string | null }) =>
  other.teamId === null || other.teamId === issue.teamId

export function ProjectOfIssue({ issue }: { issue: Issue }) {
  const { data: projects = [] } = useProjects()
  const { plan, change, error } = usePlan(issue)
  return (
    <Choice
      label="Project"
      keys="shift+p"
      value={plan.projectId}
      options={projects.filter(isOf(issue))}
      error={error}
      onChange={projectId => change({ projectId })}
    />
  )
}

export function MilestoneOfIssue({ issue }: { issue: Issue }) {
  const { plan, change, error } = usePlan(issue)
  const { data: milestones = [] } = useMilestones(plan.projectId)
  if (milestones.length === 0) return null
  return (
    <Choice
      label="Milestone"
      keys="shift+m"
      value={plan.milestoneId}
      options={milestones}
      error={error}
      onChange={milestoneId => change({ milestoneId })}
    />
  )
}

export function CycleOfIssue({ issue }: { issue: Issue }) {
  const { data: cycles = [] } = useCycles()
  const { plan, change, error } = usePlan(issue)
  return (
    <Choice
      label="Cycle"
      keys="shift+c"
      value={plan.cycleId}
      options={cycles.filter(isOf(issue))}
      error={error}
      onChange={cycleId => change({ cycleId })}
    />
  )
}

const NONE = ''

interface ChoiceProps {
  label: string
  keys: string
  value: string | null
  options: ReadonlyArray<{ id: string; name: string }>
  error: unknown
  onChange: (id: string | null) => void
}
function Choice({ label, keys, value, options, error, onChange }: ChoiceProps) {
  const icon = <Icon name={label.toLowerCase()} />
  return (
    <>
      <PickerProperty
        name={label}
        command={{ id: `change ${label}`, title: `Change ${label.toLowerCase()}…`, section: 'Issue', keys: [keys] }}
        icon={icon}
        isEmpty={value === null}
        picker={open => (
          <Picker
            {...open}
            label={label}
            options={[
              { id: NONE, title: `No ${label.toLowerCase()}`, icon: <Icon name="close" /> },
              ...options.map(({ id, name }) => ({ id, title: name, icon }))
            ]}
            chosen={value ?? NONE}
            onChoose={id => onChange(id === NONE ? null : id)}
          />
        )}
      >
        {options.find(({ id }) => id === value)?.name ?? 'None'}
      </PickerProperty>
      {error !== null && <ErrorNote error={error} />}
    </>
  )
}
