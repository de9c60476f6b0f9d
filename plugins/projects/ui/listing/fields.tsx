import { sharedValue, type FieldPickerProps, type ListingField } from '../../../issues/ui/contract.ts'
import { Icon, Picker } from '../../../ui/browser/contract.ts'
import { teamOfState } from '../../../workspace/ui/contract.ts'
import { useCycles, useMilestones, useProjects } from '../data.ts'

const NONE = ''

interface ReferenceProps extends FieldPickerProps {
  property: 'projectId' | 'milestoneId' | 'cycleId'
  options: ReadonlyArray<{ id: string; name: string; teamId?: string | null }>
}
/** Offers options of the team that all issues have, and those without a team. */
function ReferencePicker({ rows, directory: { teams }, property, options, onChange, ...open }: ReferenceProps) {
  const icon = <Icon name={open.label.toLowerCase()} />
  const teamId = sharedValue(rows, ({ stateId }) => teamOfState(teams, stateId)?.id)
  const isOfAll = (option: ReferenceProps['options'][number]) => option.teamId == null || option.teamId === teamId
  const chosen = sharedValue(rows, row => row[property] ?? NONE)
  return (
    <Picker
      {...open}
      options={[
        { id: NONE, title: `No ${open.label.toLowerCase()}`, icon: <Icon name="close" /> },
        ...options.filter(isOfAll).map(({ id, name }) => ({ id, title: name, icon }))
      ]}
      chosen={chosen}
      onChoose={id => onChange(() => ({ [property]: id === NONE ? null : id }))}
    />
  )
}

const ProjectPicker = (props: FieldPickerProps) => (
  <ReferencePicker {...props} property="projectId" options={useProjects().data ?? []} />
)
const CyclePicker = (props: FieldPickerProps) => (
  <ReferencePicker {...props} property="cycleId" options={useCycles().data ?? []} />
)
function MilestonePicker(props: FieldPickerProps) {
  const projectId = sharedValue(props.rows, row => row.projectId ?? null) ?? null
  return <ReferencePicker {...props} property="milestoneId" options={useMilestones(projectId).data ?? []} />
}

/** The keys are those of the page of an issue. */
export const fieldsOfListings: readonly ListingField[] = [
  { name: 'project', label: 'Project', order: 20, key: 'shift+p', Picker: ProjectPicker },
  { name: 'milestone', label: 'Milestone', order: 21, key: 'shift+m', Picker: MilestonePicker },
  { name: 'cycle', label: 'Cycle', order: 22, key: 'shift+c', Picker: CyclePicker }
]
