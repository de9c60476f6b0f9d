import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon, Picker, PickerButton, type PickerOption } from '../../../ui/browser/contract.ts'
import styles from './saved.module.css'

const MAX_SHOWN = 60
const NONE = ''

/** The data of emoji are loaded when the picker opens. */
async function optionsFor(text: string): Promise<PickerOption[]> {
  const { gemoji } = await import('gemoji')
  const typed = text.trim().toLowerCase()
  return gemoji
    .filter(
      ({ emoji, names, tags, description }) =>
        emoji === typed || [description, ...names, ...tags].some(name => name.includes(typed))
    )
    .slice(0, MAX_SHOWN)
    .map(({ emoji, description }) => ({ id: emoji, title: description, icon: emoji }))
}

function EmojiPicker(props: Omit<Parameters<typeof Picker>[0], 'options' | 'label'>) {
  const [text, setText] = useState('')
  const { data = [] } = useQuery({ queryKey: ['emoji', text], queryFn: () => optionsFor(text), staleTime: Infinity })
  const none: PickerOption = { id: NONE, title: 'No icon', icon: <Icon name="view" /> }
  return <Picker {...props} label="Icon" options={text === '' ? [none, ...data] : data} onType={setText} />
}

export const IconPicker = ({ icon, onChoose }: { icon: string | null; onChoose: (icon: string | null) => void }) => (
  <PickerButton
    label="Icon"
    className={styles['icon']}
    picker={open => <EmojiPicker {...open} chosen={icon ?? NONE} onChoose={id => onChoose(id === NONE ? null : id)} />}
  >
    {icon ?? <Icon name="view" />}
  </PickerButton>
)
