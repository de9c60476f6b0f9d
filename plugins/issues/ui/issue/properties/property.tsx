import type { ReactNode } from 'react'
import { PickerButton, type OpenPicker, type UiCommand } from '../../../../ui/browser/contract.ts'
import styles from './property.module.css'

export function Property({ name, icon, children }: { name: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['property']}>
      <span>{name}</span>
      <div>
        {icon}
        {children}
      </div>
    </div>
  )
}

interface PickerPropertyProps {
  name: string
  command?: Omit<UiCommand, 'run'>
  icon?: ReactNode
  /** Without a value, which hides it behind “Add property”. */
  isEmpty?: boolean
  picker: (open: OpenPicker) => ReactNode
  children: ReactNode
}
export const PickerProperty = ({ name, command, icon, isEmpty = false, picker, children }: PickerPropertyProps) => (
  <div className={styles['property']} data-empty={isEmpty || undefined}>
    <span aria-hidden>{name}</span>
    <PickerButton label={name} picker={picker} className={styles['value']} {...(command && { command })}>
      {icon !== undefined && (
        <span className={styles['icon']} aria-hidden>
          {icon}
        </span>
      )}
      <span className={styles['content']}>{children}</span>
      <span className={styles['placeholder']} aria-hidden>
        {name}
      </span>
    </PickerButton>
  </div>
)
