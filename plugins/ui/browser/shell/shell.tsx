import { Component, Suspense, useEffect, useState, type CSSProperties, type ReactNode } from 'react'
import { Link, Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { Empty, ErrorNote, Skeleton, unseenClass } from '../parts/bits.tsx'
import { Button, Dialog } from '../parts/controls.tsx'
import { prefix } from '../go.ts'
import { Help } from './help.tsx'
import { announce, useCommands, useKeys } from '../keys.ts'
import { lazyElement } from '../lazy.ts'
import { useConnectionCheck } from '../data/connection.ts'
import { useLive } from '../data/live.ts'
import { ConnectionBar } from '../offline/connection-bar.tsx'
import { useKeeping } from '../offline/send-kept.ts'
import { PageFrame } from './page-frame.tsx'
import { Palette } from './palette.tsx'
import { contributions, overlays, pages } from '../registry.ts'
import type { Session } from '../session/session.ts'
import { addressOf, PhoneBar, placesInOrder } from '../side/places.tsx'
import { Resizer } from '../sizes/resizer.tsx'
import { SideBar } from '../side/side-bar.tsx'
import { resizeSideBar, toggleSideBar, useSideState, WIDTHS } from '../side/side-state.ts'
import { useIsStart } from '../start/use-start.ts'
import { switchDensity } from '../sizes/density.ts'
import { SwitchWorkspace, useSignOut } from '../session/session-actions.tsx'
import { endWorkspaceChoice, isWorkspaceAsked } from '../session/workspace-choice.tsx'
import styles from './shell.module.css'
import { setTheme, switchTheme } from '../theme.ts'
import { UndoNote } from './undo.tsx'
import { rememberedPage, rememberPage } from '../visit.ts'

type Open = 'palette' | 'help' | 'switch' | 'more' | undefined

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
  const { width, isCollapsed } = useSideState()
  useKeys()
  const isLost = useLive(session.eventCursor)
  useConnectionCheck(isLost)
  useKeeping(session.account.id)
  useShellCommands(setOpen)
  return (
    <Router base={prefix}>
      <a href="#main" className={styles['skip']}>
        Skip to content
      </a>
      <div
        className={styles['shell']}
        data-collapsed={isCollapsed || undefined}
        style={{ '--side-width': `${width}px` } as CSSProperties}
      >
        <header className={styles['side']}>
          <SideBar {...session} onOpen={setOpen} />
          <Resizer
            {...{ label: 'Width of the side bar', width, widths: WIDTHS, edge: 'end' }}
            onResize={resizeSideBar}
            onEnter={toggleSideBar}
          />
        </header>
        <main id="main" className={styles['main']} tabIndex={-1}>
          <Pages accountId={session.account.id} />
        </main>
        <ConnectionBar isLost={isLost} />
        <PhoneBar onSearch={() => setOpen('palette')} onMore={() => setOpen('more')} />
      </div>
      {contributions(overlays).map((Overlay, at) => (
        <Overlay key={at} />
      ))}
      {open === 'palette' && <Palette onClose={() => close('palette')} />}
      <Help isOpen={open === 'help'} onClose={() => close('help')} />
      <SwitchWorkspace isOpen={open === 'switch'} onClose={closeSwitch} />
      <Dialog title="More" isOpen={open === 'more'} isSheet onClose={() => close('more')}>
        <SideBar {...session} isSheet onOpen={setOpen} />
      </Dialog>
      <UndoNote />
      <div id="announcer" role="status" className={unseenClass} />
    </Router>
  )
}

function useShellCommands(setOpen: (open: Open) => void): void {
  const signOut = useSignOut()
  useCommands([
    { id: 'palette', title: 'Search', section: 'General', keys: ['mod+k'], run: () => setOpen('palette') },
    {
      ...{ id: 'help', title: 'Keyboard shortcuts', words: 'help keys hotkeys', section: 'General', keys: ['?'] },
      run: () => setOpen('help')
    },
    {
      id: 'sideBar',
      title: 'Collapse or show the side bar',
      words: 'hide sidebar',
      section: 'General',
      keys: ['['],
      run: toggleSideBar
    },
    {
      ...{ id: 'theme', title: 'Switch between light and dark', words: 'theme colours mode', section: 'General' },
      run: () => announce(switchTheme())
    },
    {
      ...{ id: 'systemTheme', title: 'Use the colours of the system', words: 'theme auto', section: 'General' },
      run: () => announce(setTheme('system'))
    },
    {
      ...{ id: 'density', title: 'Switch between comfortable and compact', words: 'density', section: 'General' },
      run: () => announce(switchDensity())
    },
    { id: 'switch', title: 'Switch workspace', section: 'General', run: () => setOpen('switch') },
    { id: 'out', title: 'Sign out', words: 'log out logout', section: 'General', run: () => signOut() },
    { id: 'outEverywhere', title: 'Sign out everywhere', section: 'General', run: () => signOut(true) }
  ])
}

function Pages({ accountId }: { accountId: string }) {
  const [path] = useLocation()
  const search = useSearch()
  useEffect(() => {
    const isRemembered = contributions(pages).some(page => page.path === path && page.isRemembered)
    if (isRemembered) rememberPage(accountId, search === '' ? path : `${path}?${search}`)
  }, [accountId, path, search])
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
            <FirstPage accountId={accountId} />
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

function FirstPage({ accountId }: { accountId: string }) {
  const isStart = useIsStart()
  if (isStart === undefined) return <Skeleton />
  return <Redirect to={isStart ? '/start' : (rememberedPage(accountId) ?? addressOf(placesInOrder()[0]!))} replace />
}

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
