import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent, type KeyboardEvent } from 'react'
import { api, Button, contributions, Dialog, ErrorNote, Field, go, Time } from '../../ui/browser/contract.ts'
import { similarIssues, type Issue } from './contract.ts'
import styles from './create.module.css'
import { useDirectory } from './data.ts'
import { PRIORITIES } from './symbols.tsx'

const OPEN = 'tracker:create-issue'
/** Milliseconds without a key press before the search for similar issues, and its minimum characters. */
const PAUSE_MS = 300
const MIN_SEARCHED = 4

/** Opens the dialog that files an issue. */
export const openCreate = (): void => {
  window.dispatchEvent(new Event(OPEN))
}

/** A dialog with a title and a description; similar issues are listed while the title is typed. */
export function Create() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = () => setOpen(true)
    window.addEventListener(OPEN, open)
    return () => window.removeEventListener(OPEN, open)
  }, [])
  return (
    <Dialog title="New issue" isOpen={isOpen} onClose={() => setOpen(false)}>
      <CreateForm onClose={() => setOpen(false)} />
    </Dialog>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const directory = useDirectory()
  const [title, setTitle] = useState('')
  const create = useMutation({
    mutationFn: (body: object) => api<Issue>('/v1/issues', { body }),
    onSuccess({ key }) {
      onClose()
      go(`/issue/${key}`)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['issues'] })
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
            value={title}
            onChange={event => setTitle(event.target.value)}
          />
        )}
      </Field>
      <Similar title={title.trim()} onChoose={onClose} />
      <Field label="Description, in Markdown; “- [ ] …” is a criterion">
        {id => <textarea id={id} name="descriptionMarkdown" rows={7} />}
      </Field>
      <div className={styles['row']}>
        <Choice label="Team" name="teamId" options={directory.teams.map(({ id, name }) => [id, name])} />
        <Choice label="Priority" name="priority" options={PRIORITIES.map((name, priority) => [priority, name])} />
        <Button type="submit" kind="primary" disabled={create.isPending}>
          File it
        </Button>
      </div>
      {create.error && <ErrorNote error={create.error} />}
    </form>
  )
}

interface ChoiceProps {
  label: string
  name: string
  options: ReadonlyArray<readonly [value: string | number, text: string]>
}
const Choice = ({ label, name, options }: ChoiceProps) => (
  <Field label={label}>
    {id => (
      <select id={id} name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Issues that may be the same one. */
function Similar({ title, onChoose }: { title: string; onChoose: () => void }) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const finders = contributions(similarIssues)
  const { data: found = [] } = useQuery({
    queryKey: ['similar', text],
    queryFn: async ({ signal }) => (await Promise.all(finders.map(find => find(text, signal)))).flat(),
    enabled: finders.length > 0 && text.length >= MIN_SEARCHED
  })
  if (found.length === 0) return null
  return (
    <section className={styles['similar']} aria-label="Similar issues">
      <h3>Is it one of these?</h3>
      <ul>
        {found.map(({ id, title, hint, at, run }) => (
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
