import { Link, useLocation } from 'wouter'
import { Icon } from '../parts/icons.tsx'
import { contributions, pages, type Page } from '../registry.ts'
import styles from './places.module.css'

/** The entries of the bar on a phone, beside “Search” and “More”: 44 pixels each on the narrowest. */
const MAX_ON_PHONE = 4

export const addressOf = ({ path, place }: Page): string => place?.href ?? path
export const placesInOrder = (): Page[] =>
  contributions(pages)
    .filter(page => page.place !== undefined)
    .toSorted((a, b) => a.place!.order - b.place!.order)

export const Places = () => (
  <nav className={styles['places']} aria-label="Main navigation">
    {placesInOrder().map(page => (
      <Place key={page.path} page={page} />
    ))}
  </nav>
)

export function PhoneBar({ onSearch, onMore }: { onSearch: () => void; onMore: () => void }) {
  return (
    <nav className={styles['phoneBar']} aria-label="Main navigation at the bottom">
      <button type="button" onClick={onSearch}>
        <Icon name="search" />
        Search
      </button>
      {placesInOrder()
        .slice(0, MAX_ON_PHONE)
        .map(page => (
          <Place key={page.path} page={page} />
        ))}
      <button type="button" aria-haspopup="dialog" onClick={onMore}>
        <Icon name="more" />
        More
      </button>
    </nav>
  )
}

const always = () => true
function Place({ page }: { page: Page }) {
  const [path] = useLocation()
  const { icon, badge: Badge, useIsShown = always } = page.place!
  const address = addressOf(page)
  const isHere = address === '/' ? path === '/' : path.startsWith(address)
  if (!useIsShown()) return null
  return (
    <Link href={address} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {page.title}
      {Badge && <Badge />}
    </Link>
  )
}
