import { pages, settingsTabs, type Part } from '../registry.ts'

export const shellPart: Part = ({ contribute }) => {
  contribute(pages, {
    path: '/settings/:tab?',
    title: 'Settings',
    load: () => import('../settings/settings.tsx'),
    place: { order: 90, icon: 'settings', keys: 'g s', href: '/settings' }
  })
  contribute(settingsTabs, { path: 'plugins', title: 'Plugins', order: 95, load: () => import('../plugins.tsx') })
}
