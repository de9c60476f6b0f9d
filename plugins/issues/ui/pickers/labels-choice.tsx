import { MultiPicker, PickerButton } from '../../../ui/browser/contract.ts'
import { useLabels } from '../../../workspace/ui/contract.ts'
import { labelOptions } from '../symbols.tsx'
import styles from './labels-choice.module.css'

/** Of a button that opens a picker in a form. */
export const choiceClass = styles['choice']

interface LabelsChoiceProps {
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}
/** The labels in a form, as a button that opens a picker; nothing where there are none. */
export function LabelsChoice({ chosen, onChoose }: LabelsChoiceProps) {
  const labels = useLabels()
  if (labels.length === 0) return null
  const names = labels.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
  return (
    <PickerButton
      label="Labels"
      className={choiceClass}
      picker={open => (
        <MultiPicker {...open} label="Labels" options={labelOptions(labels)} chosen={chosen} onChoose={onChoose} />
      )}
    >
      {names.length === 0 ? 'Labels' : names.join(', ')}
    </PickerButton>
  )
}
