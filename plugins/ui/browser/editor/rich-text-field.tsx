import { useLayoutEffect, useRef, useState, type ComponentType, type FocusEvent, type KeyboardEvent } from 'react'
import { Time } from '../parts/bits.tsx'
import { isComposing } from '../keys.ts'
import type { MarkdownCompletionProps } from './completion/markdown-completion.tsx'
import type { Mode } from './drafts.ts'
import { AttachButton, UploadList } from './files/upload-list.tsx'
import { fileMarkdown } from './files/uploads.ts'
import { editorElement, loadEditor, useEditor } from './load-editor.ts'
import styles from './rich-text-field.module.css'
import { useWritingState, type Writing } from './writing.ts'

interface RichTextFieldProps<C> {
  /** `Comment`; when Markdown is written: `Comment, in Markdown`. */
  label: string
  placeholder?: string
  writing: Writing<C>
  autoFocus?: boolean
  onSave(): void
  onEscape?(): void
}

/** Until the editor is loaded, which the focus begins, a new text is written as Markdown. */
export function RichTextField<C>(props: RichTextFieldProps<C>) {
  const { label, placeholder = '', writing, autoFocus = false, onSave, onEscape } = props
  const { version, leavesFocus, mode, isBlank, isKept, isSaving } = useWritingState(writing)
  const [isFocused, setFocused] = useState(false)
  /** A half-typed mark, such as a first `*`, would be read as another one: a text that begins as Markdown stays so. */
  const [typedVersion, setTypedVersion] = useState<number>()
  const [note, setNote] = useState({ version, text: '' })
  const editor = useEditor(mode === 'edit' && (autoFocus || isFocused || !isBlank))
  const [wasWritten] = useState(!isBlank)
  const startsFocused = autoFocus || (version > 0 && !leavesFocus)
  const cursor = startsFocused && wasWritten ? 'start' : startsFocused || isFocused ? 'end' : undefined
  return (
    <div
      className={styles['field']}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerEnter={mode === 'edit' ? loadEditor : undefined}
      // Beside the text of the editor.
      onDrop={event => !isSaving && writing.uploads.take(event.nativeEvent)}
    >
      <FieldHead label={label} writing={writing} />
      {mode === 'edit' && editor === 'loaded' && typedVersion !== version ? (
        editorElement(version, {
          ...{ label, placeholder, writing, cursor, onSave, onEscape },
          readOnly: isSaving,
          onNote: text => setNote({ version, text })
        })
      ) : (
        <PlainField
          key={version}
          label={mode === 'source' ? `${label}, in Markdown` : label}
          placeholder={placeholder}
          writing={writing}
          isMono={mode === 'source'}
          readOnly={isSaving || (mode === 'edit' && editor === 'loading' && wasWritten)}
          autoFocus={startsFocused}
          onTyping={() => setTypedVersion(version)}
          onKeyDown={event => handleKey(event, props)}
        />
      )}
      <UploadList uploads={writing.uploads} />
      {note.version === version && note.text !== '' && (
        <p className={styles['note']} role="status">
          {note.text}
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

function FieldHead<C>({ label, writing }: Pick<RichTextFieldProps<C>, 'label' | 'writing'>) {
  const { mode, draftAt, isUploading, isSaving } = useWritingState(writing)
  return (
    <div className={styles['head']} inert={isSaving}>
      <span>
        {label}
        {draftAt !== undefined && (
          <em title="It is kept in this browser until it is saved or discarded.">
            Draft, <Time at={draftAt} />
          </em>
        )}
      </span>
      <AttachButton uploads={writing.uploads} label={label} />
      <ModeToggle mode={mode} label={label} isDisabled={isUploading} onChoose={mode => writing.setMode(mode)} />
    </div>
  )
}

function handleKey(
  event: KeyboardEvent,
  { onSave, onEscape }: Pick<RichTextFieldProps<unknown>, 'onSave' | 'onEscape'>
): void {
  const { key, ctrlKey, metaKey, shiftKey, repeat, nativeEvent } = event
  if (isComposing(nativeEvent)) return
  if (key === 'Enter' && (ctrlKey || metaKey) && !shiftKey && !repeat) onSave()
  else if (key === 'Escape' && onEscape) onEscape()
  else return
  event.preventDefault()
  event.stopPropagation()
}

interface PlainFieldProps {
  label: string
  placeholder: string
  writing: Pick<Writing<unknown>, 'text' | 'change' | 'append' | 'uploads' | 'state'>
  isMono: boolean
  readOnly: boolean
  autoFocus: boolean
  onTyping: () => void
  onKeyDown: (event: KeyboardEvent) => void
}
interface LoadedCompletion {
  Completion: ComponentType<MarkdownCompletionProps>
  field: HTMLTextAreaElement
}
function PlainField({ writing, label, isMono, onTyping, ...props }: PlainFieldProps) {
  const [text] = useState(() => writing.text())
  const field = useRef<HTMLTextAreaElement>(null)
  const [completion, setCompletion] = useState<LoadedCompletion>()
  async function loadCompletion({ currentTarget: field }: FocusEvent<HTMLTextAreaElement>): Promise<void> {
    // Without a connection nothing is completed.
    const loaded = await import('./completion/markdown-completion.tsx').catch(() => undefined)
    if (loaded) setCompletion(now => now ?? { Completion: loaded.default, field })
  }
  useLayoutEffect(() => {
    const element = field.current!
    const added = new AddedFiles()
    return writing.uploads.setField(() => {
      const number = added.nextNumber()
      return file => {
        if (!file) return
        if (!element.isConnected) return writing.append(file)
        added.insert(element, number, fileMarkdown(file))
        writing.change(() => element.value, false)
      }
    })
  }, [writing])
  return (
    <>
      <textarea
        ref={field}
        className={isMono ? styles['source'] : styles['plain']}
        aria-label={label}
        defaultValue={text}
        dir="auto"
        {...props}
        onFocus={loadCompletion}
        onPaste={event => !writing.state.isSaving && writing.uploads.take(event.nativeEvent)}
        onCompositionStart={onTyping}
        onChange={({ target: { value } }) => {
          onTyping()
          writing.change(() => value, value.trim() === '')
        }}
      />
      {completion && <completion.Completion field={completion.field} uploads={writing.uploads} />}
    </>
  )
}

/** They stand in the order in which they were chosen, not of their arrival. */
class AddedFiles {
  readonly #markdown: string[] = []

  nextNumber(): number {
    return this.#markdown.push('') - 1
  }

  /** At the cursor, or before the first one that was chosen later. */
  insert(element: HTMLTextAreaElement, number: number, markdown: string): void {
    const later = this.#markdown.slice(number + 1).filter(Boolean)
    const [before] = later.map(each => element.value.indexOf(each)).filter(at => at >= 0)
    this.#markdown[number] = markdown
    if (before !== undefined) return element.setRangeText(markdown, before, before, 'preserve')
    element.setRangeText(markdown, element.selectionEnd, element.selectionEnd, 'end')
  }
}

export function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

const MODE_NAMES: Record<Mode, string> = { edit: 'Edit', source: 'Markdown' }

interface ModeToggleProps {
  mode?: Mode
  label?: string
  isDisabled?: boolean
  onChoose: (mode: Mode) => void
}
export const ModeToggle = ({ mode, label, isDisabled, onChoose }: ModeToggleProps) => (
  <div className={styles['toggle']} role="group" aria-label="How it is written">
    {(['edit', 'source'] as const).map(each => (
      <button
        key={each}
        type="button"
        aria-label={label && `${MODE_NAMES[each]}: ${label}`}
        aria-pressed={mode === each}
        disabled={isDisabled}
        onPointerEnter={each === 'edit' ? loadEditor : undefined}
        onClick={() => mode !== each && onChoose(each)}
      >
        {MODE_NAMES[each]}
      </button>
    ))}
  </div>
)
