import { button, field, heading, property, type Task, type User } from './user.ts'

async function pageOf(user: User, name: string): Promise<string> {
  const { id } = (await user.read<Array<{ id: string; name: string }>>('/v1/projects')).find(it => it.name === name)!
  return `/projects/${id}`
}
const reliable = (user: User) => pageOf(user, 'Reliable export')

/** To plan, and to see how it goes. */
export const planningTasks: readonly Task[] = [
  {
    wants: 'Begin a project',
    at: '/board',
    way: { words: 'new project', row: 'Create project' },
    async act(user) {
      await user.type(field('Name'), 'The new import')
      await user.press('Enter')
    },
    shows: heading('The new import')
  },
  {
    wants: 'Put an issue into a project',
    at: '/issue/ENG-14',
    way: { words: 'project', row: 'Change project…' },
    act: user => user.choose('Project', 'Reliable export'),
    shows: page => property('Project')(page).filter({ hasText: 'Reliable export' })
  },
  {
    wants: 'Add a milestone',
    at: reliable,
    way: { clicks: [field('Name of a new milestone')] },
    async act(user) {
      await user.type(field('Name of a new milestone'), 'First customers')
      await user.press('Enter')
    },
    shows: field('Name of the milestone First customers')
  },
  {
    wants: 'Say how a project stands',
    at: reliable,
    way: { clicks: [button('Write an update')] },
    async act(user) {
      await user.write('Update', 'It goes well.')
      await user.click(button('Post update'))
    },
    shows: page => page.getByRole('list', { name: 'Updates' }).getByText('It goes well.')
  },
  {
    wants: 'Begin a cycle',
    at: '/board',
    way: { words: 'new sprint', row: 'Create cycle' },
    async act(user) {
      await user.type(field('Name'), 'Next fortnight')
      await user.press('Enter')
    },
    shows: heading('Next fortnight')
  },
  {
    wants: 'See whether the cycle will hold',
    at: '/board',
    way: { words: 'sprint', row: 'Go to Cycles' },
    act: user => user.click(page => page.getByRole('link', { name: 'This fortnight' })),
    shows: page => page.getByRole('main').getByRole('figure')
  },
  {
    wants: 'See all projects on a line of time',
    at: '/board',
    way: { words: 'timeline', row: 'Go to Roadmap' },
    shows: heading('Roadmap')
  },
  {
    wants: 'See how much gets done',
    at: '/board',
    way: { words: 'reports', row: 'Go to Insights' },
    shows: page => page.getByRole('figure', { name: 'Created and completed' })
  },
  {
    wants: 'Write down what everybody should know',
    at: '/board',
    way: { words: 'knowledge', row: 'Go to Knowledge' },
    async act(user) {
      await user.write('Entry text', 'The staging server is restarted at noon.')
      await user.click(button('Add entry'))
    },
    shows: page => page.getByRole('main').getByText('The staging server is restarted at noon.')
  },
  {
    wants: 'Let an agent do it',
    at: '/issue/ENG-7',
    way: { words: 'delegate', row: 'Delegate to the agent' },
    shows: heading('Run of ENG-7')
  },
  {
    wants: 'See what agents do now',
    at: '/board',
    way: { words: 'agents', row: 'Go to Agents' },
    shows: page => page.getByRole('listitem', { name: 'Brook' })
  }
]
