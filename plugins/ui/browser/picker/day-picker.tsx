import { useState } from 'react'
import { dayOfWords } from '../../../../lib/util/day-words.ts'
import { Icon } from '../parts/icons.tsx'
import { Calendar } from './calendar.tsx'
import { dayText } from './days.ts'
import type { OpenPicker } from './picker-button.tsx'
import { Picker } from './picker.tsx'

const SUGGESTED = [
  ['Today', 'today'],
  ['Tomorrow', 'tomorrow'],
  ['Next Monday', 'next monday'],
  ['Next Friday', 'next friday'],
  ['In two weeks', '+2w'],
  ['End of month', 'end of month']
] as const
const NONE = ''

function optionsFor(text: string, label: string, isRequired: boolean) {
  const now = new Date()
  const typed = dayOfWords(text, now)
  if (typed !== undefined) return [{ id: typed, title: dayText(typed), hint: typed, icon: <Icon name="calendar" /> }]
  const isPart = (words: string) => words.toLowerCase().includes(text.trim().toLowerCase())
  const days = SUGGESTED.filter(([title]) => isPart(title)).map(([title, words]) => {
    const day = dayOfWords(words, now)!
    return { id: day, title, hint: dayText(day), icon: <Icon name="calendar" /> }
  })
  const none = { id: NONE, title: `No ${label.toLowerCase()}`, icon: <Icon name="close" /> }
  // Two names of one day are one option.
  const once = days.filter(({ id }, n) => days.findIndex(day => day.id === id) === n)
  return !isRequired && isPart(none.title) ? [...once, none] : once
}

interface DayPickerProps extends OpenPicker {
  label: string
  /** `YYYY-MM-DD` */
  day: string | null | undefined
  isRequired?: boolean
  onChoose: (day: string | null) => void
}
export function DayPicker({ day, isRequired = false, onChoose, ...open }: DayPickerProps) {
  const [text, setText] = useState('')
  return (
    <Picker
      {...open}
      placeholder="next friday, +3d, 2028-02-29…"
      options={optionsFor(text, open.label, isRequired)}
      onType={setText}
      chosen={day === null ? NONE : day}
      onChoose={id => onChoose(id === NONE ? null : id)}
      footer={choose => <Calendar day={day ?? undefined} onChoose={choose} />}
    />
  )
}
