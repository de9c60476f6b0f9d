import { Button, Icon, useCommands } from '../../../ui/browser/contract.ts'
import type { Favourite } from '../contract.ts'
import { isSame, nameOf, useFavouriteChanges, useFavourites } from './data.ts'
import styles from './star.module.css'

export function useToggle(favourite: Favourite): { isFavourite: boolean; toggle: () => void } {
  const favourites = useFavourites()
  const { add, remove } = useFavouriteChanges()
  const at = favourites.findIndex(other => isSame(other, favourite))
  return { isFavourite: at >= 0, toggle: () => (at >= 0 ? remove(favourite, at) : add(favourite)) }
}

export function PageStar({ favourite, section }: { favourite: Favourite; section: string }) {
  const { isFavourite, toggle } = useToggle(favourite)
  const title = isFavourite ? 'Remove from favourites' : 'Add to favourites'
  useCommands([{ id: 'favourite', title, words: 'favorites star pin', section, keys: ['*'], run: toggle }])
  return (
    <span className={styles['star']}>
      <Button
        kind="quiet"
        aria-label={`Favourite: ${nameOf(favourite)}`}
        aria-pressed={isFavourite}
        title={title}
        onClick={toggle}
      >
        <Icon name="star" />
      </Button>
    </span>
  )
}
