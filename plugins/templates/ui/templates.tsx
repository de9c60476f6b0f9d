import { useEffect, useState } from 'react'
import {
  Button,
  Empty,
  ErrorNote,
  Lead,
  Line,
  Lines,
  Menu,
  removeRestorable,
  Skeleton,
  useRequest
} from '../../ui/browser/contract.ts'
import { useDirectory, type Team } from '../../workspace/ui/contract.ts'
import { useTemplates, type Template } from './data.ts'
import { TemplateDialog } from './template-dialog.tsx'
import styles from './templates.module.css'

/** Without a template, the dialog adds one. */
interface Edited {
  team: Team
  template?: Template | undefined
}

export default function Templates() {
  const { data: templates, error } = useTemplates()
  const teams = useDirectory()?.teams
  const [edited, setEdited] = useState<Edited>()
  /** The id of the template, or of the team for a new one. */
  const [draftId, setDraftId] = useState(() => location.hash.slice(1))
  useEffect(() => history.replaceState(null, '', location.pathname + location.search), [])
  if (error) return <ErrorNote error={error} />
  if (!templates || !teams) return <Skeleton />
  const template = templates.find(({ id }) => id === draftId)
  const team = teams.find(({ id }) => id === (template?.teamId ?? draftId))
  const shown = edited ?? (team && { team, template })
  function close(): void {
    setDraftId('')
    setEdited(now => (now === edited ? undefined : now))
  }
  return (
    <>
      <Lead>A new issue can begin with a title, a text, labels and criteria of its kind. Agents use them, too.</Lead>
      {teams.map(team => (
        <section key={team.id} className={styles['team']} aria-labelledby={`templates-${team.id}`}>
          <header>
            <h3 id={`templates-${team.id}`}>{team.name}</h3>
            <Button aria-label={`New template of ${team.name}`} onClick={() => setEdited({ team })}>
              New template
            </Button>
          </header>
          <TeamTemplates
            team={team}
            templates={templates.filter(({ teamId }) => teamId === team.id)}
            onEdit={template => setEdited({ team, template })}
          />
        </section>
      ))}
      {shown && <TemplateDialog {...shown} onClose={close} />}
    </>
  )
}

interface TeamTemplatesProps {
  team: Team
  templates: readonly Template[]
  onEdit: (template: Template) => void
}
function TeamTemplates({ team, templates, onEdit }: TeamTemplatesProps) {
  if (templates.length === 0) {
    return <Empty title="No templates yet">With one, issues of a kind are all described in the same way.</Empty>
  }
  return (
    <Lines label={`Templates of ${team.name}`}>
      {templates.map(template => (
        <TemplateLine key={template.id} template={template} onEdit={() => onEdit(template)} />
      ))}
    </Lines>
  )
}

function TemplateLine({ template: { id, name, title }, onEdit }: { template: Template; onEdit: () => void }) {
  const { mutateAsync, error } = useRequest('issue_templates')
  async function remove(): Promise<void> {
    await removeRestorable(mutateAsync, `/v1/issue_templates/${id}`, `The template ${name}`)
  }
  return (
    <Line error={error}>
      <button type="button" className={styles['name']} onClick={onEdit}>
        <strong>{name}</strong>
        {title !== null && <span>{title}</span>}
      </button>
      <Menu
        label={`Actions on the template ${name}`}
        items={[
          { title: 'Edit', run: onEdit },
          { title: 'Remove', isDangerous: true, run: remove }
        ]}
      />
    </Line>
  )
}
