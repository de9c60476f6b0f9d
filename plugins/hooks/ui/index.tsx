import { agentSettings, connectGuides } from '../../agents/ui/contract.ts'
import { timelineSources } from '../../issues/ui/contract.ts'
import { commands, go, pages, startSteps, type Part } from '../../ui/browser/contract.ts'
import { reminderSource } from './timeline.tsx'

const part: Part = ({ contribute }) => {
  contribute(timelineSources, reminderSource)
  contribute(connectGuides, { load: () => import('./connect/guide.tsx') })
  contribute(agentSettings, { load: () => import('./connect/link.tsx') })
  contribute(pages, { path: '/connect', title: 'Connect a client', load: () => import('./connect/page.tsx') })
  contribute(startSteps, { order: 30, load: () => import('./connect/step.tsx') })
  contribute(commands, {
    id: 'connect',
    title: 'Connect a client',
    words: 'agent mcp claude codex cursor gemini vs code',
    section: 'Go',
    run: () => go('/connect')
  })
}
export default part
