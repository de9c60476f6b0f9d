import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { memo, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { Link } from 'wouter'
import { Icon, KeptMark, Time } from '../../../ui/browser/contract.ts'
import type { Row } from '../contract.ts'
import type { Label, Member } from '../data.ts'
import { isOf, nameOfRow } from '../list/row-name.ts'
import { DueDate } from '../pickers/due-date.tsx'
import { noteOpened, useFocusAfterReturn } from '../return-place.ts'
import { extendOnShift } from '../selection/extend-on-shift.ts'
import { Assignee, LabelChip, PriorityIcon, RunStatus } from '../symbols.tsx'
import styles from './board.module.css'
import { setDragged, useIsDragged, type Dragged } from './dragged.ts'

const MAX_LABELS_SHOWN = 2

/** Callbacks of a card, the same ones as long as possible: cards are memoized. */
export interface CardHandlers {
  onFocus(index: number, rowId: string): void
  onToggle(row: Row): void
  onExtend(row: Row): void
  /** All selected issues, if the dragged one is among them. */
  draggedWith(row: Row): readonly Row[]
}
interface CardProps {
  row: Row
  index: number
  cellId: string
  isSelected: boolean
  members: readonly Member[]
  labels: readonly Label[]
  handlers: CardHandlers
}

function useDraggable(card: RefObject<HTMLElement | null>, { row, cellId, handlers }: CardProps): void {
  const rowsOf = useEffectEvent(() => handlers.draggedWith(row))
  useEffect(
    () =>
      draggable({
        element: card.current!,
        getInitialData: (): Dragged => ({ rows: rowsOf(), cellId, height: card.current!.offsetHeight }),
        onGenerateDragPreview({ nativeSetDragImage }) {
          const { length } = rowsOf()
          if (length === 1) return
          const render = ({ container }: { container: HTMLElement }) => {
            container.append(Object.assign(document.createElement('div'), { textContent: `${length} issues` }))
            container.firstElementChild!.className = styles['preview']!
          }
          setCustomNativeDragPreview({ nativeSetDragImage, render })
        },
        onDragStart: () => setDragged(rowsOf())
      }),
    [card, cellId]
  )
}

/** Rendered again only when it changes, and not on each row that the column scrolls by. */
export const Card = memo(function Card(props: CardProps) {
  const { row, index, isSelected, members, labels, handlers } = props
  const ref = useRef<HTMLAnchorElement>(null)
  useDraggable(ref, props)
  useFocusAfterReturn(ref, row.id)
  const isDragged = useIsDragged(row.id)
  return (
    <>
      <Link
        ref={ref}
        href={`/issue/${row.key}`}
        className={styles['card']!}
        data-index={index}
        data-row={row.id}
        data-selected={isSelected || undefined}
        data-dragged={isDragged || undefined}
        // One stop of the Tab key for each column; the arrow keys reach the others.
        tabIndex={index === 0 ? 0 : -1}
        aria-label={nameOfRow(row, members, labels.filter(isOf(row)), isSelected)}
        onFocus={() => handlers.onFocus(index, row.id)}
        onClickCapture={extendOnShift(() => handlers.onExtend(row))}
        onClick={() => noteOpened(row.id)}
      >
        <span className={styles['top']}>
          <span data-property="key">{row.key}</span>
          <KeptMark subject={row.id} />
          {row.isBlocked && <em data-kind="blocked">Blocked</em>}
          {row.awaiting && <em data-kind="awaiting">Asks</em>}
          {row.runStatus !== undefined && <RunStatus status={row.runStatus} />}
          <span className={styles['space']} />
          <span data-property="assignee">
            {row.assigneeId && row.assignedAt && <Time at={row.assignedAt} />}
            <Assignee row={row} members={members} />
          </span>
        </span>
        <strong>{row.title}</strong>
        {hasFoot(row) && <CardFoot row={row} labels={labels} />}
      </Link>
      <input
        type="checkbox"
        className={styles['check']}
        aria-label={`Select ${row.key}`}
        tabIndex={-1}
        checked={isSelected}
        onClickCapture={extendOnShift(() => handlers.onExtend(row))}
        onChange={() => handlers.onToggle(row)}
      />
    </>
  )
})

/** False: below the title there is nothing to say. */
const hasFoot = ({ priority, labelIds, dueDate, commentCount, criteria }: Row): boolean =>
  priority > 0 || labelIds.length > 0 || Boolean(dueDate) || commentCount !== undefined || criteria !== undefined

const LINE_CHARS = 38
/** As in the style sheet: a card whose measured height is another one moves all cards below it. */
const LINE_HEIGHT = 18.85
/** Without a title and a foot, with the gap below it. */
const FRAME_HEIGHT = 48
const FOOT_HEIGHT = 22
/** Pixels of a card that is not measured yet. */
export const estimatedHeight = (row: Row | undefined): number => {
  const lines = row && row.title.length > LINE_CHARS ? 2 : 1
  return Math.round(FRAME_HEIGHT + lines * LINE_HEIGHT + (row && hasFoot(row) ? FOOT_HEIGHT : 0))
}

function CardFoot({ row, labels }: { row: Row; labels: readonly Label[] }) {
  const own = labels.filter(isOf(row))
  const more = own.length - MAX_LABELS_SHOWN
  return (
    <span className={styles['bottom']}>
      {row.priority > 0 && (
        <span data-property="priority">
          <PriorityIcon priority={row.priority} />
        </span>
      )}
      {own.slice(0, MAX_LABELS_SHOWN).map(label => (
        <span key={label.id} data-property="labels">
          <LabelChip label={label} />
        </span>
      ))}
      {more > 0 && (
        <span className={styles['count']} data-property="labels">
          +{more}
        </span>
      )}
      <span className={styles['space']} />
      <span data-property="dueDate">
        <DueDate row={row} />
      </span>
      {row.commentCount !== undefined && (
        <span className={styles['count']} title="Comments" data-property="comments">
          <Icon name="comment" size={12} />
          {row.commentCount}
        </span>
      )}
      {row.criteria && (
        <span
          className={styles['count']}
          data-property="criteria"
          data-met={row.criteria.met === row.criteria.total || undefined}
          title="Criteria met"
        >
          <Icon name="check" size={12} />
          {row.criteria.met}/{row.criteria.total}
        </span>
      )}
    </span>
  )
}
