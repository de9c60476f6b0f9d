import { useState } from 'react'
import styles from './color-field.module.css'

interface ColorFieldProps {
  label: string
  color: string
  /** @param previous the displayed colour when it was begun to change */
  onChange: (color: string, previous: string) => void
}
/** It is saved when the field loses the focus. */
export function ColorField({ label, color, onChange }: ColorFieldProps) {
  const [previous, setPrevious] = useState(color)
  return (
    <input
      key={color}
      type="color"
      className={styles['color']}
      aria-label={label}
      defaultValue={color}
      onFocus={() => setPrevious(color)}
      onBlur={({ target: { value } }) => value !== color && onChange(value, previous)}
    />
  )
}
