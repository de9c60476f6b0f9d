import { Picker, PickerButton } from '../../ui/browser/contract.ts'
import type { Filling } from '../../issues/ui/contract.ts'
import { useTemplates } from './data.ts'
import styles from './templates.module.css'

/** In the form of a new issue: the templates of its team. */
export function TemplateChoice({ teamId, onFill }: { teamId: string; onFill: (filling: Filling) => void }) {
  const { data = [] } = useTemplates()
  const templates = data.filter(template => template.teamId === teamId)
  if (templates.length === 0) return null
  return (
    <PickerButton
      label="Template"
      className={styles['choice']}
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
