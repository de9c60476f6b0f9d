import { fold } from '../../../../../lib/words/fold.ts'
import type { FilterOption, FilterProperty } from './property.ts'

/* The options of properties, and what stands for them in filters. */

const YES_NO: readonly FilterOption[] = [
  { id: 'true', title: 'Yes' },
  { id: 'false', title: 'No' }
]
/** Those of a property without a query of its own. */
export const fixedOptions = ({ kind }: FilterProperty): readonly FilterOption[] => (kind === 'flag' ? YES_NO : [])

const namesOf = ({ id, title, word = title }: FilterOption) => [id, word, title].map(fold)

export const optionOf = (options: readonly FilterOption[], value: string): FilterOption | undefined =>
  options.find(({ id }) => id === value) ?? options.find(option => namesOf(option).includes(fold(value)))

/** What is written for an option: a name that stands for no other, or else its id. */
export function valueOf(option: FilterOption, options: readonly FilterOption[]): string {
  const { id, title, word = title } = option
  return optionOf(options, word) === option ? word : id
}
