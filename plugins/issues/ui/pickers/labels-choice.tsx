import { ChoiceButton, MultiPicker } from '../../../ui/browser/contract.ts'
import { useLabels } from '../../../workspace/ui/contract.ts'
import { labelOptions } from '../symbols.tsx'

interface LabelsChoiceProps {
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}
export function LabelsChoice({ chosen, onChoose }: LabelsChoiceProps) {
  const labels = useLabels()
  if (labels.length === 0) return null
  const names = labels.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
  return (
    <ChoiceButton
      label="Labels"
      title={names.length === 0 ? 'Labels' : names.join(', ')}
      picker={open => (
        <MultiPicker {...open} label="Labels" options={labelOptions(labels)} chosen={chosen} onChoose={onChoose} />
      )}
    />
  )
}
