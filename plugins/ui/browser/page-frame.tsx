import { useEffect, type ReactNode } from 'react'
import styles from './page-frame.module.css'

interface PageFrameProps {
  /** Of the tab, and of the page for those who hear it. */
  title: string
  /** What stands at the left of the bar; default: the title. */
  heading?: ReactNode
  /** What stands beside it. */
  tools?: ReactNode
  /** What stands at the right. */
  actions?: ReactNode
  children: ReactNode
}
/** A page: its bar, and below it what it shows. */
export function PageFrame({ title, heading, tools, actions, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · tracker`
  }, [title])
  return (
    <div className={styles['page']}>
      <header className={styles['bar']}>
        {heading ?? <h1>{title}</h1>}
        {tools}
        <span className={styles['space']} />
        {actions}
      </header>
      <div className={styles['body']}>{children}</div>
    </div>
  )
}
