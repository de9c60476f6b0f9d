import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './picker.module.css'

export interface PickerOption {
  id: string
  title: string
  /** Its heading, above all that follow each other with the same one. */
  section?: string
  /** Displayed below its section, instead of the title. */
  shortTitle?: string
  hint?: string | undefined
  icon?: ReactNode
}
/** Maximum displayed options; a text narrows them down. */
const MAX_SHOWN = 100

interface PickerListProps {
  label: string
  text: string
  placeholder?: string
  /** Default: true. Without, the focus is in the options. */
  hasSearch?: boolean
  options: readonly PickerOption[]
  chosen: readonly string[]
  /** Chosen for some of several things. */
  mixed?: readonly string[]
  isMultiple?: boolean
  emptyText?: string
  onType: (text: string) => void
  onChoose: (id: string) => void
}

export function PickerList(props: PickerListProps) {
  const { label, text, placeholder = 'Search…', hasSearch = true, onType, onChoose } = props
  const { chosen, mixed = [], isMultiple = false } = props
  const id = useId()
  const [first] = useState([...chosen, ...mixed])
  const options = shownOptions(props.options, first)
  const { active, setActive, press } = useActive(options, chosen, onChoose)
  const forKeys = { 'aria-activedescendant': options.length > 0 ? `${id}-${active}` : undefined, onKeyDown: press }
  return (
    <>
      {hasSearch && (
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-label={`Search: ${label}`}
          className={styles['field']}
          placeholder={placeholder}
          autoComplete="off"
          value={text}
          onChange={event => {
            onType(event.target.value)
            setActive(0)
          }}
          {...forKeys}
        />
      )}
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMultiple || undefined}
        tabIndex={0}
        className={styles['options']}
        {...forKeys}
      >
        {options.map((option, n) => (
          <Option
            key={option.id}
            id={`${id}-${n}`}
            option={option}
            isFirst={options[n - 1]?.section !== option.section}
            isActive={n === active}
            isChosen={chosen.includes(option.id)}
            isMixed={mixed.includes(option.id)}
            isMultiple={isMultiple}
            onPoint={() => setActive(n)}
            onChoose={() => onChoose(option.id)}
          />
        ))}
      </ul>
      <ListNote count={props.options.length} emptyText={props.emptyText} />
    </>
  )
}

/** The chosen options come first where not all are displayed. */
function shownOptions(options: readonly PickerOption[], first: readonly string[]): readonly PickerOption[] {
  if (options.length <= MAX_SHOWN) return options
  const isFirst = ({ id }: PickerOption) => first.includes(id)
  return [...options.filter(isFirst), ...options.filter(option => !isFirst(option))].slice(0, MAX_SHOWN)
}

function useActive(options: readonly PickerOption[], chosen: readonly string[], onChoose: (id: string) => void) {
  const [at, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ id }) => chosen.includes(id))
    )
  )
  const active = Math.min(at, options.length - 1)
  function press(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const option = options[active]
    // Without an option, too: a form around it is not sent.
    if (event.key === 'Enter') {
      if (option) onChoose(option.id)
    } else if (by !== undefined && option) setActive((active + by + options.length) % options.length)
    else return
    event.preventDefault()
  }
  return { active, setActive, press }
}

function ListNote({ count, emptyText = 'No results.' }: { count: number; emptyText?: string | undefined }) {
  if (count > 0 && count <= MAX_SHOWN) return null
  const note = count === 0 ? emptyText : `${MAX_SHOWN} of ${count}: type to find others.`
  return <p className={styles['note']}>{note}</p>
}

interface OptionProps {
  id: string
  option: PickerOption
  isFirst: boolean
  isActive: boolean
  isChosen: boolean
  isMixed: boolean
  isMultiple: boolean
  onPoint: () => void
  onChoose: () => void
}
function Option({ id, option, isFirst, isActive, isChosen, isMixed, isMultiple, onPoint, onChoose }: OptionProps) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <>
      {isFirst && option.section !== undefined && (
        <li role="presentation" className={styles['section']}>
          {option.section}
        </li>
      )}
      <li
        ref={ref}
        id={id}
        role="option"
        aria-label={option.shortTitle && [option.title, option.hint].filter(Boolean).join(' ')}
        aria-selected={isChosen}
        data-active={isActive || undefined}
        onPointerMove={onPoint}
        // The focus stays where the keys are heard.
        onMouseDown={event => event.preventDefault()}
        onClick={onChoose}
      >
        {isMultiple && (
          <span className={styles['box']} data-chosen={isChosen || undefined} aria-hidden>
            {isChosen ? <Icon name="check" size={12} /> : isMixed && '–'}
          </span>
        )}
        {option.icon !== undefined && (
          <span className={styles['icon']} aria-hidden>
            {option.icon}
          </span>
        )}
        <span className={styles['name']}>{option.shortTitle ?? option.title}</span>
        {option.hint !== undefined && <small>{option.hint}</small>}
        {isChosen && !isMultiple && <Icon name="check" size={14} />}
      </li>
    </>
  )
}
