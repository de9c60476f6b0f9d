import { Icon } from '../parts/icons.tsx'
import styles from './choice.module.css'
import { PickerButton } from './picker-button.tsx'
import type { PickerOption } from './picker-list.tsx'
import { Picker } from './picker.tsx'

/** More are found faster by typing. */
const MAX_WITHOUT_SEARCH = 7

interface ChoiceProps {
  label: string
  options: readonly PickerOption[]
  chosen: string
  /** A filter that is in effect. */
  isMarked?: boolean
  onChoose: (id: string) => void
}
/** A value that is a button, which opens a menu of others. */
export function Choice({ label, options, chosen, isMarked = false, onChoose }: ChoiceProps) {
  const { icon, title } = options.find(({ id }) => id === chosen) ?? {}
  return (
    <span className={styles['choice']} data-marked={isMarked || undefined}>
      <PickerButton
        label={label}
        picker={open => (
          <Picker
            {...open}
            label={label}
            options={options}
            chosen={chosen}
            hasSearch={options.length > MAX_WITHOUT_SEARCH}
            onChoose={onChoose}
          />
        )}
      >
        {icon}
        <span className={styles['title']}>{title}</span>
        <span className={styles['open']} aria-hidden>
          <Icon name="chevron" size={12} />
        </span>
      </PickerButton>
    </span>
  )
}
