import { useState } from 'react'
import { Calendar, MultiPicker, Picker, type OpenPicker, type PickerOption } from '../../../ui/browser/contract.ts'
import type { FilterOption, FilterProperty } from './properties/property.ts'
import type { ConditionValue, NewCondition } from './conditions.ts'
import { optionOf, valueOf } from './properties/options.ts'
import { useOptions } from './properties/use-properties.ts'
import { newConditions, otherValues, typedName } from './values.ts'

const PLACEHOLDERS: Partial<Record<FilterProperty['kind'], string>> = {
  day: 'next friday, -7d, -7d..today…',
  number: 'A number…',
  text: 'Words of a title, or a key…'
}
const NONE = ''

interface ValueProps extends OpenPicker {
  property: FilterProperty
  /** Undefined: for a new one. */
  condition?: NewCondition
  onChoose: (condition: NewCondition) => void
}
export function ValuePicker(props: ValueProps) {
  const { property, condition, onChoose } = props
  if (property.kind === 'choice') return <OptionsPicker {...props} />
  if (property.kind === 'flag') return <FlagPicker {...props} />
  if (condition === undefined) return <NewPicker {...props} />
  const change = (value: string) => onChoose({ type: condition.type, values: [value] })
  return <TypedPicker {...props} condition={condition} onChoose={change} />
}

/** Values that are none of the options, such as those of a removed label, stay until they are removed. */
function withUnknown(options: readonly FilterOption[], values: readonly ConditionValue[]): FilterOption[] {
  const unknown = values.filter(value => value !== null && optionOf(options, value) === undefined)
  return [...options, ...unknown.map(value => ({ id: value!, title: value! }))]
}

function OptionsPicker({ property, condition, onChoose, ...open }: ValueProps) {
  const { type, values } = condition ?? { type: 'IS', values: [] }
  const options = withUnknown(useOptions(property), values)
  const none = property.none === undefined ? [] : [{ id: NONE, title: property.none }]
  const chosen = values.map(value => (value === null ? NONE : optionOf(options, value)!.id))
  const written = (id: string): ConditionValue =>
    id === NONE
      ? null
      : valueOf(
          options.find(option => option.id === id)!,
          options
        )
  return (
    <MultiPicker
      {...open}
      label={property.label}
      options={[...none, ...options]}
      chosen={chosen}
      onChoose={ids => onChoose({ type, values: ids.map(written) })}
    />
  )
}

function FlagPicker({ property, condition, onChoose, ...open }: ValueProps) {
  return (
    <Picker
      {...open}
      label={property.label}
      options={useOptions(property)}
      chosen={condition?.values[0] ?? undefined}
      hasSearch={false}
      onChoose={value => onChoose({ type: 'IS', values: [value] })}
    />
  )
}

const ofCalendar = (property: FilterProperty) => (choose: (day: string) => void) =>
  property.kind === 'day' ? <Calendar day={undefined} onChoose={choose} /> : null

function NewPicker({ property, condition: _, onChoose, ...open }: ValueProps) {
  const [text, setText] = useState('')
  const suggestions = newConditions(property, text)
  const options = suggestions.map(({ title, hint }, n): PickerOption => ({ id: String(n), title, hint }))
  const conditionOf = (id: string) => suggestions[Number(id)]?.condition ?? { type: 'IS', values: [id] }
  return (
    <Picker
      {...open}
      label={property.label}
      placeholder={PLACEHOLDERS[property.kind]!}
      emptyText="Type what it contains."
      options={options}
      onType={setText}
      chosen={undefined}
      onChoose={id => onChoose(conditionOf(id))}
      footer={ofCalendar(property)}
    />
  )
}

interface TypedProps extends OpenPicker {
  property: FilterProperty
  condition: NewCondition
  onChoose: (value: string) => void
}
function TypedPicker({ property, condition, onChoose, ...open }: TypedProps) {
  const [text, setText] = useState('')
  const isSpan = condition.type.includes('WITHIN')
  const chosen = condition.values[0] ?? undefined
  const values = otherValues(property, condition, text)
  const all = text === '' && chosen !== undefined ? [...new Set([chosen, ...values])] : values
  return (
    <Picker
      {...open}
      label={property.label}
      placeholder={isSpan ? '-7d..today…' : PLACEHOLDERS[property.kind]!}
      emptyText="Type what it contains."
      options={all.map(value => ({ id: value, title: typedName(property, condition, value) }))}
      onType={setText}
      chosen={chosen}
      onChoose={onChoose}
      {...(!isSpan && { footer: ofCalendar(property) })}
    />
  )
}
