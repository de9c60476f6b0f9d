import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import {
  api,
  Button,
  Dialog,
  ErrorNote,
  Field,
  go,
  isSearchable,
  RichTextField,
  Time,
  useSession,
  useWriting,
  useWritingState,
  type Writing
} from '../../../ui/browser/contract.ts'
import { teamAt } from '../address.ts'
import type { Issue } from '../contract.ts'
import styles from './create.module.css'
import { useDirectory, useSimilar, type Directory } from '../data.ts'
import { PRIORITY_NAMES } from '../../fields/priorities.ts'

const OPEN = 'tracker:create-issue'
/** Milliseconds without a key press before the search for similar issues, and its minimum letters. */
const PAUSE_MS = 300
const MIN_LETTERS = 4

export const openCreate = (): void => {
  window.dispatchEvent(new Event(OPEN))
}

/** The fields of the form that are stored with the draft. */
interface Fields {
  title: string
}
const HASH = '#new-issue'

/** A dialog with a title and a description; similar issues are listed while the title is typed. */
export function Create() {
  const [isOpen, setOpen] = useState(false)
  const [path] = useLocation()
  const workspaceId = useSession()?.workspace?.id ?? ''
  const place = { name: `new-issue.${workspaceId}`, title: 'New issue', href: `/board${HASH}` }
  const writing = useWriting<Fields>(place, '', { title: '' })
  useEffect(() => {
    const open = () => setOpen(true)
    window.addEventListener(OPEN, open)
    return () => window.removeEventListener(OPEN, open)
  }, [])
  // A link to it, from the list of drafts.
  useEffect(() => {
    if (location.hash !== HASH) return
    history.replaceState(null, '', location.pathname + location.search)
    openCreate()
  }, [path])
  return (
    <Dialog title="New issue" isOpen={isOpen} onClose={() => setOpen(false)}>
      <CreateForm writing={writing} onClose={() => setOpen(false)} />
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
  writing: Writing<Fields>
  onClose: () => void
}
function CreateForm({ writing, onClose }: CreateFormProps) {
  const directory = useDirectory()
  const { context, isChanged, isUploading } = useWritingState(writing)
  const form = useRef<HTMLFormElement>(null)
  const create = useCreate(() => {
    writing.clear()
    onClose()
  })
  const submit = () => form.current?.requestSubmit()
  const isReady = directory !== undefined && !create.isPending && !isUploading
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!isReady) return
    const { priority, ...body } = Object.fromEntries(new FormData(event.currentTarget))
    create.mutate({ ...body, descriptionMarkdown: writing.text(), priority: Number(priority) })
  }
  function submitByKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    submit()
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={send} onKeyDown={submitByKey}>
      <Field label="Title">
        {id => (
          <input
            id={id}
            name="title"
            required
            autoFocus
            maxLength={1000}
            autoComplete="off"
            value={context.title}
            onChange={event => writing.setContext({ title: event.target.value })}
          />
        )}
      </Field>
      <Similar title={context.title.trim()} onChoose={onClose} />
      <RichTextField label="Description" placeholder="With criteria: “- [ ] …”" writing={writing} onSave={submit} />
      <div className={styles['row']}>
        {/* The title is typed before the names of the workspace have been loaded. */}
        {directory && <Team directory={directory} />}
        <Choice label="Priority" name="priority" options={PRIORITY_NAMES.map((name, priority) => [priority, name])} />
        {isChanged && <Button onClick={() => writing.clear()}>Discard</Button>}
        <Button type="submit" kind="primary" disabled={!isReady}>
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
