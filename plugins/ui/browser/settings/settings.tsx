import { Suspense, useEffect, useRef } from 'react'
import { Link, Redirect } from 'wouter'
import { Empty, Skeleton } from '../parts/bits.tsx'
import { lazyElement } from '../lazy.ts'
import { PageFrame } from '../shell/page-frame.tsx'
import { contributions, settingsTabs } from '../registry.ts'
import styles from './settings.module.css'

export default function Settings({ params }: { params: Record<string, string> }) {
  const tabs = contributions(settingsTabs).toSorted((a, b) => a.order - b.order)
  const tab = tabs.find(({ path }) => path === params['tab'])
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const [first] = tabs
  if (tab === undefined && first !== undefined) return <Redirect to={`/settings/${first.path}`} replace />
  if (tab === undefined) {
    return (
      <PageFrame title="Settings">
        <Empty title="No settings">None of the enabled plugins has settings.</Empty>
      </PageFrame>
    )
  }
  return (
    <PageFrame title={`${tab.title} · Settings`} heading={<h1>Settings</h1>}>
      <div className={styles['settings']}>
        <nav ref={nav} aria-label="Settings">
          {tabs.map(({ path, title }) => (
            <Link key={path} href={`/settings/${path}`} aria-current={path === tab.path ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <div className={styles['tab']}>
          <h2>{tab.title}</h2>
          <Suspense fallback={<Skeleton />}>{lazyElement(tab.load, {})}</Suspense>
        </div>
      </div>
    </PageFrame>
  )
}
