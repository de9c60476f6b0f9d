import { useState } from 'react'
import { useDirectory } from '../../../workspace/ui/contract.ts'
import {
  Avatar,
  Button,
  Choice,
  ErrorNote,
  Menu,
  RichTextField,
  RichTextView,
  SaveButtons,
  Skeleton,
  Time,
  useHasDraft,
  useRequest,
  useSaving,
  useSession,
  useWriting,
  useWritingState
} from '../../../ui/browser/contract.ts'
import { HEALTH_NAMES, HEALTHS, useUpdates, type Health, type ProjectUpdate } from '../data.ts'
import { HealthDot, HealthMark } from '../symbols.tsx'
import styles from './project.module.css'

const QUERIES = ['project-updates', 'projects', 'project'] as const
const healthOptions = HEALTHS.map(id => ({ id, title: HEALTH_NAMES[id], icon: <HealthDot health={id} /> }))

export function Updates({ projectId, name }: { projectId: string; name: string }) {
  const { data: updates, error } = useUpdates(projectId)
  const place = { name: `project-update.${projectId}`, title: `Update of ${name}`, href: `/projects/${projectId}` }
  const [isOpen, setOpen] = useState(useHasDraft(place.name))
  return (
    <section className={styles['section']} aria-labelledby="updates">
      <header>
        <h2 id="updates">Updates</h2>
        {!isOpen && <Button onClick={() => setOpen(true)}>Write an update</Button>}
      </header>
      {isOpen && <WriteUpdate projectId={projectId} place={place} onDone={() => setOpen(false)} />}
      {error && <ErrorNote error={error} />}
      {!updates && !error && <Skeleton lines={2} />}
      {updates?.length === 0 && !isOpen && <p className={styles['none']}>Nobody has said how it stands.</p>}
      <ol aria-label="Updates">
        {updates?.map(update => (
          <Update key={update.id} update={update} />
        ))}
      </ol>
    </section>
  )
}

interface WriteProps {
  projectId: string
  place: { name: string; title: string; href: string }
  onDone: () => void
}
function WriteUpdate({ projectId, place, onDone }: WriteProps) {
  const { mutateAsync } = useRequest(...QUERIES)
  const writing = useWriting<Health>(place, '', 'ON_TRACK')
  const { context: health } = useWritingState(writing)
  const send = (bodyMarkdown: string, health: Health) =>
    mutateAsync({ path: '/v1/project_updates', body: { projectId, health, bodyMarkdown } })
  const saving = useSaving({ writing, send, onDone })
  return (
    <div className={styles['write']}>
      <RichTextField label="Update" writing={writing} autoFocus onSave={() => saving.save()} />
      <SaveButtons saving={saving} what="update" word="Post update" canDiscard>
        <Choice
          label="Health"
          options={healthOptions}
          chosen={health}
          onChoose={id => writing.setContext(HEALTHS.find(health => health === id) ?? health)}
        />
      </SaveButtons>
    </div>
  )
}

function Update({ update }: { update: ProjectUpdate }) {
  const { id, health, body, createdById, createdAt } = update
  const { mutate, error } = useRequest(...QUERIES)
  const me = useSession()?.account
  const author = useDirectory()?.members.find(member => member.id === createdById)
  const name = author?.fullname ?? 'Former member'
  const isMine = me?.id === createdById || me?.role === 'ADMIN'
  return (
    <li>
      <header>
        <HealthMark health={health} />
        <Avatar name={name} id={author?.id} isAgent={author?.kind === 'AGENT'} />
        <span>{name}</span>
        <Time at={createdAt} />
        {isMine && (
          <Menu
            label={`Actions on the update by ${name}`}
            items={[
              {
                title: 'Remove',
                isDangerous: true,
                run: () => mutate({ path: `/v1/project_updates/${id}`, method: 'DELETE' })
              }
            ]}
          />
        )}
      </header>
      <RichTextView doc={body} />
      {error && <ErrorNote error={error} />}
    </li>
  )
}
