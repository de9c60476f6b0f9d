import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PickerOption } from '../../../../ui/browser/contract.ts'

/** A value to filter by. Filters may name it by its id, its title or its word. */
export interface FilterOption extends PickerOption {
  /** The name that is written into filters; default: the title, if no other option has it. */
  word?: string
}
export type FilterProperty = {
  key: string
  label: string
  icon: ReactNode
  /** The option for issues without a value: `Nobody`. Without it, all have one. */
  none?: string
} & (
  | {
      kind: 'choice'
      /** Also called by the palette. */
      options(client: QueryClient): Promise<readonly FilterOption[]>
    }
  /** Days that are mostly in the future, or in the past. */
  | { kind: 'day'; isPast: boolean }
  | { kind: 'number' | 'text' | 'flag' }
)
