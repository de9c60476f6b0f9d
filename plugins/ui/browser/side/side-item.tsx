import type { ReactNode } from 'react'
import { Link, useLocation, useSearch, type LinkProps } from 'wouter'
import styles from './side-item.module.css'

/** The query of the page may have more. */
function useIsHere(href: string): boolean {
  const [path] = useLocation()
  const here = new URLSearchParams(useSearch())
  const [page, query] = href.split('?')
  return path === page && [...new URLSearchParams(query)].every(([name, value]) => here.get(name) === value)
}

export const SideList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={styles['list']} aria-label={label}>
    {children}
  </ul>
)

interface SideLinkProps {
  href: string
  icon: ReactNode
  title: string
  menu?: ReactNode
  keyshortcuts?: string
  onClick?: LinkProps['onClick']
}
export function SideLink({ href, icon, title, menu, keyshortcuts, onClick }: SideLinkProps) {
  const isHere = useIsHere(href)
  return (
    <span className={styles['item']} data-here={isHere || undefined}>
      <Link
        href={href}
        title={title}
        // Rows are dragged by pointers, not by the browser.
        draggable={false}
        aria-current={isHere ? 'page' : undefined}
        aria-keyshortcuts={keyshortcuts}
        onClick={onClick}
      >
        <span className={styles['icon']} aria-hidden>
          {icon}
        </span>
        <span className={styles['title']}>{title}</span>
      </Link>
      {menu && <span className={styles['menu']}>{menu}</span>}
    </span>
  )
}
