import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import {
  Button,
  Choice,
  contributions,
  Dialog,
  ErrorNote,
  Field,
  Icon,
  isSearchable,
  RichTextField,
  Time,
  useSession,
  useWriting,
  useWritingState,
  type Writing
} from '../../../ui/browser/contract.ts'
import { teamAt } from '../address.ts'
import { createFillings, type FieldChange } from '../contract.ts'
import styles from './create.module.css'
import { useDirectory, useIsLabel, useSimilar, type Directory } from '../data.ts'
import { MAX_TITLE_LENGTH } from '../list/row.ts'
import { AssigneeChoice } from '../pickers/assignee-choice.tsx'
import { LabelsChoice } from '../pickers/labels-choice.tsx'
import { priorityOptions } from '../symbols.tsx'
import type { Fields } from './filling.ts'
import { onOpenCreate, openCreate, type Preset } from './open.ts'
import { useCreate } from './use-create.ts'
import { useFilling, type FormFilling } from './use-filling.ts'

/** Milliseconds without a key press before the search for similar issues, and its minimum letters. */
const PAUSE_MS = 300
const MIN_LETTERS = 4

const HASH = '#new-issue'

export function Create() {
  const [isOpen, setOpen] = useState(false)
  const [preset, setPreset] = useState<Preset>()
  const [path] = useLocation()
  const workspaceId = useSession()?.workspace?.id ?? ''
  const place = { name: `new-issue.${workspaceId}`, title: 'New issue', href: `/board${HASH}` }
  const writing = useWriting<Fields>(place, '', { title: '' })
  const filling = useFilling(writing)
  // Who has closed the form before the answer has gone on with something else.
  const create = useCreate(writing, preset !== undefined || !isOpen, () => {
    empty()
    setOpen(false)
  })
  useEffect(() =>
    onOpenCreate(opening => {
      setPreset(opening.preset)
      if (opening.filling) filling.fill(opening.filling)
      setOpen(true)
    })
  )
  // A link to it, from the list of drafts.
  useEffect(() => {
    if (location.hash !== HASH) return
    history.replaceState(null, '', location.pathname + location.search)
    openCreate()
  }, [path])
  function empty(): void {
    writing.clear()
    filling.forget()
  }
  function close(): void {
    setOpen(false)
    if (create.isPending) return
    filling.leave()
    create.reset()
  }
  return (
    <Dialog title="New issue" isOpen={isOpen} onClose={close}>
      <CreateForm {...{ writing, filling, preset, create }} onPreset={setPreset} onEmpty={empty} onClose={close} />
    </Dialog>
  )
}

const OF_TEAM = ['teamId', 'stateId', 'cycleId'] as const

/** The preset without some values; undefined: none is left. */
function without(preset: Preset, names: ReadonlyArray<keyof FieldChange>): Preset | undefined {
  const values = { ...preset.values }
  for (const name of names) delete values[name]
  return Object.keys(values).length === 0 ? undefined : { ...preset, values }
}

interface Chosen {
  priority: number
  teamId: string | undefined
  labelIds: readonly string[]
  /** Undefined: nobody. */
  assigneeId: string | undefined
}
/** Values of the column override those of the draft; labels and members that were removed are left out. */
function useChosen(fields: Fields, preset: Preset | undefined, directory: Directory | undefined): Chosen | undefined {
  const isLabel = useIsLabel()
  const { assigneeId = fields.assigneeId } = preset?.values ?? {}
  const labelIds = new Set([...(fields.labelIds ?? []), ...(preset?.values.addLabelIds ?? [])])
  return (
    directory && {
      priority: preset?.values.priority ?? fields.priority ?? 0,
      teamId: preset?.values.teamId ?? fields.teamId ?? teamOfPage(directory),
      labelIds: [...labelIds].filter(isLabel),
      assigneeId: directory.members.find(({ id }) => id === assigneeId)?.id
    }
  )
}
const teamOfPage = (directory: Directory) => (teamAt(location, directory) ?? directory.teams[0])?.id

