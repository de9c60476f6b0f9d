import { Avatar } from '../avatar/avatar.tsx'
import { Kbd } from '../parts/bits.tsx'
import { Button } from '../parts/controls.tsx'
import { Icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { go } from '../go.ts'
import { announce } from '../keys.ts'
import { Logo } from '../logo/logo.tsx'
import { accountActions, contributions } from '../registry.ts'
import type { Session } from '../session/session.ts'
import { useSignOut } from '../session/session-actions.tsx'
import { switchDensity } from '../sizes/density.ts'
import { switchTheme } from '../theme.ts'
import { Places } from './places.tsx'
import { Sections } from './sections.tsx'
import styles from './side-bar.module.css'
import { toggleSideBar, useSideState } from './side-state.ts'

interface SideBarProps {
  account: NonNullable<Session['account']>
  workspace: NonNullable<Session['workspace']>
  /** In the sheet of a phone, which closes when an entry is chosen. */
  isSheet?: boolean
  onOpen: (open: 'palette' | 'help' | 'switch' | undefined) => void
}
export function SideBar({ account, workspace, isSheet = false, onOpen }: SideBarProps) {
  return (
    <div
      className={styles['side']}
      onClick={event => {
        if (isSheet && event.target instanceof Element && event.target.closest('a')) onOpen(undefined)
      }}
    >
      <button
        type="button"
        className={styles['brand']}
        title="Switch workspace"
        aria-label={`${workspace.name}: switch workspace`}
        onClick={() => onOpen('switch')}
      >
        <Logo size={20} />
        <span>{workspace.name}</span>
        <Icon name="chevron" />
      </button>
      {!isSheet && (
        <button type="button" className={styles['search']} onClick={() => onOpen('palette')}>
          <Icon name="search" />
          Search
          <Kbd keys="mod+k" />
        </button>
      )}
      <div className={styles['middle']}>
        <Places />
        <Sections />
      </div>
      <div className={styles['who']}>
        <AccountMenu account={account} onOpen={onOpen} />
        {!isSheet && (
          <Button kind="quiet" aria-label="Collapse the side bar" title="Collapse the side bar" onClick={toggleSideBar}>
            <Icon name="side" />
          </Button>
        )}
      </div>
    </div>
  )
}

function AccountMenu({ account, onOpen }: Pick<SideBarProps, 'account' | 'onOpen'>) {
  const signOut = useSignOut()
  return (
    <Menu
      label="Your account"
      items={[
        {
          title: 'Profile',
          run() {
            onOpen(undefined)
            go('/settings/you')
          }
        },
        { title: 'Switch between light and dark', run: () => announce(switchTheme()) },
        { title: 'Switch between comfortable and compact', run: () => announce(switchDensity()) },
        { title: 'Keyboard shortcuts', run: () => onOpen('help') },
        ...contributions(accountActions),
        { title: 'Sign out', run: () => signOut() }
      ]}
    >
      <Avatar name={account.fullname} id={account.id} />
      <span>{account.fullname}</span>
    </Menu>
  )
}

export function ShowSideBar() {
  const { isCollapsed } = useSideState()
  if (!isCollapsed) return null
  return (
    <span className={styles['show']}>
      <Button kind="quiet" aria-label="Show the side bar" title="Show the side bar" onClick={toggleSideBar}>
        <Icon name="side" />
      </Button>
    </span>
  )
}
