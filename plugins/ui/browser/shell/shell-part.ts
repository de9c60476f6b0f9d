import { DraftCount, useHasDrafts } from '../drafts/draft-count.tsx'
import { emoji } from '../editor/completion/emoji.ts'
import { go } from '../go.ts'
import { commands, completers, pages, settingsTabs, type Part } from '../registry.ts'

const START_WORDS = 'onboarding import jira github linear csv sample'

export const shellPart: Part = ({ contribute }) => {
  contribute(
    pages,
    { path: '/start', title: 'Get started', load: () => import('../start/start-page.tsx') },
    {
      path: '/drafts',
      title: 'Drafts',
      load: () => import('../drafts/drafts-page.tsx'),
      place: { order: 80, icon: 'edit', keys: 'g d', badge: DraftCount, useIsShown: useHasDrafts }
    },
    {
      path: '/settings/:tab?',
      title: 'Settings',
      words: 'preferences options configuration',
      load: () => import('../settings/settings.tsx'),
      place: { order: 90, icon: 'settings', keys: 'g s', href: '/settings' }
    }
  )
  contribute(commands, {
    id: 'start',
    title: 'Get started',
    words: START_WORDS,
    section: 'Go',
    run: () => go('/start')
  })
  contribute(completers, emoji)
  contribute(settingsTabs, { path: 'plugins', title: 'Plugins', order: 95, load: () => import('../plugins.tsx') })
}
