import { ChoiceButton } from '../../../ui/browser/contract.ts'
import type { Directory } from '../data.ts'
import { MemberPicker, NONE } from './field-picker.tsx'

interface AssigneeChoiceProps {
  directory: Directory
  chosen: string | undefined
  onChoose: (id: string | null) => void
}
export function AssigneeChoice({ directory, chosen = NONE, onChoose }: AssigneeChoiceProps) {
  return (
    <ChoiceButton
      label="Assignee"
      title={directory.members.find(({ id }) => id === chosen)?.fullname ?? 'Assignee'}
      picker={open => <MemberPicker {...{ ...open, directory, chosen, onChoose }} label="Assignee" />}
    />
  )
}
