import { useState } from 'react'
import { announce, type Writing } from '../../../ui/browser/contract.ts'
import { fill, unfill, type Fields, type Filled, type Filling } from './filling.ts'

/** Fills the form of a new issue, and undoes it. */
export interface FormFilling {
  /** What it is filled with; undefined: nothing. */
  name: string | undefined
  /** Another one takes the place of what is unchanged of the former. */
  fill(filling: Filling): void
  undo(): void
  /** Once the form is empty again. */
  forget(): void
}

export function useFilling(writing: Writing<Fields>): FormFilling {
  const [filled, setFilled] = useState<Filled>()
  const form = () => {
    const now = { fields: writing.state.context, text: writing.text() }
    return filled ? unfill(now, filled) : now
  }
  return {
    name: filled?.name,
    fill(filling) {
      const next = fill(form(), filling)
      setFilled(next)
      writing.replace(next.after.text, next.after.fields)
      announce(`Filled in from ${next.name}`)
    },
    undo() {
      const { text, fields } = form()
      setFilled(undefined)
      writing.replace(text, fields)
      announce(`Not from ${filled?.name} any more`)
    },
    forget: () => setFilled(undefined)
  }
}
