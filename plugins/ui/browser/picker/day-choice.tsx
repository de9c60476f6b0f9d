import { DayPicker } from './day-picker.tsx'
import { dayText } from './days.ts'
import { PickerButton } from './picker-button.tsx'

interface DayChoiceProps {
  label: string
  /** `YYYY-MM-DD` */
  day: string
  className?: string | undefined
  onChoose: (day: string) => void
}
export const DayChoice = ({ label, day, className, onChoose }: DayChoiceProps) => (
  <PickerButton
    label={label}
    className={className}
    picker={open => (
      <DayPicker {...open} label={label} day={day} isRequired onChoose={chosen => chosen && onChoose(chosen)} />
    )}
  >
    {dayText(day)}
  </PickerButton>
)
