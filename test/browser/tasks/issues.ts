import { button, field, heading, property, said, type Task, type User } from './user.ts'

interface Issue {
  title: string
  dueDate: string | null
  parentId: string | null
  labelIds: string[]
}
const read = (user: User, key: string) => user.read<Issue>(`/v1/issues/${key}`)

/** To write issues and to change them, one or several at once. */
export const issueTasks: readonly Task[] = [
  {
    wants: 'Report a bug',
    at: '/board',
    way: { words: 'new issue', row: 'Create issue' },
    async act(user) {
      await user.type(field('Title'), 'The button is dead')
      await user.click(button('Create issue'))
    },
    shows: heading('The button is dead')
  },
  {
    wants: 'Give an issue to a colleague',
    at: '/issue/ENG-11',
    way: { words: 'assign', row: 'Change assignee…' },
    act: user => user.choose('Assignee', 'Mara Lind'),
    shows: page => property('Assignee')(page).filter({ hasText: 'Mara Lind' })
  },
  {
    wants: 'Take an issue oneself',
    at: '/issue/ENG-14',
    way: { words: 'assign me', row: 'Assign to me' },
    shows: page => property('Assignee')(page).filter({ hasText: 'Administrator' })
  },
  {
    wants: 'Close an issue',
    at: '/issue/OPS-2',
    way: { words: 'close', row: 'Change status…' },
    act: user => user.choose('Status', 'Done'),
    shows: page => property('Status')(page).filter({ hasText: 'Done' })
  },
  {
    wants: 'Say in the list that an issue is important',
    at: '/issues',
    way: { clicks: [button('Change the priority of ENG-12')] },
    act: user => user.choose('Priority', 'High'),
    shows: page => page.getByRole('link', { name: /^ENG-12 .* High/ })
  },
  {
    wants: 'Set a deadline',
    at: '/issue/ENG-12',
    way: { words: 'deadline', row: 'Change due date…' },
    async act(user) {
      await user.type(property('Search: Due date'), '+3d')
      await user.press('Enter')
    },
    shows: property('Due date'),
    stored: async user => (await read(user, 'ENG-12')).dueDate !== null
  },
  {
    wants: 'Tag an issue',
    at: '/issue/ENG-12',
    way: { clicks: [property('Labels')] },
    async act(user) {
      await user.choose('Labels', 'Docs')
      await user.press('Escape')
    },
    shows: page => property('Labels')(page).filter({ hasText: 'Docs' }),
    stored: async user => (await read(user, 'ENG-12')).labelIds.length === 2
  },
  {
    wants: 'Rename an issue',
    at: '/issue/ENG-13',
    way: { clicks: [field('Title')] },
    async act(user) {
      await user.type(field('Title'), 'The preview of the link breaks')
      await user.press('Enter')
    },
    shows: heading('The preview of the link breaks'),
    stored: async user => (await read(user, 'ENG-13')).title === 'The preview of the link breaks'
  },
  {
    wants: 'Ask a colleague in a comment',
    at: '/issue/ENG-7',
    way: { clicks: [field('Comment')] },
    async act(user) {
      await user.write('Comment', 'What do you think, @Jonas')
      await user.click(page => page.getByRole('option', { name: /Jonas Okafor/ }))
      await user.click(button('Send'))
    },
    shows: page => page.getByRole('article').getByRole('link', { name: /Jonas Okafor/ })
  },
  {
    wants: 'Attach a file',
    at: '/issue/ENG-7',
    way: { clicks: [field('Comment')] },
    async act(user) {
      const chooser = user.page.waitForEvent('filechooser')
      await user.click(button('Attach files: Comment'))
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('What was said') }
      await (await chooser).setFiles(file)
      await user.sees(page => field('Comment')(page).getByText('notes.txt'))
      await user.click(button('Send'))
    },
    shows: page => page.getByRole('article').getByRole('link', { name: /notes\.txt/ })
  },
  {
    wants: 'Divide an issue',
    at: '/issue/ENG-11',
    way: { words: 'sub-issue', row: 'Add a sub-issue…' },
    async act(user) {
      await user.type(field('Title of a new sub-issue'), 'Files are dropped')
      await user.press('Enter')
    },
    shows: page => page.getByRole('list', { name: 'Sub-issues' }).getByRole('link', { name: /Files are dropped/ })
  },
  {
    wants: 'Say that an issue holds up another one',
    at: '/issue/ENG-13',
    way: { words: 'blocks', row: 'This issue blocks…' },
    async act(user) {
      await user.type(property('Search: This issue blocks'), 'ENG-12')
      await user.click(page => page.getByRole('option', { name: /ENG-12/ }))
    },
    shows: page => page.getByRole('region', { name: 'Other issues' }).getByRole('link', { name: /ENG-12/ })
  },
  {
    wants: 'Write a similar issue',
    at: '/issue/ENG-11',
    way: { words: 'clone', row: 'Duplicate' },
    shows: heading(/\(copy\)$/)
  },
  {
    wants: 'Take an issue out as a text',
    at: '/issue/ENG-11',
    way: { words: 'export', row: 'Copy as Markdown' },
    shows: said('The Markdown is copied')
  },
  {
    wants: 'Delete an issue, and think again',
    at: '/issue/ENG-10',
    way: { clicks: [button('Actions on ENG-10'), page => page.getByRole('menuitem', { name: 'Remove' })] },
    async act(user) {
      await user.sees(said('ENG-10 is removed'))
      await user.command('undo', 'Undo')
    },
    shows: said('ENG-10 is there again')
  },
  {
    wants: 'Change several issues at once',
    at: '/issues',
    way: { clicks: [page => page.getByLabel('Select ENG-2'), page => page.getByLabel('Select ENG-7')] },
    async act(user) {
      await user.command('priority', 'Change priority…')
      await user.choose('Priority', 'Urgent')
    },
    shows: page => page.getByRole('link', { name: /^ENG-7 .* Urgent/ })
  }
]
