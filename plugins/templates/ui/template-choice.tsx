import { Picker, PickerButton } from '../../ui/browser/contract.ts'
import { choiceClass, type Filling } from '../../issues/ui/contract.ts'
import { useTemplates } from './data.ts'

/** In the form of a new issue: the templates of its team. */
export function TemplateChoice({ teamId, onFill }: { teamId: string; onFill: (filling: Filling) => void }) {
  const { data = [] } = useTemplates()
  const templates = data.filter(template => template.teamId === teamId)
  if (templates.length === 0) return null
  return (
    <PickerButton
      label="Template"
      className={choiceClass}
      picker={open => (
        <Picker
          {...open}
          label="Template"
          options={templates.map(({ id, name }) => ({ id, title: name }))}
          chosen={undefined}
          onChoose={id => onFill(templates.find(template => template.id === id)!)}
        />
      )}
    >
      Template…
    </PickerButton>
  )
}
