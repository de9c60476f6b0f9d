import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { DragLocationHistory } from '@atlaskit/pragmatic-drag-and-drop/types'
import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import type { Row } from '../contract.ts'
import type { Dragged } from './dragged.ts'

export interface Slot {
  /** The index of the card before which they are put. */
  index: number
  /** Pixels. */
  height: number
  /** The id of the column where the drag began. */
  from: string
}
interface Placed {
  start: number
  size: number
}
export type Drop = (rows: readonly Row[], from: string, index: number) => void

/** The card at a height of a list: the place before it is nearest. */
function indexAt(places: readonly Placed[], y: number, slot: Slot | undefined): number {
  // The cards below the slot are displayed further down.
  const slotStart = slot ? (places[slot.index]?.start ?? Infinity) : Infinity
  const plain = y < slotStart ? y : Math.max(slotStart, y - slot!.height)
  const index = places.findIndex(({ start, size }) => start + size / 2 > plain)
  return index < 0 ? places.length : index
}

/** @param places of the cards of the column, without a slot */
export function useDropping(
  column: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  places: () => readonly Placed[],
  onDrop: Drop
): Slot | undefined {
  const [slot, setSlot] = useState<Slot>()
  const drop = useEffectEvent(onDrop)
  const at = useEffectEvent(({ current }: DragLocationHistory): number => {
    const element = scroller.current!
    const { top } = element.getBoundingClientRect()
    // On the head of the column, it is before the first card.
    if (current.input.clientY < top) return 0
    return indexAt(places(), current.input.clientY - top + element.scrollTop, slot)
  })
  useEffect(
    () =>
      dropTargetForElements({
        element: column.current!,
        onDrag({ location, source }) {
          const { cellId: from, height } = source.data as Dragged
          const index = at(location)
          setSlot(now => (now?.index === index ? now : { index, height, from }))
        },
        onDragLeave: () => setSlot(undefined),
        onDrop({ source, location }) {
          const { rows, cellId } = source.data as Dragged
          drop(rows, cellId, at(location))
          setSlot(undefined)
        }
      }),
    [column]
  )
  return slot
}

export function useHeadDropping(
  head: RefObject<HTMLElement | null>,
  onDrop: ((rows: readonly Row[], from: string) => void) | undefined
): boolean {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent((rows: readonly Row[], from: string) => onDrop?.(rows, from))
  const isTarget = onDrop !== undefined
  useEffect(() => {
    if (!isTarget) return
    return dropTargetForElements({
      element: head.current!,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop({ source }) {
        setOver(false)
        const { rows, cellId } = source.data as Dragged
        drop(rows, cellId)
      }
    })
  }, [head, isTarget])
  return isOver
}
