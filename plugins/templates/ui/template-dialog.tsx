import { useRef, type FormEvent } from 'react'
import {
  announce,
  Button,
  Choice,
  Dialog,
  ErrorNote,
  Field,
  RichTextField,
  useRequest,
  useWriting,
  useWritingState
} from '../../ui/browser/contract.ts'
import { LabelsChoice, priorityOptions } from '../../issues/ui/contract.ts'
import type { Team } from '../../workspace/ui/contract.ts'
import { useLabels, type Template } from './data.ts'
import styles from './templates.module.css'

const EMPTY = { name: '', title: null, descriptionMarkdown: '', labelIds: [], criteria: [], priority: 0 }

interface Fields {
  name: string
  title: string
  /** One a line. */
  criteria: string
  labelIds: readonly string[]
  priority: number
  /** The stored template on which it is based. */
  previous?: object
}

interface TemplateDialogProps {
  team: Team
  /** Undefined: a new one. */
  template?: Template
  onClose: () => void
}
/** The form of a template. */
export function TemplateDialog({ team, template, onClose }: TemplateDialogProps) {
  const heading = template ? `Template ${template.name}` : `New template of ${team.name}`
  const { writing, request, save } = useTemplateForm(heading, team, template, onClose)
  const { context, isUploading } = useWritingState(writing)
  const form = useRef<HTMLFormElement>(null)
  const set = (changed: Partial<Fields>) => writing.setContext({ ...writing.state.context, ...changed })
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <form ref={form} className={styles['form']} onSubmit={save}>
        <TextInput label="Name" isRequired maxLength={100} value={context.name} onChange={name => set({ name })} />
        <TextInput label="Title" maxLength={1000} value={context.title} onChange={title => set({ title })} />
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
              value={context.criteria}
              onChange={event => set({ criteria: event.target.value })}
            />
          )}
        </Field>
        <div className={styles['row']}>
          <LabelsChoice labels={useLabels()} chosen={context.labelIds} onChoose={labelIds => set({ labelIds })} />
          <Choice
            label="Priority"
            options={priorityOptions()}
            chosen={String(context.priority)}
            onChoose={id => set({ priority: Number(id) })}
          />
          <Button type="submit" kind="primary" disabled={request.isPending || isUploading}>
            Save
          </Button>
        </div>
        {request.error && <ErrorNote error={request.error} />}
      </form>
    </Dialog>
  )
}

function useTemplateForm(title: string, team: Team, template: Template | undefined, onSaved: () => void) {
  const place = { name: `issue-template.${template?.id ?? team.id}`, title, href: '/settings/templates' }
  const writing = useWriting<Fields>(place, template?.descriptionMarkdown ?? '', fieldsOf(template))
  const request = useRequest('issue_templates')
  function save(event: FormEvent): void {
    event.preventDefault()
    const { context, isUploading } = writing.state
    if (request.isPending || isUploading) return
    const path = template ? `/v1/issue_templates/${template.id}` : '/v1/issue_templates'
    const body = { ...bodyOf(context), descriptionMarkdown: writing.text(), ...(!template && { teamId: team.id }) }
    const onSuccess = () => {
      writing.clear()
      announce(`The template ${context.name} is saved`)
      onSaved()
    }
    request.mutate({ path, body }, { onSuccess })
  }
  return { writing, request, save }
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
  value: string
  onChange: (value: string) => void
}
const TextInput = ({ label, isRequired = false, maxLength, value, onChange }: TextInputProps) => (
  <Field label={label}>
    {id => (
      <input
        id={id}
        required={isRequired}
        maxLength={maxLength}
        autoComplete="off"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    )}
  </Field>
)
