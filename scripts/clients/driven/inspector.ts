import { withBrowser } from '../browser.ts'
import { callsOf, type Task } from '../task.ts'
import { run, type World } from '../world.ts'
import type { DrivenClient } from './client.ts'

/** It signs in without a terminal, too, and keeps its tokens where there is no keychain. */
const WITHOUT_DESKTOP = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' }

/** The Inspector has no model: each step of the task is a command. */
async function work(world: World, task: Task, ...options: string[]): Promise<void> {
  const to = ['--server-url', `${world.tracker.url}/v1/mcp`, '--transport', 'http', ...options]
  const inspect = (...args: string[]) => run(world, ['mcp-inspector', '--cli', ...to, '--format', 'json', ...args])
  await inspect('--method', 'tools/list')
  for (const [tool, args] of callsOf(task)) {
    await inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args))
  }
}

export const inspector: DrivenClient = {
  name: 'inspector',
  title: 'MCP Inspector',
  package: '@modelcontextprotocol/inspector',
  command: 'mcp-inspector',
  // One way for each era of the protocol.
  byToken: (world, task) =>
    work(world, task, '--protocol-era', 'legacy', '--header', `Authorization: Bearer ${world.env['TRACKER_TOKEN']}`),
  byOauth: (plain, task) =>
    withBrowser(plain, world =>
      work({ ...world, env: { ...world.env, ...WITHOUT_DESKTOP } }, task, '--protocol-era', 'modern')
    )
}
