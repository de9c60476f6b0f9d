import type { ReactNode } from 'react'
import { Icon, Picker, PickerButton } from '../../../ui/browser/contract.ts'
import type { FilterOption, FilterProperty } from './properties/property.ts'
import { PropertyPicker, useNewCondition, type EditedFilters } from './add-filter.tsx'
import {
  operatorName,
  operatorOf,
  operatorsOf,
  withChanged,
  withOperator,
  withoutCondition,
  type Condition
} from './conditions.ts'
import { mergeFilters } from '../../../../lib/filter/filters.ts'
import styles from './filters.module.css'
import { optionOf } from './properties/options.ts'
import { useOptions } from './properties/use-properties.ts'
import { ValuePicker } from './value-pickers.tsx'
import { typedName } from './values.ts'

interface ChipProps extends EditedFilters {
  condition: Condition
  onRemove: () => void
}

export function Chip({
  property,
  ...props
}: ChipProps & { property: FilterProperty | undefined; all: readonly FilterProperty[] }) {
  return property ? <KnownChip {...props} property={property} /> : <OtherChip {...props} />
}

/** A condition without a control, such as one with a key that was typed: it can be removed. */
function OtherChip({ condition, onRemove }: ChipProps) {
  const text = condition.values.map(value => value ?? 'none').join(', ')
  const operator = operatorName(undefined, condition)
  return (
    <ChipFrame name={condition.key} label={`${condition.key} ${operator} ${text}`} onRemove={onRemove}>
      <span className={styles['part']}>{condition.key}</span>
      <span className={styles['part']}>{operator}</span>
      <span className={styles['part']}>{text}</span>
    </ChipFrame>
  )
}

interface ValueNames {
  full: string
  shown: ReactNode
}
const MAX_SHOWN = 2

function namesOf(property: FilterProperty, condition: Condition, options: readonly FilterOption[]): ValueNames {
  const hasOptions = property.kind === 'choice' || property.kind === 'flag'
  const values = condition.values.map(value => {
    const option = hasOptions && value !== null ? optionOf(options, value) : undefined
    if (option) return option
    const title = hasOptions ? (value ?? property.none ?? 'None') : typedName(property, condition, value)
    return { title, icon: undefined }
  })
  const titles = values.map(({ title }) => title)
  const [first] = values
  const more = values.length - MAX_SHOWN
  return {
    full: titles.join(', '),
    shown: (
      <>
        {values.length === 1 && first?.icon}
        <span className={styles['text']}>{titles.slice(0, MAX_SHOWN).join(', ')}</span>
        {more > 0 && <span>+{more}</span>}
      </>
    )
  }
}

function KnownChip(props: ChipProps & { property: FilterProperty; all: readonly FilterProperty[] }) {
  const { property, condition, filters, setFilters, all, onRemove } = props
  const options = useOptions(property)
  const { full, shown } = namesOf(property, condition, options)
  const operators = operatorsOf(property)
  const operator = operatorOf(property, condition)
  const operatorText = operators.length > 0 ? operatorName(property, condition) : 'is'
  const isEmptiness = operator === 'UNDEFINED' || operator === 'DEFINED'
  const change = (next: Partial<Condition>) => setFilters(withChanged(filters, condition, property, next))
  const label = `${property.label} ${operatorText}${isEmptiness ? '' : ` ${full}`}`
  return (
    <ChipFrame name={property.label} label={label} onRemove={onRemove}>
      <PropertyPart
        property={property}
        all={all}
        filters={withoutCondition(filters, condition)}
        setFilters={setFilters}
      />
      {operators.length > 0 && (
        <PickerButton
          label={`Operator: ${operatorText}`}
          className={styles['part']}
          isTabStop={isEmptiness}
          picker={open => (
            <Picker
              {...open}
              label="Operator"
              options={operators.map(([id, title]) => ({ id, title }))}
              chosen={operator}
              hasSearch={false}
              onChoose={type => change(withOperator(property, condition, type))}
            />
          )}
        >
          {operatorText}
        </PickerButton>
      )}
      {!isEmptiness && (
        <PickerButton
          label={`${property.label}: ${full}`}
          className={styles['part']}
          picker={open => <ValuePicker {...open} property={property} condition={condition} onChoose={change} />}
        >
          {shown}
        </PickerButton>
      )}
    </ChipFrame>
  )
}

interface PropertyPartProps extends EditedFilters {
  property: FilterProperty
  all: readonly FilterProperty[]
}
/**
 * The property of a condition. Another one takes its place, with values of its own.
 * @param props.filters the other conditions
 */
function PropertyPart({ property, all, filters, setFilters }: PropertyPartProps) {
  const { begin, picker } = useNewCondition(add => setFilters(add(filters)))
  return (
    <>
      <PickerButton
        label={`Property: ${property.label}`}
        className={styles['part']}
        isTabStop={false}
        picker={open => (
          <PropertyPicker
            {...open}
            label="Property"
            properties={all}
            chosen={property.key}
            onChoose={next => begin(next, open.anchor)}
            onType={typed => setFilters(mergeFilters(filters, typed))}
          />
        )}
      >
        <span className={styles['icon']}>{property.icon}</span>
        {property.label}
      </PickerButton>
      {picker}
    </>
  )
}

interface ChipFrameProps {
  name: string
  label: string
  onRemove: () => void
  children: ReactNode
}
const ChipFrame = ({ name, label, onRemove, children }: ChipFrameProps) => (
  <div className={styles['chip']} role="group" aria-label={label} data-chip>
    {children}
    <button
      type="button"
      className={styles['part']}
      tabIndex={-1}
      aria-label={`Remove filter: ${name}`}
      onClick={onRemove}
    >
      <Icon name="close" size={12} />
    </button>
  </div>
)
