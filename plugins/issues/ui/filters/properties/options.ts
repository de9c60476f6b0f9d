import { fold } from '../../../../../lib/words/fold.ts'
import type { FilterOption, FilterProperty } from './property.ts'

const YES_NO: readonly FilterOption[] = [
  { id: 'true', title: 'Yes' },
  { id: 'false', title: 'No' }
]
export const fixedOptions = ({ kind }: FilterProperty): readonly FilterOption[] => (kind === 'flag' ? YES_NO : [])

const namesOf = ({ id, title, word = title }: FilterOption) => [id, word, title].map(fold)

export const optionOf = (options: readonly FilterOption[], value: string): FilterOption | undefined =>
  options.find(({ id }) => id === value) ?? options.find(option => namesOf(option).includes(fold(value)))

/** The value of an option in filters: its name if no other option has it, or else its id. */
export function valueOf(option: FilterOption, options: readonly FilterOption[]): string {
  const { id, title, word = title } = option
  return optionOf(options, word) === option ? word : id
}
