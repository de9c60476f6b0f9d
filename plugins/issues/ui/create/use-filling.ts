import { useRef, useState } from 'react'
import { announce, type Writing } from '../../../ui/browser/contract.ts'
import { fill, isOnlyFilled, unfill, type Fields, type Filling, type FormChange } from './filling.ts'

export interface FormFilling {
  /** The name of the template that is filled in; undefined: none. */
  name: string | undefined
  error: unknown
  /** Undoes the former template first. */
  fill(filling: Filling): Promise<void>
  undo(): void
  /** Called when the form is closed: undoes a template to which nothing was added, so that it is no draft. */
  leave(): void
  forget(): void
}

export function useFilling(writing: Writing<Fields>): FormFilling {
  // The change is read after waiting, too.
  const change = useRef<FormChange>(undefined)
  const [name, setName] = useState<string>()
  const [error, setError] = useState<unknown>()
  const form = () => ({ fields: writing.state.context, text: writing.text() })
  const formBefore = () => (change.current ? unfill(form(), change.current) : form())
  function set(next: FormChange | undefined): void {
    change.current = next
    setName(next?.name)
    setError(undefined)
  }
  function undo(): void {
    const { text, fields } = formBefore()
    set(undefined)
    writing.replace(text, fields)
  }
  return {
    name,
    error,
    async fill(filling) {
      try {
        // A chunk of its own: the first load does without the parser.
        const { withCriteria } = await import('./with-criteria.ts')
        const next = fill(formBefore(), filling, withCriteria)
        set(next)
        writing.replace(next.after.text, next.after.fields)
        announce(`Filled in from ${next.name}`)
      } catch (error) {
        setError(error)
      }
    },
    undo() {
      undo()
      announce(`Not from ${name} any more`)
    },
    leave() {
      if (change.current && isOnlyFilled(form(), change.current)) undo()
    },
    forget: () => set(undefined)
  }
}
