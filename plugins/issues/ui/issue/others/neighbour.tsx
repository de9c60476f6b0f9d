import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button, Icon, useCommands } from '../../../../ui/browser/contract.ts'
import type { StateCategory } from '../../../../workspace/ui/contract.ts'
import { StateIcon } from '../state-icon.tsx'
import styles from './others.module.css'

interface NeighbourProps {
  name: string
  category?: StateCategory
  onRemove: () => void
  children: ReactNode
}
export function Neighbour({ name, category, onRemove, children }: NeighbourProps) {
  return (
    <li>
      {category && <StateIcon category={category} />}
      <span className={styles['neighbour']}>{children}</span>
      <Button kind="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </Button>
    </li>
  )
}

interface GroupProps {
  title: string
  note?: ReactNode
  add: string
  form: ReactNode
  /** True if the form is shown at first, because it has a draft. */
  isOpenFirst?: boolean
  children: ReactNode
}
/** Escape closes the form behind “+”, and returns the focus. */
export function Group({ title, note, add, form, isOpenFirst = false, children }: GroupProps) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const button = useRef<HTMLSpanElement>(null)
  const shownForm = useRef<HTMLDivElement>(null)
  function toggle(): void {
    flushSync(() => setOpen(!isOpen))
    focusForm()
  }
  const focusForm = () => shownForm.current?.querySelector<HTMLElement>('input, button')?.focus()
  useCommands([{ id: add, title: `${add}…`, section: 'Issue', run: () => (isOpen ? focusForm() : toggle()) }])
  return (
    <>
      <header className={styles['head']}>
        <h2>{title}</h2>
        {note}
        <span ref={button}>
          <Button kind="quiet" aria-label={add} title={add} aria-expanded={isOpen} onClick={toggle}>
            <Icon name="plus" size={14} />
          </Button>
        </span>
      </header>
      {children}
      {isOpen && (
        <div
          ref={shownForm}
          onKeyDown={event => {
            // In an open picker, it is for the picker.
            if (event.key !== 'Escape' || (event.target as HTMLElement).closest('dialog')) return
            event.preventDefault()
            setOpen(false)
            button.current?.querySelector('button')?.focus()
          }}
        >
          {form}
        </div>
      )}
    </>
  )
}
