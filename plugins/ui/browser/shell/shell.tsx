import { Component, Suspense, useState, type ReactNode } from 'react'
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { Avatar, Empty, ErrorNote, Kbd, Skeleton, unseenClass } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import { prefix } from '../go.ts'
import { Help } from './help.tsx'
import { Icon } from '../parts/icons.tsx'
import { announce, useCommands, useKeys } from '../keys.ts'
import { lazyElement } from '../lazy.ts'
import { useLive } from '../data/live.ts'
import { PageFrame } from './page-frame.tsx'
import { Palette } from './palette.tsx'
import { contributions, overlays, pages, type Page } from '../registry.ts'
import type { Session } from '../session/session.ts'
import { SwitchWorkspace, useSignOut } from '../session/session-actions.tsx'
import { endWorkspaceChoice, isWorkspaceAsked } from '../session/workspace-choice.tsx'
import styles from './shell.module.css'
import { switchTheme } from '../theme.ts'
import { UndoNote } from './undo.tsx'

type Open = 'palette' | 'help' | 'switch' | undefined

/** The frame of all pages: side bar, palette, keyboard. It knows no page by name. */
export function Shell(session: {
  account: NonNullable<Session['account']>
  workspace: NonNullable<Session['workspace']>
  eventCursor: Session['eventCursor']
}) {
  const [open, setOpen] = useState<Open>(isWorkspaceAsked() ? 'switch' : undefined)
  // The browser reports a closed dialog late: another one may have been opened meanwhile.
  const close = (closed: Open) => setOpen(now => (now === closed ? undefined : now))
  const closeSwitch = () => {
    endWorkspaceChoice()
    close('switch')
  }
  useKeys()
  const isLost = useLive(session.eventCursor)
  useShellCommands(setOpen)
  return (
    <Router base={prefix}>
      <a href="#main" className={styles['skip']}>
        Skip to content
      </a>
      <div className={styles['shell']}>
        <SideBar {...session} onOpen={setOpen} />
        <main id="main" className={styles['main']} tabIndex={-1}>
          <Pages />
        </main>
        <Places className={styles['phoneBar']!} onFind={() => setOpen('palette')} />
      </div>
      {contributions(overlays).map((Overlay, at) => (
        <Overlay key={at} />
      ))}
      {open === 'palette' && <Palette onClose={() => close('palette')} />}
      <Help isOpen={open === 'help'} onClose={() => close('help')} />
      <SwitchWorkspace isOpen={open === 'switch'} onClose={closeSwitch} />
      <UndoNote />
      {isLost && (
        <p role="status" className={styles['lost']}>
          Reconnecting…
        </p>
      )}
      <div id="announcer" role="status" className={unseenClass} />
    </Router>
  )
}

function useShellCommands(setOpen: (open: Open) => void): void {
  const signOut = useSignOut()
  useCommands([
    { id: 'palette', title: 'Search', section: 'General', keys: ['mod+k'], run: () => setOpen('palette') },
    { id: 'help', title: 'Keyboard shortcuts', section: 'General', keys: ['?'], run: () => setOpen('help') },
    { id: 'theme', title: 'Switch between light and dark', section: 'General', run: () => announce(switchTheme()) },
    { id: 'switch', title: 'Switch workspace', section: 'General', run: () => setOpen('switch') },
    { id: 'out', title: 'Sign out', section: 'General', run: () => signOut() },
    { id: 'outEverywhere', title: 'Sign out everywhere', section: 'General', run: () => signOut(true) }
  ])
}

interface SideBarProps {
  account: NonNullable<Session['account']>
  workspace: NonNullable<Session['workspace']>
  onOpen: (open: Open) => void
}
function SideBar({ account, workspace, onOpen }: SideBarProps) {
  return (
    <header className={styles['side']}>
      <button
        type="button"
        className={styles['brand']}
        title="Switch workspace"
        aria-label={`${workspace.name}: switch workspace`}
        onClick={() => onOpen('switch')}
      >
        <span className={styles['mark']} aria-hidden />
        <span>{workspace.name}</span>
        <Icon name="chevron" />
      </button>
      <button type="button" className={styles['find']} onClick={() => onOpen('palette')}>
        <Icon name="search" />
        Search
        <Kbd keys="mod+k" />
      </button>
      <Places className={styles['places']!} />
      <span className={styles['space']} />
      <div className={styles['who']}>
        <Link href="/settings/you" title="Your account">
          <Avatar name={account.fullname} />
          <span>{account.fullname}</span>
        </Link>
        <Button kind="quiet" aria-label="Keyboard shortcuts" onClick={() => onOpen('help')}>
          <Icon name="help" />
        </Button>
      </div>
    </header>
  )
}

const addressOf = ({ path, place }: Page) => place?.href ?? path
const placesInOrder = () =>
  contributions(pages)
    .filter(page => page.place !== undefined)
    .toSorted((a, b) => a.place!.order - b.place!.order)

/** The side bar with the contributed entries; on a phone a bar at the bottom. */
function Places({ className, onFind }: { className: string; onFind?: () => void }) {
  const [path] = useLocation()
  const isHere = (page: Page) => (addressOf(page) === '/' ? path === '/' : path.startsWith(addressOf(page)))
  return (
    <nav className={className} aria-label={onFind ? 'Main navigation at the bottom' : 'Main navigation'}>
      {onFind && (
        <button type="button" onClick={onFind}>
          <Icon name="search" />
          Search
        </button>
      )}
      {placesInOrder().map(page => (
        <Place key={page.path} page={page} isHere={isHere(page)} />
      ))}
    </nav>
  )
}

const always = () => true
function Place({ page, isHere }: { page: Page; isHere: boolean }) {
  const { icon, badge: Badge, useIsShown = always } = page.place!
  if (!useIsShown()) return null
  return (
    <Link href={addressOf(page)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {page.title}
      {Badge && <Badge />}
    </Link>
  )
}

function Pages() {
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Skeleton />}>
        <Switch>
          {contributions(pages).map(page => (
            <Route key={page.path} path={page.path}>
              {params => lazyElement(page.load, { params: params as Record<string, string> })}
            </Route>
          ))}
          <Route path="/">
            <Redirect to={addressOf(placesInOrder()[0]!)} replace />
          </Route>
          <Route>
            <PageFrame title="Not found">
              <Empty title="This page does not exist">
                <Link href="/">Go to the first page</Link>
              </Empty>
            </PageFrame>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}

/** An error of one page does not affect the others. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <PageFrame title="Something went wrong">
        <Empty title="This page could not be shown">
          <ErrorNote error={this.state.error} />
          <Button onClick={() => location.reload()}>Reload</Button>
        </Empty>
      </PageFrame>
    )
  }
}
