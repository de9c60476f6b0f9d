import { useState } from 'react'
import { filtersOfTerms, headOf, keyNamed, mergeFilters, type Filters } from '../../../../lib/filter/filters.ts'
import { parseFilter, TEXT_KEY } from '../../../../lib/filter/grammar.ts'
import { hasAllWords } from '../../../../lib/words/fold.ts'
import { Icon, Picker, PickerButton, type OpenPicker, type PickerOption } from '../../../ui/browser/contract.ts'
import type { FilterProperty } from './properties/property.ts'
import styles from './filters.module.css'
import { withCondition } from './conditions.ts'
import { useProperties } from './properties/use-properties.ts'
import { ValuePicker } from './value-pickers.tsx'

export interface EditedFilters {
  filters: Filters
  setFilters(next: Filters): void
}

/** A text that is a typed filter with keys of these properties, such as `label:bug -is:blocked`. */
function typedFilters(text: string, properties: readonly FilterProperty[]): Filters | undefined {
  const { terms, mistakes } = parseFilter(text)
  const filters = filtersOfTerms(terms)
  const isKnown = (key: string) => properties.some(property => property.key === key)
  const hasKey = terms.some(({ key }) => keyNamed(key) !== TEXT_KEY)
  return hasKey && mistakes.length === 0 && Object.keys(filters).every(isKnown) ? filters : undefined
}

const TYPED = 'typed'
const CONTAINS = 'contains'

interface PropertyPickerProps extends OpenPicker {
  label: string
  properties: readonly FilterProperty[]
  chosen?: string
  onChoose: (property: FilterProperty) => void
  onType: (filters: Filters) => void
}
export function PropertyPicker({ label, properties, chosen, onChoose, onType, ...open }: PropertyPickerProps) {
  const [text, setText] = useState('')
  const words = text.trim()
  const typed = typedFilters(words, properties)
  const contained: Filters = { [TEXT_KEY]: { filterType: 'INCLUDES', value: [words] } }
  const options: PickerOption[] = [
    ...(typed ? [{ id: TYPED, title: words, icon: <Icon name="filter" /> }] : []),
    ...properties
      .filter(({ key, label }) => hasAllWords(`${label} ${key}`, words))
      .map(({ key, label, icon }) => ({ id: key, title: label, hint: headOf(key), icon })),
    ...(words === '' || typed
      ? []
      : [{ id: CONTAINS, title: `Title or key contains “${words}”`, icon: <Icon name="search" /> }])
  ]
  function choose(id: string): void {
    if (id === TYPED && typed) onType(typed)
    else if (id === CONTAINS) onType(contained)
    else onChoose(properties.find(({ key }) => key === id)!)
  }
  return (
    <Picker
      {...open}
      label={label}
      placeholder="Filter by…"
      options={options}
      onType={setText}
      chosen={chosen}
      onChoose={choose}
    />
  )
}

interface Next {
  property: FilterProperty
  anchor: Element | null
}
/** The second step, after a property was chosen. @returns `begin`, and the picker of values while it is open */
export function useNewCondition(onChoose: (add: (filters: Filters) => Filters) => void) {
  const [next, setNext] = useState<Next>()
  function begin(property: FilterProperty, anchor: Element | null): void {
    if (property.kind === 'flag') {
      onChoose(filters => withCondition(filters, property, { type: 'IS', values: ['true'] }))
    } else setNext({ property, anchor })
  }
  const picker = next && (
    <ValuePicker
      key={next.property.key}
      {...next}
      onClose={() => setNext(undefined)}
      onChoose={condition => onChoose(filters => withCondition(filters, next.property, condition))}
    />
  )
  return { begin, picker }
}

export function AddFilter({ filters, setFilters, without }: EditedFilters & { without: readonly string[] }) {
  const properties = useProperties().filter(({ key }) => !without.includes(key))
  const { begin, picker } = useNewCondition(add => setFilters(add(filters)))
  return (
    <span className={styles['add']} data-add-filter>
      <PickerButton
        label="Filter"
        command={{ id: 'addFilter', title: 'Filter by…', section: 'Issues', keys: ['f'] }}
        picker={open => (
          <PropertyPicker
            {...open}
            label="Filter"
            properties={properties}
            onChoose={property => begin(property, open.anchor)}
            onType={typed => setFilters(mergeFilters(filters, typed))}
          />
        )}
      >
        <Icon name="filter" size={14} />
        Filter
      </PickerButton>
      {picker}
    </span>
  )
}
