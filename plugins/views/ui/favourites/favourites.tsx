import { useLayoutEffect, useRef } from 'react'
import {
  contributions,
  DragHandle,
  Icon,
  Menu,
  moveByKeys,
  MOVING_KEYS,
  SideLink,
  useDragging
} from '../../../ui/browser/contract.ts'
import { favouriteLinks, type Favourite } from '../contract.ts'
import { addressOfView, useViews } from '../saved/data.ts'
import { nameOf, useFavouriteChanges, useFavourites } from './data.ts'
import styles from './favourites.module.css'

/** Those of types that a plugin shows. */
function useShown(): readonly Favourite[] {
  const links = contributions(favouriteLinks)
  return useFavourites().filter(({ type }) => links.some(link => link.type === type))
}
export const useHasFavourites = (): boolean => useShown().length > 0

/** In the side bar: one's favourites, in one's order. */
export function Favourites() {
  const favourites = useShown()
  const { move } = useFavouriteChanges()
  const list = useRef<HTMLUListElement>(null)
  const { drag, press, markOf } = useDragging(list, ({ from, to }) => move(favourites[from]!, from, to))
  const moved = useRef<string>(undefined)
  // The browser takes the focus from an element that changes its place.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-favourite="${moved.current}"] a`)?.focus()
    moved.current = undefined
  }, [favourites])
  function step(from: number, by: 1 | -1): void {
    const to = from + by
    if (to < 0 || to >= favourites.length) return
    moved.current = favourites[from]!.id
    move(favourites[from]!, from, to)
  }
  return (
    <ul ref={list} aria-label="Favourites" className={styles['list']} data-dragging={drag !== undefined || undefined}>
      {favourites.map((favourite, at) => (
        <li
          key={`${favourite.type} ${favourite.id}`}
          data-favourite={favourite.id}
          data-dragged={drag?.from === at || undefined}
          data-mark={markOf(at)}
          onPointerDown={press}
          onKeyDown={event => moveByKeys(event, by => step(at, by))}
        >
          <FavouriteRow favourite={favourite} at={at} onStep={by => step(at, by)} />
        </li>
      ))}
    </ul>
  )
}

interface FavouriteRowProps {
  favourite: Favourite
  at: number
  onStep: (by: 1 | -1) => void
}
function FavouriteRow({ favourite, at, onStep }: FavouriteRowProps) {
  const { remove } = useFavouriteChanges()
  const { icon, href } = contributions(favouriteLinks).find(({ type }) => type === favourite.type)!
  // A view has an icon of its own, and its layout is an address.
  const view = useViews().data?.find(({ id }) => id === favourite.id)
  return (
    <SideLink
      href={view ? addressOfView(view) : href(favourite)}
      icon={view?.icon ?? <Icon name={icon} />}
      title={nameOf(favourite)}
      keyshortcuts={MOVING_KEYS}
      menu={
        <>
          <DragHandle />
          <Menu
            label={`Actions on the favourite ${nameOf(favourite)}`}
            items={[
              { title: 'Move up', run: () => onStep(-1) },
              { title: 'Move down', run: () => onStep(1) },
              { title: 'Remove from favourites', run: () => remove(favourite, at) }
            ]}
          />
        </>
      }
    />
  )
}
