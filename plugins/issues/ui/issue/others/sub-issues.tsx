import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { DragLocationHistory } from '@atlaskit/pragmatic-drag-and-drop/types'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode
} from 'react'
import { Link } from 'wouter'
import { Button, ErrorNote, Menu, Meter, useHasDraft, useLineDraft } from '../../../../ui/browser/contract.ts'
import { placesAt, useRowChanges } from '../../changes.ts'
import type { Issue, Row } from '../../contract.ts'
import { PER_PAGE, useDirectory, useListing, type Filters } from '../../data.ts'
import { useKeptFocus } from '../../focus.ts'
import { DueDate } from '../../pickers/due-date.tsx'
import { useIssueRequest } from '../../send.ts'
import { Assignee } from '../../symbols.tsx'
import type { Context } from '../context-query.ts'
import { StateIcon } from '../state-icon.tsx'
import { Group } from './neighbour.tsx'
import { isAtHandle, TouchHandle, type Place } from './touch-handle.tsx'
import styles from './others.module.css'

/** The parts of an issue in the order by hand, how many of them are done, and a form for more. */
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

/** Of those that are not canceled. */
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
  const [touched, setTouched] = useState<Place>()
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
    const changes = placesAt(row, index, listing.row)
    const { key } = row
    if (changes.length > 0) mutate({ changes, title: `${key} is moved`, undone: `${key} is where it was` })
  }
  function dropAt(row: Row, { id, mark }: Place): void {
    const index = rows.findIndex(each => each.id === id)
    if (index >= 0 && id !== row.id) move(row, mark === 'below' ? index + 1 : index)
  }
  return (
    <>
      <ul aria-label="Sub-issues" {...handlers}>
        {rows.map((row, index) => (
          <SubIssue
            key={row.id}
            issue={issue}
            row={row}
            onFocus={() => (cursor.current = row.id)}
            onStep={by => move(row, by === 1 ? index + 2 : index - 1)}
            onDrop={(dropped, isBelow) => move(dropped, isBelow ? index + 1 : index)}
            touchMark={touched?.id === row.id ? touched.mark : undefined}
            handle={<TouchHandle onMove={setTouched} onDrop={place => dropAt(row, place)} />}
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
  onDrop: (dropped: Row, isBelow: boolean) => void
  touchMark: Place['mark'] | undefined
  handle: ReactNode
}
function SubIssue({ issue, row, onFocus, onStep, onDrop, touchMark, handle }: SubIssueProps) {
  const { id, key, title } = row
  const members = useDirectory()?.members ?? []
  const { mutate, error } = useIssueRequest()
  const { ref, mark } = useDragging(row, onDrop)
  function press(event: KeyboardEvent): void {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (!event.shiftKey || by === undefined) return
    event.preventDefault()
    onStep(by)
  }
  return (
    <li ref={ref} data-mark={mark ?? touchMark} onKeyDown={press} onFocus={onFocus}>
      {handle}
      <StateIcon category={row.stateCategory} />
      <Link
        href={`/issue/${key}`}
        className={styles['neighbour']!}
        // The whole row is dragged.
        draggable={false}
        data-row={id}
        aria-keyshortcuts="Shift+ArrowUp Shift+ArrowDown"
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

/** Rows are dragged to the place before or after another one. */
function useDragging(row: Row, onDrop: SubIssueProps['onDrop']) {
  const ref = useRef<HTMLLIElement>(null)
  const [mark, setMark] = useState<Place['mark']>()
  const drop = useEffectEvent(onDrop)
  useEffect(
    () =>
      draggable({
        element: ref.current!,
        canDrag: ({ input }) => !isAtHandle(input.clientX, input.clientY),
        getInitialData: () => ({ subIssue: row })
      }),
    [row]
  )
  useEffect(() => {
    const element = ref.current!
    const markAt = ({ current }: DragLocationHistory) => {
      const { top, height } = element.getBoundingClientRect()
      return current.input.clientY > top + height / 2 ? 'below' : 'above'
    }
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => 'subIssue' in source.data,
      onDrag: ({ location }) => setMark(markAt(location)),
      onDragLeave: () => setMark(undefined),
      onDrop({ source, location }) {
        setMark(undefined)
        drop(source.data['subIssue'] as Row, markAt(location) === 'below')
      }
    })
  }, [])
  return { ref, mark }
}

const newPlace = ({ id, key }: Issue) => ({
  name: `sub-issue.${id}`,
  title: `New sub-issue of ${key}`,
  href: `/issue/${key}`
})

/** A new sub-issue; Enter creates it, and the next can be typed. What is typed is a draft until then. */
function AddSubIssue({ issue }: { issue: Issue }) {
  const { mutate, error, isPending } = useIssueRequest()
  const [written, setWritten, forget] = useLineDraft<null>(newPlace(issue))
  const title = written?.text ?? ''
  function submit(event: FormEvent): void {
    event.preventDefault()
    const body = { title, parentId: issue.id, teamId: issue.teamId }
    if (written && title.trim() !== '') mutate({ path: '/v1/issues', body }, { onSuccess: () => forget(written) })
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        aria-label="Title of a new sub-issue"
        placeholder="A new sub-issue…"
        maxLength={1000}
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
