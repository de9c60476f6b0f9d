import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, Button, Conflict, currentValues, ErrorNote, Field } from '../../ui/browser/contract.ts'
import styles from './comments.module.css'
import { SHOW_COMMENTS } from './data.ts'

interface WriteProps {
  label: string
  word?: string
  /** The path of its request, and the rest of the body. */
  path: string
  more?: object
  /** The name of the draft in this browser. */
  draft: string
  /** The text to change. */
  initial?: string
  onDone?: () => void
}
/** Stores an unsent text in this browser, with the text that it is to replace. */
function useDraft(name: string, initial: string | undefined) {
  const key = `tracker.comment.${name}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? initial ?? '')
  const [previous, setPrevious] = useState(() => localStorage.getItem(`${key}.previous`) ?? initial)
  function forget(): void {
    localStorage.removeItem(key)
    localStorage.removeItem(`${key}.previous`)
  }
  function write(text: string, replaced = previous): void {
    setText(text)
    setPrevious(replaced)
    if (text === (replaced ?? '')) return forget()
    localStorage.setItem(key, text)
    if (replaced !== undefined) localStorage.setItem(`${key}.previous`, replaced)
  }
  return { text, previous, write }
}

export function Write({ label, word = 'Send', path, more, draft, initial, onDone }: WriteProps) {
  const client = useQueryClient()
  const { text, previous, write } = useDraft(draft, initial)
  function close(): void {
    write(previous ?? '')
    onDone?.()
  }
  const send = useMutation({
    mutationFn: (previous: string | undefined) => {
      const replaced = previous === undefined ? {} : { previous: { bodyMarkdown: previous } }
      return api(path, { body: { bodyMarkdown: text, ...more, ...replaced } })
    },
    onSuccess: close,
    onSettled() {
      for (const query of SHOW_COMMENTS) client.invalidateQueries({ queryKey: [query] })
    }
  })
  const theirs = currentValues(send.error)?.['bodyMarkdown'] as string | undefined
  function keepMine(theirs: string): void {
    write(text, theirs)
    send.mutate(theirs)
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '' && !send.isPending) send.mutate(previous)
  }
  return (
    <form className={styles['write']} onSubmit={submit}>
      <Field label={label}>
        {id => (
          <textarea
            id={id}
            rows={3}
            value={text}
            readOnly={send.isPending}
            onChange={event => write(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
            }}
          />
        )}
      </Field>
      {theirs === undefined ? (
        send.error && <ErrorNote error={send.error} />
      ) : (
        <Conflict what="comment" theirs={theirs} onKeepMine={() => keepMine(theirs)} onTakeTheirs={close} />
      )}
      <div className={styles['options']}>
        <Button type="submit" kind="primary" disabled={send.isPending || text.trim() === ''}>
          {word}
        </Button>
        {onDone && <Button onClick={close}>Discard</Button>}
      </div>
    </form>
  )
}
