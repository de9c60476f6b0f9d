import { PickerProperty, useIssueRequest, type Issue } from '../../issues/ui/contract.ts'
import { ErrorNote, Icon, offerUndo, Picker } from '../../ui/browser/contract.ts'
import { useCycles, useMilestones, useProjects } from './data.ts'

interface Plan {
  projectId: string | null
  milestoneId: string | null
  cycleId: string | null
}
type Planned = Issue & Plan

/** Changes the project or the cycle of an issue; the change can be undone. */
function usePlan(issue: Issue) {
  const request = useIssueRequest<Planned>()
  const { mutate, mutateAsync, data, error, isPending, variables } = request
  const stored = data && data.rev > issue.rev ? data : (issue as Planned)
  // The pending choice, until the server has answered.
  const plan: Plan = isPending ? { ...stored, ...variables.body } : stored
  const path = `/v1/issues/${issue.id}`
  const change = (body: Partial<Plan>, before: Partial<Plan>) => {
    const { key } = issue
    const onSuccess = ({ rev }: Planned) => {
      const undo = () => mutateAsync({ path, body: { ...before, rev } })
      offerUndo({ title: `${key} is changed`, undone: `${key} is as before`, undo })
    }
    mutate({ path, body: { ...body, rev: stored.rev } }, { onSuccess })
  }
  return { plan, change, error }
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
      onChange={projectId => change({ projectId }, { projectId: plan.projectId })}
    />
  )
}

/** The milestone of an issue whose project has any. */
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
      onChange={milestoneId => change({ milestoneId }, { milestoneId: plan.milestoneId })}
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
      onChange={cycleId => change({ cycleId }, { cycleId: plan.cycleId })}
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
