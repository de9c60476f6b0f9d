import { MultiPicker, PickerButton } from '../../../ui/browser/contract.ts'
import { labelOptions, type Label } from '../symbols.tsx'
import styles from './labels-choice.module.css'

interface LabelsChoiceProps {
  labels: readonly Label[]
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}
/** The labels in a form, as a button that opens a picker; nothing where there are none. */
export function LabelsChoice({ labels, chosen, onChoose }: LabelsChoiceProps) {
  if (labels.length === 0) return null
  const names = labels.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
  return (
    <PickerButton
      label="Labels"
      className={styles['choice']}
      picker={open => (
        <MultiPicker {...open} label="Labels" options={labelOptions(labels)} chosen={chosen} onChoose={onChoose} />
      )}
    >
      {names.length === 0 ? 'Labels' : names.join(', ')}
    </PickerButton>
  )
}
