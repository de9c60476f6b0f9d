import { useState, type ReactNode } from 'react'
import { toggled } from '../../../../lib/util/toggled.ts'
import { hasAllWords } from '../../../../lib/words/fold.ts'
import { announce } from '../keys.ts'
import type { OpenPicker } from './picker-button.tsx'
import { PickerDialog } from './picker-dialog.tsx'
import { PickerList, type PickerOption } from './picker-list.tsx'

interface PickerProps extends OpenPicker {
  label: string
  options: readonly PickerOption[]
  /** With it, `options` match the typed text already; without, they are filtered by its words. */
  onType?: (text: string) => void
  placeholder?: string
  hasSearch?: boolean
  emptyText?: string
  footer?: (choose: (id: string) => void) => ReactNode
}

export function Picker({
  chosen,
  onChoose,
  footer,
  ...props
}: PickerProps & { chosen: string | undefined; onChoose: (id: string) => void }) {
  const options = useOptions(props)
  function choose(id: string): void {
    props.onClose()
    if (id !== chosen) onChoose(id)
  }
  return (
    <PickerDialog {...props}>
      <PickerList {...props} {...options} chosen={chosen === undefined ? [] : [chosen]} onChoose={choose} />
      {footer?.(choose)}
    </PickerDialog>
  )
}

/** `onChoose` is called once, when it is closed. @param mixed what only some of several things have */
export function MultiPicker({
  chosen: before,
  mixed: mixedBefore = [],
  onChoose,
  onClose,
  ...props
}: Omit<PickerProps, 'footer'> & {
  chosen: readonly string[]
  mixed?: readonly string[]
  onChoose: (ids: string[], mixed: string[]) => void
}) {
  const options = useOptions(props)
  const [chosen, setChosen] = useState(before)
  const [mixed, setMixed] = useState(mixedBefore)
  function toggle(id: string): void {
    const isChosen = chosen.includes(id)
    setMixed(mixed.filter(other => other !== id))
    setChosen(toggled(chosen, id))
    const title = props.options.find(option => option.id === id)?.title
    announce(isChosen ? `${title} is not chosen` : `${title} is chosen`)
  }
  function finish(): void {
    onClose()
    const isSame =
      mixed.length === mixedBefore.length && chosen.length === before.length && chosen.every(id => before.includes(id))
    if (!isSame) onChoose([...chosen], [...mixed])
  }
  return (
    <PickerDialog {...props} onClose={finish}>
      <PickerList {...props} {...options} chosen={chosen} mixed={mixed} isMultiple onChoose={toggle} />
    </PickerDialog>
  )
}

function useOptions({ options, onType }: Pick<PickerProps, 'options' | 'onType'>) {
  const [text, setText] = useState('')
  return {
    text,
    options: onType ? options : options.filter(({ title }) => hasAllWords(title, text)),
    onType(text: string) {
      setText(text)
      onType?.(text)
    }
  }
}
