import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasAllWords } from '../../../../lib/words/fold.ts'
import { api, Icon, Picker, type OpenPicker } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import type { Page } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'

const MAX_ISSUES = 20
const NONE = ''

interface IssuePickerProps extends OpenPicker {
  label: string
  /** The option for none, such as `No parent`; undefined: one must be chosen. */
  none?: string
  /** Ids of the issues that it is chosen for. */
  without: readonly string[]
  /** Null: none; undefined: they have different ones. */
  chosen: string | null | undefined
  onChoose: (issueId: string | null) => void
}
/** Without a text, the last changed issues. */
export function IssuePicker({ none, without, chosen, onChoose, ...open }: IssuePickerProps) {
  const [text, setText] = useState('')
  const words = text.split(/\s+/).filter(word => word !== '')
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['parents', words],
    queryFn: ({ signal }) => {
      const filters = words.length > 0 ? { text: { filterType: 'INCLUDES_ALL', value: words } } : {}
      return api<Page>('/v1/issues/filter', {
        body: { filters, view: 'list', orderBy: 'updatedAt', perPage: MAX_ISSUES, total: 'none' },
        signal
      })
    },
    placeholderData: keepPreviousData
  })
  const isOther = ({ id }: Row) => !without.includes(id)
  // Until the answer arrives, Enter must not choose an issue that no longer matches.
  const matches = ({ key, title }: Row) => !isPlaceholderData || hasAllWords(`${key} ${title}`, text)
  const others = data?.issues.filter(row => isOther(row) && matches(row)) ?? []
  return (
    <Picker
      {...open}
      placeholder="ENG-12, or words of a title…"
      onType={setText}
      options={[
        ...(words.length === 0 && none !== undefined ? [{ id: NONE, title: none, icon: <Icon name="close" /> }] : []),
        ...others.map(({ id, key, title, stateCategory }) => ({
          id,
          title: `${key} ${title}`,
          icon: <StateIcon category={stateCategory} />
        }))
      ]}
      chosen={chosen === null ? NONE : chosen}
      onChoose={id => onChoose(id === NONE ? null : id)}
    />
  )
}