interface CreateFormProps {
  writing: Writing<Fields>
  filling: FormFilling
  preset: Preset | undefined
  create: ReturnType<typeof useCreate>
  onPreset: (preset: Preset | undefined) => void
  onEmpty: () => void
  onClose: () => void
}
function CreateForm({ writing, filling, preset, create, onPreset, onEmpty, onClose }: CreateFormProps) {
  const directory = useDirectory()
  const { context, isChanged, isUploading, isSaving } = useWritingState(writing)
  const chosen = useChosen(context, preset, directory)
  const form = useRef<HTMLFormElement>(null)
  const submit = () => form.current?.requestSubmit()
  const isReady = chosen !== undefined && !isSaving && !isUploading
  function send(event: FormEvent): void {
    event.preventDefault()
    if (!isReady) return
    const fields = { title: context.title, descriptionMarkdown: writing.text(), ...chosen }
    create.mutate(bodyOf(fields, preset?.values))
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
            required
            autoFocus
            maxLength={MAX_TITLE_LENGTH}
            autoComplete="off"
            readOnly={isSaving}
            value={context.title}
            onChange={event => writing.setContext({ ...context, title: event.target.value })}
          />
        )}
      </Field>
      {preset && <PresetNote {...preset} onForget={() => onPreset(undefined)} />}
      {chosen && <Fillings {...{ filling }} teamId={chosen.teamId} />}
      <Similar title={context.title.trim()} onChoose={onClose} />
      <RichTextField label="Description" placeholder="With criteria: “- [ ] …”" writing={writing} onSave={submit} />
      <div className={styles['row']}>
        {/* The title is typed before the names of the workspace have been loaded. */}
        {directory && chosen && <Choices {...{ writing, preset, onPreset, directory, chosen }} />}
        {isChanged && (
          <Button disabled={isSaving} onClick={onEmpty}>
            Discard
          </Button>
        )}
        <Button type="submit" kind="primary" disabled={!isReady}>
          Create issue
        </Button>
      </div>
      {create.error && <ErrorNote error={create.error} />}
    </form>
  )
}

const PresetNote = ({ icon, name, onForget }: Preset & { onForget: () => void }) => (
  <p className={styles['preset']}>
    {icon}
    <span>{name}</span>
    <Button kind="quiet" aria-label={`Not in ${name}`} onClick={onForget}>
      <Icon name="close" size={12} />
    </Button>
  </p>
)

function Fillings({ filling, teamId }: { filling: FormFilling; teamId: string | undefined }) {
  const ref = useRef<HTMLDivElement>(null)
  function undo(): void {
    filling.undo()
    // The button goes with what it undoes.
    ref.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={ref} className={styles['fillings']}>
      {teamId !== undefined &&
        contributions(createFillings).map((Fill, n) => (
          <Fill key={n} teamId={teamId} onFill={values => filling.fill(values)} />
        ))}
      {filling.name !== undefined && (
        <p>
          <span>From {filling.name}</span>
          <Button kind="quiet" onClick={undo}>
            Undo
          </Button>
        </p>
      )}
      {filling.error != null && <ErrorNote error={filling.error} />}
    </div>
  )
}

const bodyOf = (fields: object, { addLabelIds: _, ...values }: FieldChange = {}): object => ({
  ...fields,
  // A new issue has nothing that could be taken away.
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
})

interface ChoicesProps extends Pick<CreateFormProps, 'writing' | 'preset' | 'onPreset'> {
  directory: Directory
  chosen: Chosen
}
function Choices({ writing, preset, onPreset, directory, chosen }: ChoicesProps) {
  const { context, isSaving } = useWritingState(writing)
  /** @param names fields for which the values of the column no longer apply */
  function choose(fields: Partial<Fields>, names: ReadonlyArray<keyof FieldChange>): void {
    if (isSaving) return
    const { teamId } = chosen
    writing.setContext({ ...context, ...(preset && names.includes('teamId') && { teamId }), ...fields })
    if (preset) onPreset(without(preset, names))
  }
  // With another priority or assignee, the issue is in another column: the form keeps only the team of this one.
  function choosePriority(priority: number): void {
    choose({ priority }, preset?.values.priority === undefined ? [] : ['priority', 'teamId'])
  }
  function chooseAssignee(assigneeId: string | null): void {
    choose({ assigneeId }, preset?.values.assigneeId === undefined ? [] : ['assigneeId', 'teamId'])
  }
  // So it is with labels that lack the one of the column.
  function chooseLabels(labelIds: readonly string[]): void {
    const ofColumn = preset?.values.addLabelIds ?? []
    if (!ofColumn.every(id => labelIds.includes(id))) return choose({ labelIds }, ['addLabelIds', 'teamId'])
    choose({ labelIds: labelIds.filter(id => !ofColumn.includes(id) || context.labelIds?.includes(id)) }, [])
  }
  return (
    <>
      <Choice
        label="Team"
        options={directory.teams.map(({ id, name: title }) => ({ id, title }))}
        chosen={chosen.teamId ?? ''}
        onChoose={teamId => teamId !== chosen.teamId && choose({ teamId }, OF_TEAM)}
      />
      <Choice
        label="Priority"
        options={priorityOptions()}
        chosen={String(chosen.priority)}
        onChoose={id => choosePriority(Number(id))}
      />
      <AssigneeChoice directory={directory} chosen={chosen.assigneeId} onChoose={chooseAssignee} />
      <LabelsChoice chosen={chosen.labelIds} onChoose={chooseLabels} />
    </>
  )
}

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
