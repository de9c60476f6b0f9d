import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, Button, ErrorNote, Field } from '../../ui/browser/contract.ts'
import styles from './comments.module.css'
import { SHOW_COMMENTS } from './data.ts'

interface WriteProps {
  label: string
  /** The text of the button that sends it. */
  word?: string
  /** The path to which it is sent, and the rest of the body. */
  path: string
  more?: object
  /** The name of the draft in this browser. */
  draft: string
  /** The text that is changed. */
  initial?: string
  onDone?: () => void
}
/** A text field; a draft that was not sent is stored in this browser. */
export function Write({ label, word = 'Send', path, more, draft, initial = '', onDone }: WriteProps) {
  const client = useQueryClient()
  const key = `tracker.comment.${draft}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? initial)
  function write(value: string): void {
    setText(value)
    if (value === initial) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  }
  const send = useMutation({
    mutationFn: (bodyMarkdown: string) => api(path, { body: { bodyMarkdown, ...more } }),
    onSuccess() {
      write(initial)
      onDone?.()
    },
    onSettled() {
      for (const query of SHOW_COMMENTS) client.invalidateQueries({ queryKey: [query] })
    }
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '' && !send.isPending) send.mutate(text)
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
      {send.error && <ErrorNote error={send.error} />}
      <div className={styles['options']}>
        <Button type="submit" kind="primary" disabled={send.isPending || text.trim() === ''}>
          {word}
        </Button>
        {onDone && (
          <Button
            onClick={() => {
              write(initial)
              onDone()
            }}
          >
            Discard
          </Button>
        )}
      </div>
    </form>
  )
}
