import { contract, point } from '../../../core/api/contract.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const views = contract()('views')

export interface Favourite {
  type: string
  id: string
  name: string
  /** Only issues have one. */
  key?: string
}

/** The icon and links of favourites of a type. */
export interface FavouriteLink {
  type: string
  icon: string
  href(favourite: Favourite): string
}
export const favouriteLinks = point<FavouriteLink>()(views, 'favouriteLinks')
