import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBrowser } from '../browser.ts'
import { run, type World } from '../world.ts'
import { PROMPT, type DrivenClient } from './client.ts'

const modelEnv = (modelUrl: string) => ({
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    autoupdate: false,
    share: 'disabled',
    // A commit of the folder before and after each step.
    snapshot: false,
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'fake' },
        models: { 'fake-model': { name: 'Fake' } }
      }
    }
  })
})
const work = (world: World) => run(world, ['opencode', 'run', PROMPT], { env: modelEnv(world.model.url) })

export const opencode: DrivenClient = {
  name: 'opencode',
  title: 'opencode',
  package: 'opencode-ai',
  command: 'opencode',
  async byToken(world) {
    await world.tracker.connect('opencode', world.folder, world.env)
    await work(world)
  },
  async byOauth(world) {
    const mcp = { tracker: { type: 'remote', url: `${world.tracker.url}/v1/mcp` } }
    await writeFile(join(world.folder, 'opencode.json'), JSON.stringify({ mcp }))
    await withBrowser(world, world => run(world, ['opencode', 'mcp', 'auth', 'tracker'], { terminal: true }))
    await work(world)
  },
  runnerEnv: async ({ model }) => modelEnv(model.url)
}
