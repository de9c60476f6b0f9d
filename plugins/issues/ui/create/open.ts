import type { ReactNode } from 'react'
import type { FieldChange } from '../list/row.ts'
import type { Filling } from './filling.ts'

const OPEN = 'tracker:create-issue'

/** The values of a new issue in a column, with the name and the icon of the column. */
export interface Preset {
  values: FieldChange
  name: string
  icon?: ReactNode
}
interface Opening {
  preset?: Preset | undefined
  filling?: Filling | undefined
}

export const openCreate = (opening: Opening = {}): void => {
  window.dispatchEvent(new CustomEvent(OPEN, { detail: opening }))
}
/** @returns a function that ends it */
export function onOpenCreate(open: (opening: Opening) => void): () => void {
  const hear = (event: Event) => open((event as CustomEvent<Opening>).detail)
  window.addEventListener(OPEN, hear)
  return () => window.removeEventListener(OPEN, hear)
}
