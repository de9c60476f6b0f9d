import { withBrowser } from '../browser.ts'
import { run, type World } from '../world.ts'
import { PROMPT, type DrivenClient } from './client.ts'

const modelEnv = (modelUrl: string) => ({
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'fake-key',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // It begins without the servers that are slow to connect; the fake model does not wait for them.
  MCP_CONNECTION_NONBLOCKING: 'false',
  MCP_TIMEOUT: '120000'
})
const work = (world: World, ...options: string[]) =>
  run(world, ['claude', '-p', PROMPT, ...options, '--allowedTools', 'mcp__tracker'], {
    env: modelEnv(world.model.url)
  })

export const claudeCode: DrivenClient = {
  name: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  command: 'claude',
  async byToken(world) {
    await world.tracker.connect('claude-code', world.folder, world.env)
    await work(world, '--mcp-config', '.mcp.json')
  },
  async byOauth(world) {
    await run(world, ['claude', 'mcp', 'add', '--transport', 'http', 'tracker', `${world.tracker.url}/v1/mcp`])
    await withBrowser(world, world => run(world, ['claude', 'mcp', 'login', 'tracker'], { terminal: true }))
    await work(world)
  },
  runnerEnv: async ({ model }) => modelEnv(model.url)
}
