import { useState, type ReactNode } from 'react'
import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import { unseenClass } from '../parts/bits.tsx'
import { RichTextView } from '../rich-text/rich-text-view.tsx'
import { useCommands } from '../keys.ts'
import { useSession } from '../session/session.ts'
import { readDraft, type DraftPlace, type Mode } from './drafts.ts'
import { SaveButtons, useSaving } from './saving.tsx'
import { leaveField, ModeToggle, RichTextField } from './rich-text-field.tsx'
import styles from './rich-text-field.module.css'
import { useWriting } from './writing.ts'

interface StoredTextProps<C> {
  label: string
  what: string
  doc: NodeJson | null
  markdown: string
  context: C
  place: DraftPlace
  invitation: string
  send: (text: string, context: C) => Promise<unknown>
  theirs: (error: unknown) => { text: string; context: C } | undefined
  /** True: the keys `shift+e` and `m` begin to edit it. */
  hasKeys?: boolean
  children?: ReactNode
}

export function StoredText<C>({ hasKeys = false, children, ...text }: StoredTextProps<C>) {
  const accountId = useSession()?.account?.id ?? ''
  const [mode, setMode] = useState<Mode | undefined>(() => readDraft(accountId, text.place.name)?.mode)
  const begin = (mode: Mode) => setMode(now => now ?? mode)
  useCommands(
    hasKeys
      ? [
          { id: 'edit', title: 'Edit the description', section: 'Issue', keys: ['shift+e'], run: () => begin('edit') },
          { id: 'source', title: 'Edit it as Markdown', section: 'Issue', keys: ['m'], run: () => begin('source') }
        ]
      : []
  )
  return (
    <section className={styles['stored']} aria-label={text.label}>
      <h2 className={unseenClass}>{text.label}</h2>
      {mode === undefined ? (
        <>
          <ModeToggle onChoose={setMode} />
          {text.doc === null ? (
            <button type="button" className={styles['invitation']} onClick={() => setMode('edit')}>
              {text.invitation}
            </button>
          ) : (
            (children ?? <RichTextView doc={text.doc} />)
          )}
        </>
      ) : (
        <Written {...text} mode={mode} onDone={() => setMode(undefined)} />
      )}
    </section>
  )
}

function Written<C>(props: StoredTextProps<C> & { mode: Mode; onDone: () => void }) {
  const { label, what, markdown, context, place, mode, send, theirs, onDone } = props
  const writing = useWriting(place, markdown, context, mode)
  const saving = useSaving({ writing, send, theirs, isEmptyAllowed: true, onDone })
  return (
    <div className={styles['stored']} onBlur={event => saving.onBlur(event)}>
      <RichTextField label={label} writing={writing} autoFocus onSave={() => saving.save()} onEscape={leaveField} />
      <SaveButtons saving={saving} what={what} word="Save" canDiscard />
    </div>
  )
}
