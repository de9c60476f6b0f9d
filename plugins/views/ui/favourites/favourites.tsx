import {
  contributions,
  DragHandle,
  Icon,
  Menu,
  MOVING_KEYS,
  SideLink,
  useSorting
} from '../../../ui/browser/contract.ts'
import { favouriteLinks, type Favourite } from '../contract.ts'
import { addressOfView, useViews } from '../saved/data.ts'
import { nameOf, useFavouriteChanges, useFavourites } from './data.ts'

const keyOf = ({ type, id }: Favourite): string => `${type} ${id}`

/** Favourites whose type a plugin can display. */
function useShown(): readonly Favourite[] {
  const links = contributions(favouriteLinks)
  return useFavourites().filter(({ type }) => links.some(link => link.type === type))
}
export const useHasFavourites = (): boolean => useShown().length > 0

export function Favourites() {
  const favourites = useShown()
  const { move } = useFavouriteChanges()
  const ids = favourites.map(keyOf)
  const { list, rowAt, step } = useSorting(ids, (from, to) => move(favourites[from]!, from, to))
  return (
    <ul aria-label="Favourites" {...list}>
      {favourites.map((favourite, at) => (
        <li key={keyOf(favourite)} {...rowAt(at)}>
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
