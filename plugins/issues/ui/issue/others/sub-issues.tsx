import { useLayoutEffect, useRef, useState, type FormEvent, type PointerEvent } from 'react'
import { Link } from 'wouter'
import {
  Button,
  DragHandle,
  ErrorNote,
  Menu,
  Meter,
  moveByKeys,
  MOVING_KEYS,
  useDragging,
  useHasDraft,
  useLineDraft
} from '../../../../ui/browser/contract.ts'
import { placesAt } from '../../changes/places.ts'
import { useRowChanges } from '../../changes/row-changes.ts'
import type { Issue, Row } from '../../contract.ts'
import { onceFor } from '../../create/once.ts'
import { PER_PAGE, useDirectory, useListing, type Filters } from '../../data.ts'
import { useKeptFocus } from '../../focus.ts'
import { MAX_TITLE_LENGTH } from '../../list/row.ts'
import { DueDate } from '../../pickers/due-date.tsx'
import { useIssueRequest } from '../../changes/send.ts'
import { Assignee } from '../../symbols.tsx'
import type { Context } from '../context-query.ts'
import { StateIcon } from '../state-icon.tsx'
import { Group } from './neighbour.tsx'
import styles from './others.module.css'

export function SubIssues({ issue, context }: { issue: Issue; context: Context }) {
  const { subIssues } = context
  return (
    <Group
      title="Sub-issues"
      note={subIssues.length > 0 && <Progress subIssues={subIssues} />}
      add="Add a sub-issue"
      form={<AddSubIssue issue={issue} />}
      isOpenFirst={useHasDraft(newPlace(issue).name)}
    >
      {subIssues.length > 0 && <Rows issue={issue} />}
    </Group>
  )
}

function Progress({ subIssues }: Pick<Context, 'subIssues'>) {
  const counted = subIssues.filter(({ stateCategory }) => stateCategory !== 'CANCELED').length
  const done = subIssues.filter(({ stateCategory }) => stateCategory === 'COMPLETED').length
  return (
    <span className={styles['progress']}>
      {done} of {counted} done
      <Meter label="Sub-issues done" value={done} max={counted} />
    </span>
  )
}

function Rows({ issue }: { issue: Issue }) {
  const [shown, setShown] = useState(PER_PAGE)
  const filters: Filters = { parent: { filterType: 'IS', value: [issue.id] } }
  const listing = useListing(filters, 'sortOrder', 0, shown - 1)
  const { mutate, error } = useRowChanges()
  const { keep, handlers } = useKeptFocus()
  const cursor = useRef<string>(undefined)
  // The browser drops the focus of an element that is moved.
  useLayoutEffect(() => keep(cursor.current))
  const total = listing.total ?? 0
  const rows = Array.from({ length: Math.min(shown, total) }, (_, at) => listing.row(at)).filter(
    row => row !== undefined
  )
  /** @param index of the row that it is put before */
  function move(row: Row, index: number): void {
    if (index < 0 || index > total) return
    const changes = placesAt([row], index, listing.row)
    const { key } = row
    if (changes.length > 0) mutate({ changes, title: `${key} is moved`, undone: `${key} is where it was` })
  }
  const list = useRef<HTMLUListElement>(null)
  const { drag, press, markOf } = useDragging(list, ({ from, to }) => move(rows[from]!, to > from ? to + 1 : to))
  return (
    <>
      <ul ref={list} aria-label="Sub-issues" data-dragging={drag !== undefined || undefined} data-rows {...handlers}>
        {rows.map((row, index) => (
          <SubIssue
            key={row.id}
            issue={issue}
            row={row}
            onFocus={() => (cursor.current = row.id)}
            onStep={by => move(row, by === 1 ? index + 2 : index - 1)}
            onPress={press}
            mark={markOf(index)}
          />
        ))}
      </ul>
      {total > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + PER_PAGE)}>
          Show more of {listing.totalText}
        </Button>
      )}
      {(error ?? listing.error) != null && <ErrorNote error={error ?? listing.error} />}
    </>
  )
}

interface SubIssueProps {
  issue: Issue
  row: Row
  onFocus: () => void
  onStep: (by: 1 | -1) => void
  onPress: (event: PointerEvent) => void
  mark: 'above' | 'below' | undefined
}
function SubIssue({ issue, row, onFocus, onStep, onPress, mark }: SubIssueProps) {
  const { id, key, title } = row
  const members = useDirectory()?.members ?? []
  const { mutate, error } = useIssueRequest()
  return (
    <li data-mark={mark} onPointerDown={onPress} onKeyDown={event => moveByKeys(event, onStep)} onFocus={onFocus}>
      <DragHandle />
      <StateIcon category={row.stateCategory} />
      <Link
        href={`/issue/${key}`}
        className={styles['neighbour']!}
        // The whole row is dragged.
        draggable={false}
        data-row={id}
        aria-keyshortcuts={MOVING_KEYS}
      >
        {`${key} ${title}`}
      </Link>
      <DueDate row={row} />
      <Assignee row={row} members={members} />
      <Menu
        label={`Actions on ${key}`}
        items={[
          { title: 'Move up', run: () => onStep(-1) },
          { title: 'Move down', run: () => onStep(1) },
          {
            title: `Remove from ${issue.key}`,
            run: () => mutate({ path: `/v1/issues/${id}`, body: { parentId: null } })
          }
        ]}
      />
      {error && <ErrorNote error={error} />}
    </li>
  )
}

const newPlace = ({ id, key }: Issue) => ({
  name: `sub-issue.${id}`,
  title: `New sub-issue of ${key}`,
  href: `/issue/${key}`
})

/** Enter creates it, and the next can be typed. What is typed is a draft until then. */
function AddSubIssue({ issue }: { issue: Issue }) {
  const { mutateAsync, error, isPending } = useIssueRequest()
  const [written, setWritten, forget] = useLineDraft<null>(newPlace(issue))
  const title = written?.text ?? ''
  function submit(event: FormEvent): void {
    event.preventDefault()
    const body = { title, parentId: issue.id, teamId: issue.teamId }
    if (!written || title.trim() === '') return
    const once = onceFor(body)
    mutateAsync({ path: '/v1/issues', body, headers: once.headers }).then(
      () => {
        once.end()
        forget(written)
      },
      () => undefined
    )
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        aria-label="Title of a new sub-issue"
        placeholder="A new sub-issue…"
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        onChange={({ target: { value: text } }) => setWritten(text === '' ? null : { text, context: null })}
      />
      <Button type="submit" disabled={isPending || title.trim() === ''}>
        Add
      </Button>
      {error && <ErrorNote error={error} />}
    </form>
  )
}
