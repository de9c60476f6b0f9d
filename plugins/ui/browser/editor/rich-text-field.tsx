import { useState, type KeyboardEvent } from 'react'
import { Time } from '../parts/bits.tsx'
import { isComposing } from '../keys.ts'
import type { Mode } from './drafts.ts'
import { editorElement, loadEditor, useEditor } from './load-editor.ts'
import styles from './rich-text-field.module.css'
import { useWritingState, type Writing } from './writing.ts'

interface RichTextFieldProps<C> {
  /** `Comment`; when Markdown is written: `Comment, in Markdown`. */
  label: string
  placeholder?: string
  writing: Writing<C>
  autoFocus?: boolean
  /** Ctrl Enter. */
  onSave(): void
  /** Escape. */
  onEscape?(): void
}

/**
 * The field for texts of several lines, with the same keys everywhere: an editor, or the Markdown. Until the editor is
 * loaded, which the focus begins, a new text is written as Markdown, and a stored one is only displayed as such.
 */
export function RichTextField<C>(props: RichTextFieldProps<C>) {
  const { label, placeholder = '', writing, autoFocus = false, onSave, onEscape } = props
  const { version, mode, isBlank, draftAt, isKept } = useWritingState(writing)
  const [isFocused, setFocused] = useState(false)
  const [isComposed, setComposed] = useState(false)
  const [note, setNote] = useState('')
  const editor = useEditor(mode === 'edit' && (autoFocus || isFocused || !isBlank))
  // What one has begun to type before the editor is loaded stays where it is.
  const [wasWritten] = useState(!isBlank)
  const startsFocused = autoFocus || version > 0
  const cursor = startsFocused && wasWritten ? 'start' : startsFocused || isFocused ? 'end' : undefined
  return (
    <div
      className={styles['field']}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerEnter={mode === 'edit' ? loadEditor : undefined}
    >
      <div className={styles['head']}>
        <span>
          {label}
          {draftAt !== undefined && (
            <em title="It is kept in this browser until it is saved or discarded.">
              Draft, <Time at={draftAt} />
            </em>
          )}
        </span>
        <ModeToggle mode={mode} label={label} onChoose={mode => writing.setMode(mode)} />
      </div>
      {mode === 'edit' && editor === 'loaded' && !isComposed ? (
        editorElement(version, { label, placeholder, writing, cursor, onNote: setNote, onSave, onEscape })
      ) : (
        <PlainField
          key={version}
          label={mode === 'source' ? `${label}, in Markdown` : label}
          placeholder={placeholder}
          writing={writing}
          isMono={mode === 'source'}
          readOnly={mode === 'edit' && editor === 'loading' && wasWritten}
          autoFocus={startsFocused}
          onComposition={setComposed}
          onKeyDown={event => hearKey(event, props)}
        />
      )}
      {note !== '' && (
        <p className={styles['note']} role="status">
          {note}
        </p>
      )}
      {!isKept && (
        <p className={styles['note']} role="alert">
          This browser has no room for a draft of this text: save it before you leave.
        </p>
      )}
    </div>
  )
}

const isSaving = ({ ctrlKey, metaKey, shiftKey, repeat }: KeyboardEvent) => (ctrlKey || metaKey) && !shiftKey && !repeat

function hearKey(
  event: KeyboardEvent,
  { onSave, onEscape }: Pick<RichTextFieldProps<unknown>, 'onSave' | 'onEscape'>
): void {
  if (isComposing(event.nativeEvent)) return
  if (event.key === 'Enter' && isSaving(event)) onSave()
  else if (event.key === 'Escape' && onEscape) onEscape()
  else return
  event.preventDefault()
  event.stopPropagation()
}

interface PlainFieldProps {
  label: string
  placeholder: string
  writing: Pick<Writing<unknown>, 'text' | 'change'>
  isMono: boolean
  readOnly: boolean
  autoFocus: boolean
  onComposition: (isComposed: boolean) => void
  onKeyDown: (event: KeyboardEvent) => void
}
function PlainField({ writing, label, isMono, onComposition, ...props }: PlainFieldProps) {
  const [text] = useState(() => writing.text())
  return (
    <textarea
      className={isMono ? styles['source'] : styles['plain']}
      aria-label={label}
      defaultValue={text}
      dir="auto"
      {...props}
      onCompositionStart={() => onComposition(true)}
      onCompositionEnd={() => onComposition(false)}
      onChange={({ target: { value } }) => writing.change(() => value, value.trim() === '')}
    />
  )
}

/** For `onEscape`. */
export function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

const MODE_NAMES: Record<Mode, string> = { edit: 'Edit', source: 'Markdown' }

interface ModeToggleProps {
  /** Undefined: the text is only displayed. */
  mode?: Mode
  /** The text's name, if there may be several on the page. */
  label?: string
  onChoose: (mode: Mode) => void
}
/** How a text is written. */
export const ModeToggle = ({ mode, label, onChoose }: ModeToggleProps) => (
  <div className={styles['toggle']} role="group" aria-label="How it is written">
    {(['edit', 'source'] as const).map(each => (
      <button
        key={each}
        type="button"
        aria-label={label && `${MODE_NAMES[each]}: ${label}`}
        aria-pressed={mode === each}
        onPointerEnter={each === 'edit' ? loadEditor : undefined}
        onClick={() => mode !== each && onChoose(each)}
      >
        {MODE_NAMES[each]}
      </button>
    ))}
  </div>
)
