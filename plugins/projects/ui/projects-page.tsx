import { useRef, type FormEvent } from 'react'
import { Link } from 'wouter'
import { AccountAvatar, useDirectory } from '../../workspace/ui/contract.ts'
import {
  Button,
  dayText,
  Dialog,
  Empty,
  ErrorNote,
  Field,
  go,
  Icon,
  Meter,
  PageFrame,
  Skeleton,
  useOpenByAddress,
  useRequest
} from '../../ui/browser/contract.ts'
import {
  PROJECT_QUERIES,
  SHOWN_STATES,
  STATE_NAMES,
  useProgress,
  useProjects,
  type Progress,
  type Project
} from './data.ts'
import styles from './projects-page.module.css'
import { HealthMark } from './symbols.tsx'

export default function ProjectsPage() {
  const { data: projects, error } = useProjects()
  const { data: progress = [] } = useProgress()
  const [isNew, setNew] = useOpenByAddress('new')
  return (
    <PageFrame
      title="Projects"
      tools={
        <Link href="/roadmap" className={styles['roadmap']!}>
          <Icon name="roadmap" /> Roadmap
        </Link>
      }
      actions={
        <Button kind="primary" onClick={() => setNew(true)}>
          New project
        </Button>
      }
    >
      <div className={styles['page']}>
        {error && <ErrorNote error={error} />}
        {!projects && !error && <Skeleton />}
        {projects?.length === 0 && (
          <Empty title="No projects yet">A project is an objective that needs several issues.</Empty>
        )}
        {SHOWN_STATES.map(state => {
          const ofState = projects?.filter(project => project.state === state) ?? []
          return (
            ofState.length > 0 && (
              <section key={state} aria-label={STATE_NAMES[state]}>
                <h2>
                  {STATE_NAMES[state]} <span>{ofState.length}</span>
                </h2>
                <ul data-rows>
                  {ofState.map(project => (
                    <Row
                      key={project.id}
                      project={project}
                      progress={progress.find(({ projectId }) => projectId === project.id)}
                    />
                  ))}
                </ul>
              </section>
            )
          )
        })}
      </div>
      <NewProject isOpen={isNew} onClose={() => setNew(false)} />
    </PageFrame>
  )
}

function Row({ project, progress }: { project: Project; progress: Progress | undefined }) {
  const { id, name, health, leadId, targetOn } = project
  const lead = useDirectory()?.members.find(member => member.id === leadId)
  return (
    <li>
      <Link href={`/projects/${id}`} className={styles['name']!}>
        {name}
      </Link>
      <span className={styles['health']}>{health && <HealthMark health={health} />}</span>
      <span className={styles['progress']}>
        {progress && (
          <>
            <Meter label={`Completed issues of ${name}`} value={progress.completed} max={progress.total} />
            {progress.completed}/{progress.total}
          </>
        )}
      </span>
      <span className={styles['date']}>{targetOn && dayText(targetOn)}</span>
      <span className={styles['lead']}>{lead && <AccountAvatar id={lead.id} name={lead.fullname} />}</span>
    </li>
  )
}

function NewProject({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { mutate, error, isPending } = useRequest<Project>(...PROJECT_QUERIES)
  const field = useRef<HTMLInputElement>(null)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const name = field.current!.value
    const onSuccess = ({ id }: Project) => {
      // Going back leads to the list.
      onClose()
      go(`/projects/${id}`)
    }
    mutate({ path: '/v1/projects', body: { name } }, { onSuccess })
  }
  return (
    <Dialog title="New project" isOpen={isOpen} onClose={onClose}>
      <form className={styles['new']} onSubmit={submit}>
        <Field label="Name">{id => <input id={id} ref={field} required maxLength={200} />}</Field>
        {error && <ErrorNote error={error} />}
        <Button type="submit" kind="primary" disabled={isPending}>
          Create project
        </Button>
      </form>
    </Dialog>
  )
}
