import { useQueryClient } from '@tanstack/react-query'
import { useRef, type FormEvent } from 'react'
import {
  announce,
  api,
  Choice,
  currentValues,
  Dialog,
  Field,
  RichTextField,
  SaveButtons,
  useSaving,
  useWriting,
  useWritingState
} from '../../ui/browser/contract.ts'
import { LabelsChoice, priorityOptions } from '../../issues/ui/contract.ts'
import { useIsLabel, type Team } from '../../workspace/ui/contract.ts'
import type { Template } from './data.ts'
import styles from './templates.module.css'

const EMPTY = { name: '', title: null, descriptionMarkdown: '', labelIds: [], criteria: [], priority: 0 }

interface Fields {
  name: string
  title: string
  /** One a line. */
  criteria: string
  labelIds: readonly string[]
  priority: number
  /** The stored values on which the draft is based. */
  previous?: Partial<Template>
}

interface TemplateDialogProps {
  team: Team
  /** Undefined: a new one. */
  template?: Template | undefined
  onClose: () => void
}
export function TemplateDialog({ team, template, onClose }: TemplateDialogProps) {
  const heading = template ? `Template ${template.name}` : `New template of ${team.name}`
  const { writing, saving, isLabel } = useTemplateForm(heading, team, template, onClose)
  const { context, isChanged, isSaving } = useWritingState(writing)
  const form = useRef<HTMLFormElement>(null)
  const set = (changed: Partial<Fields>) => writing.setContext({ ...writing.state.context, ...changed })
  function submit(event: FormEvent): void {
    event.preventDefault()
    saving.save()
  }
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <form ref={form} className={styles['form']} onSubmit={submit}>
        <TextInput
          {...{ label: 'Name', isRequired: true, maxLength: 100, readOnly: isSaving, value: context.name }}
          onChange={name => set({ name })}
        />
        <TextInput
          {...{ label: 'Title', maxLength: 1000, readOnly: isSaving, value: context.title }}
          onChange={title => set({ title })}
        />
        <RichTextField
          label="Text"
          placeholder="## What happens"
          writing={writing}
          onSave={() => form.current?.requestSubmit()}
        />
        <Field label="Criteria, one a line">
          {id => (
            <textarea
              id={id}
              rows={3}
              readOnly={isSaving}
              value={context.criteria}
              onChange={event => set({ criteria: event.target.value })}
            />
          )}
        </Field>
        <div className={styles['row']} inert={isSaving}>
          <LabelsChoice chosen={context.labelIds.filter(isLabel)} onChoose={labelIds => set({ labelIds })} />
          <Choice
            label="Priority"
            options={priorityOptions()}
            chosen={String(context.priority)}
            onChoose={id => set({ priority: Number(id) })}
          />
        </div>
        <SaveButtons saving={saving} what="template" word="Save" canDiscard={isChanged} isSubmit />
      </form>
    </Dialog>
  )
}

function useTemplateForm(title: string, team: Team, template: Template | undefined, onDone: () => void) {
  const client = useQueryClient()
  const isLabel = useIsLabel()
  const id = template?.id ?? team.id
  const place = { name: `issue-template.${id}`, title, href: `/settings/templates#${id}` }
  const writing = useWriting<Fields>(place, template?.descriptionMarkdown ?? '', fieldsOf(template))
  async function send(descriptionMarkdown: string, context: Fields): Promise<void> {
    const path = template ? `/v1/issue_templates/${template.id}` : '/v1/issue_templates'
    const labelIds = context.labelIds.filter(isLabel)
    const body = { ...bodyOf(context), labelIds, descriptionMarkdown, ...(!template && { teamId: team.id }) }
    try {
      await api(path, { body })
      announce(`The template ${context.name} is saved`)
    } finally {
      client.invalidateQueries({ queryKey: ['issue_templates'] })
    }
  }
  const saving = useSaving({
    writing,
    send,
    theirs: error => theirsOf(error, writing.state.context),
    isEmptyAllowed: true,
    onDone
  })
  return { writing, saving, isLabel }
}

/** The draft is based on them from then on. */
function theirsOf(error: unknown, { previous, ...mine }: Fields): { text: string; context: Fields } | undefined {
  const current = currentValues<Template>(error)
  if (!current) return undefined
  const { name, title, descriptionMarkdown, criteria, priority } = current
  const lines = [
    name !== undefined && `Name: ${name}`,
    title !== undefined && `Title: ${title ?? ''}`,
    descriptionMarkdown,
    criteria && `Criteria:\n${criteria.join('\n')}`,
    priority !== undefined && `Priority: ${priorityOptions()[priority]?.title}`
  ]
  return { text: lines.filter(Boolean).join('\n'), context: { ...mine, previous: { ...previous, ...current } } }
}

function fieldsOf(template: Template | undefined): Fields {
  const { name, title, criteria, labelIds, priority, descriptionMarkdown } = template ?? EMPTY
  return {
    ...{ name, title: title ?? '', criteria: criteria.join('\n'), labelIds, priority },
    ...(template && { previous: { name, title, criteria, priority, descriptionMarkdown } })
  }
}

const bodyOf = ({ name, title, criteria, ...rest }: Fields) => ({
  name,
  title: title.trim() === '' ? null : title,
  criteria: criteria.split('\n').flatMap(line => line.trim() || []),
  ...rest
})

interface TextInputProps {
  label: string
  isRequired?: boolean
  maxLength: number
  readOnly: boolean
  value: string
  onChange: (value: string) => void
}
const TextInput = ({ label, isRequired = false, onChange, ...input }: TextInputProps) => (
  <Field label={label}>
    {id => (
      <input
        id={id}
        required={isRequired}
        autoComplete="off"
        {...input}
        onChange={event => onChange(event.target.value)}
      />
    )}
  </Field>
)
