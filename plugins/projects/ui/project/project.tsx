import { Suspense } from 'react'
import {
  contributions,
  currentText,
  ErrorNote,
  go,
  lazyElement,
  Menu,
  NameField,
  PageFrame,
  SubHeading,
  removeRestorable,
  Skeleton,
  StoredText,
  subjectActions,
  useRequest
} from '../../../ui/browser/contract.ts'
import { loadIssueLines } from '../../../issues/ui/contract.ts'
import { PROJECT_QUERIES, useProject, type DescribedProject } from '../data.ts'
import { Activity } from './activity.tsx'
import { Facts } from './facts.tsx'
import { Milestones } from './milestones.tsx'
import styles from './project.module.css'
import { Updates } from './updates.tsx'

export default function ProjectPage({ params }: { params: Record<string, string> }) {
  const { data: project, error } = useProject(params['id']!)
  if (project) return <Loaded key={project.id} project={project} />
  return <PageFrame title="Project">{error ? <ErrorNote error={error} /> : <Skeleton />}</PageFrame>
}

function Loaded({ project }: { project: DescribedProject }) {
  const { id, name } = project
  const path = `/v1/projects/${id}`
  const { mutateAsync, error } = useRequest(...PROJECT_QUERIES)
  async function remove(): Promise<void> {
    if (await removeRestorable(mutateAsync, path, `The project ${name}`)) go('/projects')
  }
  return (
    <PageFrame
      title={name}
      heading={<SubHeading of={{ href: '/projects', title: 'Projects' }}>{name}</SubHeading>}
      actions={
        <>
          {contributions(subjectActions).map((Action, n) => (
            <Action key={n} subject={{ type: 'project', id, name }} />
          ))}
          <Menu label={`Actions on ${name}`} items={[{ title: 'Delete', isDangerous: true, run: remove }]} />
        </>
      }
    >
      <div className={styles['page']}>
        <div className={styles['main']}>
          <div className={styles['name']}>
            <NameField
              label="Name of the project"
              name={name}
              onRename={(name, previous) => mutateAsync({ path, body: { name, previous: { name: previous } } })}
            />
          </div>
          {error && <ErrorNote error={error} />}
          <Description project={project} />
          <Updates projectId={id} name={name} />
          <Milestones projectId={id} />
          <section className={styles['section']} aria-labelledby="issues">
            <h2 id="issues">Issues</h2>
            <Suspense fallback={<Skeleton />}>
              {lazyElement(loadIssueLines, {
                label: 'Issues of the project',
                filters: filtersOf(id),
                orderBy: 'urgency' as const
              })}
            </Suspense>
          </section>
          <Activity projectId={id} />
        </div>
        <Facts project={project} />
      </div>
    </PageFrame>
  )
}

const filtersOf = (id: string) => ({ project: { filterType: 'IS', value: [id] } })

function Description({ project }: { project: DescribedProject }) {
  const { id, name, description, descriptionMarkdown } = project
  const { mutateAsync } = useRequest(...PROJECT_QUERIES)
  return (
    <StoredText
      label="Description"
      what="project"
      doc={description}
      markdown={descriptionMarkdown}
      context={descriptionMarkdown}
      place={{ name: `project.${id}`, title: `Description of the project ${name}`, href: `/projects/${id}` }}
      invitation="Add a description: the objective of the project."
      send={(text, descriptionMarkdown) =>
        mutateAsync({
          path: `/v1/projects/${id}`,
          body: { descriptionMarkdown: text, previous: { descriptionMarkdown } }
        })
      }
      theirs={error => currentText(error, 'descriptionMarkdown')}
    />
  )
}
