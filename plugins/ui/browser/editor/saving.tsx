import { useMutation } from '@tanstack/react-query'
import type { FocusEvent, ReactNode } from 'react'
import { isUnreached } from '../data/api.ts'
import { ErrorNote } from '../parts/bits.tsx'
import { Conflict } from '../parts/conflict.tsx'
import { Button } from '../parts/controls.tsx'
import styles from './rich-text-field.module.css'
import { useWritingState, type Writing } from './writing.ts'

interface SavingOptions<C> {
  writing: Writing<C>
  send: (text: string, context: C) => Promise<unknown>
  /** Undefined for other errors. */
  theirs?: (error: unknown) => { text: string; context: C } | undefined
  /** Saving an empty text deletes it; without: it is not sent. */
  isEmptyAllowed?: boolean
  onDone?: () => void
}
export interface Saving<C> {
  error: unknown
  theirs: { text: string; context: C } | undefined
  canSave: boolean
  save(): void
  keepMine(): void
  discard(): void
  /** Leaving a text saves it. */
  onBlur(event: FocusEvent): void
}

/** The draft is forgotten when the text is stored, also after its page was left. */
export function useSaving<C>({ writing, send, theirs, isEmptyAllowed, onDone }: SavingOptions<C>): Saving<C> {
  const { isBlank, isUploading } = useWritingState(writing)
  function discard(): void {
    writing.clear()
    onDone?.()
  }
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => send(writing.text(), writing.state.context),
    onMutate: () => writing.setSaving(true),
    onError: () => writing.setSaving(false),
    onSuccess: discard
  })
  const stored = error === null ? undefined : theirs?.(error)
  const canSave = !isPending && !isUploading && (isEmptyAllowed || !isBlank)
  function save(): void {
    if (!canSave) return
    writing.flush()
    if (writing.state.isChanged) mutate()
    else discard()
  }
  return {
    error,
    theirs: stored,
    canSave,
    save,
    keepMine() {
      if (stored) writing.setContext(stored.context)
      mutate()
    },
    discard() {
      reset()
      discard()
    },
    onBlur({ currentTarget, relatedTarget }) {
      // A window that loses the focus keeps its active element.
      const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
      if (!isInside && document.hasFocus() && !currentTarget.contains(document.activeElement) && !stored) save()
    }
  }
}

interface SaveButtonsProps<C> {
  saving: Saving<C>
  what: string
  word: string
  canDiscard: boolean
  /** In a form: the button submits it, and the form saves. */
  isSubmit?: boolean
  children?: ReactNode
}
export const SaveButtons = <C,>({
  saving,
  what,
  word,
  canDiscard,
  isSubmit = false,
  children
}: SaveButtonsProps<C>) => (
  <>
    {saving.theirs ? (
      <Conflict
        what={what}
        theirs={saving.theirs.text}
        onKeepMine={() => saving.keepMine()}
        onTakeTheirs={() => saving.discard()}
      />
    ) : (
      saving.error != null && <ErrorNote error={saving.error} />
    )}
    {isUnreached(saving.error) && <p>What you wrote stays here, as a draft.</p>}
    <div className={styles['buttons']}>
      <Button
        kind="primary"
        type={isSubmit ? 'submit' : 'button'}
        disabled={!saving.canSave}
        onClick={() => !isSubmit && saving.save()}
      >
        {word}
      </Button>
      {canDiscard && <Button onClick={() => saving.discard()}>Discard</Button>}
      {children}
    </div>
  </>
)
