import { button, field, heading, property, type Task } from './user.ts'

/** To set things up, for oneself and for others. */
export const settingsTasks: readonly Task[] = [
  {
    wants: 'Connect an agent',
    at: '/board',
    way: { words: 'connect agent', row: 'Connect a client' },
    shows: button('Copy: command for Claude Code')
  },
  {
    wants: 'Create an agent',
    at: '/board',
    way: { words: 'new agent', row: 'Settings: Agents' },
    async act(user) {
      await user.type(field('Name of the agent'), 'Cleo')
      await user.click(button('Create agent'))
    },
    shows: page => page.getByText(/trk_/)
  },
  {
    wants: 'Invite a colleague',
    at: '/board',
    way: { words: 'invite', row: 'Settings: People' },
    async act(user) {
      await user.type(field('Name'), 'Ines')
      await user.type(field('E-mail address'), 'ines@example.org')
      await user.click(button('Add'))
    },
    shows: page => page.getByRole('list', { name: 'People' }).getByText('Ines', { exact: true })
  },
  {
    wants: 'Rename a state',
    at: '/board',
    way: { words: 'rename status', row: 'Settings: Teams' },
    async act(user) {
      await user.type(field('Name of the state In Review'), 'Reviewing')
      await user.press('Enter')
    },
    shows: field('Name of the state Reviewing')
  },
  {
    wants: 'Add a label',
    at: '/board',
    way: { words: 'new label', row: 'Settings: Labels' },
    async act(user) {
      await user.type(field('New label'), 'Regression')
      await user.click(button('Add'))
    },
    shows: field('Name of the label Regression')
  },
  {
    wants: 'Make a template for bugs',
    at: '/board',
    way: { words: 'new template', row: 'Templates for issues…' },
    async act(user) {
      await user.click(button('New template of Product'))
      await user.type(field('Name'), 'Bug report')
      await user.click(button('Save'))
    },
    shows: page => page.getByRole('list', { name: 'Templates of Product' }).getByText('Bug report')
  },
  {
    wants: 'Bring issues from GitHub',
    at: '/board',
    way: { words: 'import', row: 'Get started' },
    async act(user) {
      await user.click(property('From'))
      await user.choose('From', 'GitHub')
    },
    shows: page => page.getByText(/import --from github/)
  },
  {
    wants: 'Use the API',
    at: '/board',
    way: { words: 'api key', row: 'Settings: Tokens' },
    async act(user) {
      await user.type(field('What it is for'), 'A script')
      await user.click(button('Make'))
    },
    shows: page => page.getByText(/trk_/)
  },
  {
    wants: 'Be called by one’s name',
    at: '/board',
    way: { words: 'profile', row: 'Settings: You' },
    async act(user) {
      await user.type(field('Your name'), 'Robin')
      await user.press('Enter')
    },
    shows: button('Your account'),
    stored: async user =>
      (await user.read<Array<{ fullname: string }>>('/v1/users')).some(({ fullname }) => fullname === 'Robin')
  },
  {
    wants: 'Go to another workspace',
    at: '/board',
    way: { clicks: [page => page.getByRole('button', { name: /: switch workspace$/ })] },
    shows: heading(/workspace/i)
  }
]
