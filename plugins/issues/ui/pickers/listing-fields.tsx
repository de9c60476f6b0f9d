import { contributions, Picker } from '../../../ui/browser/contract.ts'
import { teamOfState, teamOption } from '../../../workspace/ui/contract.ts'
import { listingFields, type FieldPickerProps, type ListingField } from '../contract.ts'
import type { Directory } from '../data.ts'
import { FIELDS } from './field-picker.tsx'
import { IssuePicker } from './issue-picker.tsx'
import { sharedValue } from './shared-value.ts'

const ParentOfRows = ({ rows, directory: _, onChange, ...open }: FieldPickerProps) => (
  <IssuePicker
    {...open}
    none="No parent"
    without={rows.map(({ id }) => id)}
    chosen={sharedValue(rows, ({ parentId }) => parentId ?? null)}
    onChoose={parentId => onChange(() => ({ parentId }))}
  />
)

/** Moves issues to another team, where they get other keys. */
function TeamPicker({ rows, directory: { teams }, onChange, ...open }: FieldPickerProps) {
  return (
    <Picker
      {...open}
      options={teams.map(teamOption)}
      chosen={sharedValue(rows, ({ stateId }) => teamOfState(teams, stateId)?.id)}
      onChoose={teamId => onChange(() => ({ teamId }))}
    />
  )
}

const ownFields: readonly ListingField[] = [
  ...FIELDS.map((field, n) => ({ ...field, order: n })),
  { name: 'parent', label: 'Parent', order: 50, key: 'shift+s', Picker: ParentOfRows },
  { name: 'team', label: 'Team', order: 60, Picker: TeamPicker }
]

export const fieldsOfListing = ({ teams }: Directory): ListingField[] =>
  [...ownFields, ...contributions(listingFields)]
    .filter(({ name }) => name !== 'team' || teams.length > 1)
    .toSorted((a, b) => a.order - b.order)
