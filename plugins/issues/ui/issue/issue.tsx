import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import {
  ApiProblem,
  Button,
  Conflict,
  contributions,
  Empty,
  ErrorNote,
  goBack,
  Icon,
  KeptHere,
  lazyElement,
  mediaHook,
  PageFrame,
  Skeleton,
  Time,
  unseenClass,
  useCommands,
  useLineDraft
} from '../../../ui/browser/contract.ts'
import { boardOf } from '../address.ts'
import { useChange } from '../changes/use-change.ts'
import { issueActions, issueBanners, issuePanels, issueSections, type Issue } from '../contract.ts'
import { isMissing, useDirectory, useIssue, type Directory } from '../data.ts'
import { MAX_TITLE_LENGTH } from '../list/row.ts'
import { Description } from './description/description.tsx'
import styles from './issue.module.css'
import { IssueMenu } from './issue-menu.tsx'
import { LoadingPage } from './loading-page.tsx'
import { Others } from './others/others.tsx'
import { Properties } from './properties/properties.tsx'
import { Timeline } from './timeline/timeline.tsx'

export default function IssuePage({ params }: { params: Record<string, string> }) {
  const key = params['key']!
  const directory = useDirectory()
  const { data: issue, error } = useIssue(key)
  const team = directory?.teams.find(({ id }) => id === issue?.teamId)
  const board = boardOf(directory, issue?.teamId)
  useCommands([{ id: 'back', title: 'Back', section: 'Issue', keys: ['escape'], run: () => goBack(board) }])
  if (error && !issue) {
    return (
      <PageFrame title={key}>
        <Empty title={`${key} cannot be displayed`}>
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
        <nav aria-label="Breadcrumb" className={styles['crumbs']}>
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
          <IssueMenu key={issue.id} issue={issue} directory={directory} />
        </>
      }
    >
      <IssueBody key={issue.id} issue={issue} directory={directory} isRemoved={isMissing(error)} />
    </PageFrame>
  )
}

interface IssueBodyProps {
  issue: Issue
  directory: Directory
  /** Since it was displayed. */
  isRemoved: boolean
}
function IssueBody({ issue, directory, isRemoved }: IssueBodyProps) {
  const isNarrow = useIsNarrow()
  const properties = <Properties issue={issue} directory={directory} />
  return (
    <div className={styles['page']}>
      <div className={styles['main']}>
        {isRemoved && (
          <p role="alert" className={styles['removed']}>
            {issue.key} has been removed, and nothing of it can be changed. What you have written stays as a draft.
          </p>
        )}
        <Title issue={issue} />
        <KeptHere subject={issue.id} />
        {isNarrow && properties}
        {contributions(issueBanners).map((Banner, n) => (
          <Banner key={n} issue={issue} />
        ))}
        <Description issue={issue} />
        {contributions(issueSections).map((Section, n) => (
          <Section key={n} issue={issue} />
        ))}
        <Others issue={issue} />
        <Timeline issue={issue} />
      </div>
      <aside className={styles['side']} aria-label="Details">
        {!isNarrow && properties}
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

/** As in the style sheets: the page has one column. */
const useIsNarrow = mediaHook('(max-width: 1000px)')

/** The present revision, from a refusal for an outdated one. */
function revIn(error: unknown): number | undefined {
  const { rev } = error instanceof ApiProblem && error.status === 412 ? error.details : {}
  return typeof rev === 'number' ? rev : undefined
}

const titlePlace = ({ id, key }: Issue) => ({ name: `title.${id}`, title: `Title of ${key}`, href: `/issue/${key}` })

/**
 * The title: a heading for screen readers, and a text field when clicked. After another user has saved one, the writer
 * chooses.
 */
function Title({ issue }: { issue: Issue }) {
  const [written, setWritten, forget] = useLineDraft<number>(titlePlace(issue))
  const [isFocused, setFocused] = useState(false)
  const { mutateAsync, error, isPending, reset } = useChange(issue)
  const isConflict = revIn(error) !== undefined
  function discard(): void {
    reset()
    setWritten(null)
  }
  function save(): void {
    const title = written?.text.trim().replaceAll(/\s+/g, ' ') ?? ''
    if (written === null || title === '' || title === issue.title) return discard()
    mutateAsync({ body: { title }, rev: written.context }).then(
      () => forget(written),
      (error: unknown) => setWritten(now => now && { ...now, context: revIn(error) ?? now.context })
    )
  }
  return (
    <>
      <h1 className={unseenClass}>{issue.title}</h1>
      <textarea
        aria-label="Title"
        className={styles['title']}
        rows={1}
        maxLength={MAX_TITLE_LENGTH}
        value={written?.text ?? issue.title}
        onChange={({ target: { value: text } }) => setWritten(now => ({ text, context: now?.context ?? issue.rev }))}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          if (!isConflict) save()
        }}
        onKeyDown={event => {
          // The field must lose the focus, which saves, after the text was discarded.
          if (event.key === 'Escape') flushSync(discard)
          else if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      {isConflict && <Conflict what="title" theirs={issue.title} onKeepMine={save} onTakeTheirs={discard} />}
      {written !== null && written.text !== issue.title && !isFocused && !isPending && !isConflict && (
        <div className={styles['buttons']} role="group" aria-label="Unsaved title">
          <span>This title is not saved.</span>
          <Button onClick={save}>Save</Button>
          <Button onClick={discard}>Discard</Button>
        </div>
      )}
      {error && !isConflict && <ErrorNote error={error} />}
    </>
  )
}
