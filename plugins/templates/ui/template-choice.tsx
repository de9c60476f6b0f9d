import { ChoiceButton, Picker } from '../../ui/browser/contract.ts'
import type { Filling } from '../../issues/ui/contract.ts'
import { useTemplates } from './data.ts'

export function TemplateChoice({ teamId, onFill }: { teamId: string; onFill: (filling: Filling) => void }) {
  const { data = [] } = useTemplates()
  const templates = data.filter(template => template.teamId === teamId)
  if (templates.length === 0) return null
  return (
    <ChoiceButton
      label="Template"
      title="Template…"
      picker={open => (
        <Picker
          {...open}
          label="Template"
          options={templates.map(({ id, name }) => ({ id, title: name }))}
          chosen={undefined}
          onChoose={id => onFill(templates.find(template => template.id === id)!)}
        />
      )}
    />
  )
}
