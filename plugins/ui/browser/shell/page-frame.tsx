import { useEffect, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { contributions, pages } from '../registry.ts'
import { useSession } from '../session/session.ts'
import { addressOf } from '../side/places.tsx'
import { ShowSideBar } from '../side/side-bar.tsx'
import { noteVisit } from '../visit.ts'
import styles from './page-frame.module.css'

interface PageFrameProps {
  /** The title of the tab, and of the page for screen readers. */
  title: string
  heading?: ReactNode
  tools?: ReactNode
  actions?: ReactNode
  below?: ReactNode
  children: ReactNode
}
export function PageFrame({ title, heading, tools, actions, below, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · tracker`
  }, [title])
  useVisit(title)
  return (
    <div className={styles['page']}>
      <header className={styles['bar']}>
        <ShowSideBar />
        {heading ?? <h1>{title}</h1>}
        <div className={styles['tools']}>{tools}</div>
        {actions}
      </header>
      {below}
      <div className={styles['body']}>{children}</div>
    </div>
  )
}

function useVisit(title: string): void {
  const accountId = useSession()?.account?.id
  const [path] = useLocation()
  useEffect(() => {
    const hasPlace = contributions(pages).some(page => page.place && addressOf(page) === path)
    if (accountId !== undefined && !hasPlace) noteVisit(accountId, { path, title })
  }, [accountId, path, title])
}

export const SubHeading = ({ of: { href, title }, children }: SubHeadingProps) => (
  <h1 className={styles['sub']}>
    <Link href={href}>{title}</Link>
    <span aria-hidden>›</span>
    {children}
  </h1>
)
interface SubHeadingProps {
  of: { href: string; title: string }
  children: ReactNode
}
