import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import {
  ApiProblem,
  contributions,
  Empty,
  ErrorNote,
  goBack,
  Icon,
  lazyElement,
  PageFrame,
  Skeleton,
  Time,
  unseenClass,
  useCommands
} from '../../ui/browser/contract.ts'
import { ClaimBanner } from './claim.tsx'
import { issueActions, issuePanels, type Issue } from './contract.ts'
import { useChange, useDirectory, useIssue, type Directory } from './data.ts'
import { Description } from './description.tsx'
import { Evidence } from './evidence.tsx'
import styles from './issue.module.css'
import { LoadingPage } from './loading-page.tsx'
import { Others } from './others.tsx'
import { Properties } from './properties.tsx'
import { Timeline } from './timeline.tsx'

/** The page of an issue. */
export default function IssuePage({ params }: { params: Record<string, string> }) {
  const key = params['key']!
  const directory = useDirectory()
  const { data: issue, error } = useIssue(key)
  const team = directory?.teams.find(({ id }) => id === issue?.teamId)
  const board = team ? `/board?team=${team.identifier}` : '/board'
  useCommands([{ id: 'back', title: 'Back', section: 'Issue', keys: ['escape'], run: () => goBack(board) }])
  if (error && !issue) {
    return (
      <PageFrame title={key}>
        <Empty title={`${key} cannot be shown`}>
          <ErrorNote error={error} />
          <Link href="/board">To the board</Link>
        </Empty>
      </PageFrame>
    )
  }
  if (!issue || !directory) return <LoadingPage title={key} lines={6} />
  return (
    <PageFrame
      title={`${issue.key} ${issue.title}`}
      heading={
        <nav aria-label="Where this is" className={styles['crumbs']}>
          <Link href={board}>{team?.name}</Link>
          <Icon name="chevron" />
          <span>{issue.key}</span>
        </nav>
      }
      actions={
        <>
          <Time at={issue.updatedAt} />
          {contributions(issueActions).map((Action, at) => (
            <Action key={at} issue={issue} />
          ))}
        </>
      }
    >
      <IssueBody key={issue.id} issue={issue} directory={directory} />
    </PageFrame>
  )
}

function IssueBody({ issue, directory }: { issue: Issue; directory: Directory }) {
  return (
    <div className={styles['page']}>
      <div className={styles['main']}>
        <Title issue={issue} />
        <ClaimBanner issue={issue} />
        <Description issue={issue} />
        <Evidence issue={issue} />
        <Others issue={issue} />
        <Timeline issue={issue} />
      </div>
      <aside className={styles['side']} aria-label="Beside the issue">
        <Properties issue={issue} directory={directory} />
        {contributions(issuePanels)
          .toSorted((a, b) => a.order - b.order)
          .map(({ title, load }) => (
            <section key={title} aria-label={title} className={styles['panel']}>
              <h2>{title}</h2>
              <Suspense fallback={<Skeleton />}>{lazyElement(load, { issue })}</Suspense>
            </section>
          ))}
      </aside>
    </div>
  )
}

/** The present revision, where a change was refused because it was based on another one. */
function revIn(error: unknown): number | undefined {
  const { rev } = error instanceof ApiProblem && error.status === 412 ? error.details : {}
  return typeof rev === 'number' ? rev : undefined
}

/** The title: a heading for screen readers, and a text field when clicked. */
function Title({ issue }: { issue: Issue }) {
  /** Undefined: it is not being edited, and displays the title of the server. `rev` is the one that was displayed. */
  const [written, setWritten] = useState<{ text: string; rev: number }>()
  const { mutate, error } = useChange(issue)
  function save(): void {
    const title = written?.text.trim().replaceAll(/\s+/g, ' ') ?? ''
    if (written === undefined || title === '' || title === issue.title) return setWritten(undefined)
    mutate(
      { body: { title }, rev: written.rev },
      {
        onSuccess: () => setWritten(now => (now === written ? undefined : now)),
        // The refusal says what others wrote: the next time it is replaced.
        onError: error => setWritten(now => now && { ...now, rev: revIn(error) ?? now.rev })
      }
    )
  }
  return (
    <>
      <h1 className={unseenClass}>{issue.title}</h1>
      <textarea
        aria-label="Title"
        className={styles['title']}
        rows={1}
        maxLength={1000}
        value={written?.text ?? issue.title}
        onChange={({ target: { value: text } }) => setWritten(now => ({ text, rev: now?.rev ?? issue.rev }))}
        onBlur={save}
        onKeyDown={event => {
          // The field loses the focus, which saves, after what was written is forgotten.
          if (event.key === 'Escape') flushSync(() => setWritten(undefined))
          else if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
