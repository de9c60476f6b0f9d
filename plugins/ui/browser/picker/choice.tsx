import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './choice.module.css'
import { PickerButton, type OpenPicker } from './picker-button.tsx'
import type { PickerOption } from './picker-list.tsx'
import { Picker } from './picker.tsx'

/** Maximum options without a search field: more are found faster by typing. */
const MAX_WITHOUT_SEARCH = 7

interface ChoiceProps {
  label: string
  options: readonly PickerOption[]
  chosen: string
  isMarked?: boolean
  /** Its value is a sentence. */
  isWide?: boolean
  onChoose: (id: string) => void
}
export function Choice({ label, options, chosen, isMarked = false, isWide = false, onChoose }: ChoiceProps) {
  const { icon, title = '' } = options.find(({ id }) => id === chosen) ?? {}
  return (
    <ChoiceButton
      {...{ label, isMarked, isWide, title, icon }}
      hasArrow
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
    />
  )
}

interface ChoiceButtonProps {
  label: string
  title: string
  icon?: ReactNode
  isMarked?: boolean
  isWide?: boolean
  hasArrow?: boolean
  picker: (open: OpenPicker) => ReactNode
}
export const ChoiceButton = ({ label, title, icon, isMarked, isWide, hasArrow = false, picker }: ChoiceButtonProps) => (
  <span className={styles['choice']} data-marked={isMarked || undefined} data-wide={isWide || undefined}>
    <PickerButton label={label} picker={picker}>
      {icon}
      <span className={styles['title']}>{title}</span>
      {hasArrow && (
        <span className={styles['open']} aria-hidden>
          <Icon name="chevron" size={12} />
        </span>
      )}
    </PickerButton>
  </span>
)
