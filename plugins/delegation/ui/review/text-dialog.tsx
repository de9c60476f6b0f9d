import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { Button, Dialog, ErrorNote, Field, go, useRequest } from '../../../ui/browser/contract.ts'
import type { Run } from '../data.ts'
import styles from '../runs.module.css'

interface TextDialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  label: string
  word: string
  request: (text: string) => { path: string; body: object }
}
/** Asks for a text for the agent, which a closed dialog keeps, and starts a run with it. */
export function TextDialog({ title, isOpen, onClose, label, word, request }: TextDialogProps) {
  const [text, setText] = useState('')
  const { mutate, error, isPending } = useRequest<Run>()
  const canSend = !isPending && text.trim() !== ''
  function send(): void {
    if (!canSend) return
    mutate(request(text.trim()), {
      onSuccess: ({ id }) => {
        onClose()
        go(`/runs/${id}`)
      }
    })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    send()
  }
  function sendByKeys(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  return (
    <Dialog title={title} isOpen={isOpen} isSheet onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field label={label}>
          {id => (
            <textarea
              id={id}
              rows={6}
              maxLength={20_000}
              required
              value={text}
              onChange={event => setText(event.target.value)}
              onKeyDown={sendByKeys}
            />
          )}
        </Field>
        {error && <ErrorNote error={error} />}
        <Button type="submit" kind="primary" disabled={!canSend}>
          {word}
        </Button>
      </form>
    </Dialog>
  )
}
