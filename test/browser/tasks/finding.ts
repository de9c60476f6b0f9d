import { button, field, heading, property, said, type Task } from './user.ts'

/** To find issues again, and to see them in another way. */
export const findingTasks: readonly Task[] = [
  {
    wants: 'Find an issue by what it is about',
    at: '/board',
    way: { words: 'time zone', row: 'Due dates lose their time zone' },
    shows: heading(/Due dates lose/)
  },
  {
    wants: 'See the issues with one of two labels',
    at: '/issues',
    way: { clicks: [property('Filter'), page => page.getByRole('option', { name: /^Label/ })] },
    async act(user) {
      await user.choose('Label', 'Bug')
      await user.choose('Label', 'Docs')
      await user.press('Escape')
    },
    shows: page => page.getByRole('group', { name: /^Label is .*Docs/ })
  },
  {
    wants: 'Type what one looks for',
    at: '/board',
    way: { words: 'label:bug priority:urgent', row: 'Show issues' },
    shows: page => page.getByRole('group', { name: 'Priority is Urgent' })
  },
  {
    wants: 'Keep a list for tomorrow',
    at: '/issues?filter=label:bug',
    way: { words: 'save', row: 'Save as a view…' },
    async act(user) {
      await user.type(field('Name'), 'All bugs')
      await user.press('Enter')
    },
    shows: page => page.getByRole('list', { name: 'Views' }).getByRole('link', { name: 'All bugs' })
  },
  {
    wants: 'Have an issue at hand',
    at: '/issue/ENG-1',
    way: { words: 'favorite', row: 'Add to favourites' },
    shows: page => page.getByRole('list', { name: 'Favourites' }).getByRole('link', { name: /^ENG-1 / })
  },
  {
    wants: 'See who has what',
    at: '/board',
    way: { clicks: [button('Display'), property('Group by')] },
    act: user => user.choose('Group by', 'Assignee'),
    shows: page => page.getByRole('region', { name: 'Mara Lind' })
  },
  {
    wants: 'Be told of changes',
    at: '/issue/ENG-5',
    way: { clicks: [page => page.getByRole('switch', { name: 'Watch' })] },
    shows: page => page.getByRole('switch', { name: 'Watch', checked: true })
  },
  {
    wants: 'Read what is new for oneself',
    at: '/board',
    way: { words: 'notifications', row: 'Go to Needs you' },
    shows: heading('Needs you')
  },
  {
    wants: 'Restore what was deleted',
    at: '/board',
    way: { words: 'deleted', row: 'Settings: Trash' },
    shows: heading('Trash')
  },
  {
    wants: 'Learn the keys',
    at: '/board',
    way: { words: 'shortcuts', row: 'Keyboard shortcuts' },
    shows: page => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  },
  {
    wants: 'Work in the dark',
    at: '/board',
    way: { words: 'dark', row: 'Switch between light and dark' },
    shows: page => page.locator('[data-theme=dark]')
  },
  {
    wants: 'See more at once',
    at: '/issues',
    way: { words: 'compact', row: 'Switch between comfortable and compact' },
    shows: said('compact')
  }
]
