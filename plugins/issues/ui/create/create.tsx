import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent, type KeyboardEvent } from 'react'
import {
  api,
  Button,
  Dialog,
  ErrorNote,
  Field,
  go,
  isSearchable,
  Time,
  useSession
} from '../../../ui/browser/contract.ts'
import { teamAt } from '../address.ts'
import type { Issue } from '../contract.ts'
import styles from './create.module.css'
import { useDirectory, useSimilar, type Directory } from '../data.ts'
import { readText, writeText } from './drafts.ts'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'

const OPEN = 'tracker:create-issue'
/** Milliseconds without a key press before the search for similar issues, and its minimum letters. */
const PAUSE_MS = 300
const MIN_LETTERS = 4

export const openCreate = (): void => {
  window.dispatchEvent(new Event(OPEN))
}

/** The draft in the dialog, stored in this browser until the issue is created. */
interface Draft {
  title: string
  descriptionMarkdown: string
}
const EMPTY: Draft = { title: '', descriptionMarkdown: '' }

function useDraft(): [Draft, (draft: Draft) => void] {
  const name = `new-issue.${useSession()?.workspace?.id}`
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY, ...(JSON.parse(readText(name) || '{}') as object) }))
  function write(next: Draft): void {
    setDraft(next)
    writeText(name, Object.values(next).every(text => text === '') ? '' : JSON.stringify(next))
  }
  return [draft, write]
}

/** A dialog with a title and a description; similar issues are listed while the title is typed. */
export function Create() {
  const [isOpen, setOpen] = useState(false)
  const [draft, write] = useDraft()
  useEffect(() => {
    const open = () => setOpen(true)
    window.addEventListener(OPEN, open)
    return () => window.removeEventListener(OPEN, open)
  }, [])
  return (
    <Dialog title="New issue" isOpen={isOpen} onClose={() => setOpen(false)}>
      <CreateForm draft={draft} onWrite={write} onClose={() => setOpen(false)} />
    </Dialog>
  )
}

/** Creates an issue, and opens its page. */
function useCreate(onFiled: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: object) => api<Issue>('/v1/issues', { body }),
    onSuccess({ key }) {
      onFiled()
      go(`/issue/${key}`)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['issues'] })
  })
}

interface CreateFormProps {
  draft: Draft
  onWrite: (draft: Draft) => void
  onClose: () => void
}
function CreateForm({ draft, onWrite, onClose }: CreateFormProps) {
  const directory = useDirectory()
  const create = useCreate(() => {
    onWrite(EMPTY)
    onClose()
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { priority, ...body } = Object.fromEntries(new FormData(event.currentTarget))
    create.mutate({ ...body, priority: Number(priority) })
  }
  function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || create.isPending) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  if (!directory) return null
  return (
    <form className={styles['form']} onSubmit={submit} onKeyDown={submitByKey}>
      <Field label="Title">
        {id => (
          <input
            id={id}
            name="title"
            required
            autoFocus
            maxLength={1000}
            autoComplete="off"
            value={draft.title}
            onChange={event => onWrite({ ...draft, title: event.target.value })}
          />
        )}
      </Field>
      <Similar title={draft.title.trim()} onChoose={onClose} />
      <Field label="Description, in Markdown; “- [ ] …” is a criterion">
        {id => (
          <textarea
            id={id}
            name="descriptionMarkdown"
            rows={7}
            value={draft.descriptionMarkdown}
            onChange={event => onWrite({ ...draft, descriptionMarkdown: event.target.value })}
          />
        )}
      </Field>
      <div className={styles['row']}>
        <Team directory={directory} />
        <Choice label="Priority" name="priority" options={PRIORITY_NAMES.map((name, priority) => [priority, name])} />
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Create issue
        </Button>
      </div>
      {create.error && <ErrorNote error={create.error} />}
    </form>
  )
}

/** The default is the team of the page below. */
const Team = ({ directory }: { directory: Directory }) => (
  <Choice
    label="Team"
    name="teamId"
    preset={teamAt(location, directory)?.id}
    options={directory.teams.map(({ id, name }) => [id, name])}
  />
)

interface ChoiceProps {
  label: string
  name: string
  preset?: string | undefined
  options: ReadonlyArray<readonly [value: string | number, text: string]>
}
const Choice = ({ label, name, preset, options }: ChoiceProps) => (
  <Field label={label}>
    {id => (
      <select id={id} name={name} defaultValue={preset}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Issues that may be the same. */
function Similar({ title, onChoose }: { title: string; onChoose: () => void }) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const similar = useSimilar(text, isSearchable(text, MIN_LETTERS))
  if (similar.length === 0) return null
  return (
    <section className={styles['similar']} aria-label="Similar issues">
      <h3>Is it one of these?</h3>
      <ul>
        {similar.map(({ id, title, hint, at, run }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => {
                onChoose()
                run()
              }}
            >
              <small>{hint}</small>
              <span>{title}</span>
              {at !== undefined && <Time at={at} />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
