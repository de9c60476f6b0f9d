import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBrowser } from '../browser.ts'
import { makeFolder, run, type World } from '../world.ts'
import { PROMPT, type DrivenClient } from './client.ts'

const modelConfig = (modelUrl: string) =>
  `model = "fake-model"
model_provider = "fake"
# There may be no keyring.
mcp_oauth_credentials_store = "file"

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
`

async function configure(world: World): Promise<World> {
  const home = await makeFolder(world.folder, '..', 'codex')
  await writeFile(join(home, 'config.toml'), modelConfig(world.model.url))
  return { ...world, env: { ...world.env, CODEX_HOME: home, FAKE_KEY: 'fake' } }
}
const work = (world: World, ...options: string[]) => run(world, ['codex', 'exec', '--trust', ...options, PROMPT])

export const codex: DrivenClient = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  command: 'codex',
  async byToken(plain) {
    const world = await configure(plain)
    await world.tracker.connect('codex', world.folder, world.env)
    await work(world)
  },
  async byOauth(plain) {
    const world = await configure(plain)
    // It signs in at once, when the server offers OAuth.
    const add = ['codex', 'mcp', 'add', 'tracker', '--url', `${world.tracker.url}/v1/mcp`]
    await withBrowser(world, world => run(world, add))
    await work(world, '-c', 'mcp_servers.tracker.default_tools_approval_mode="approve"')
  },
  runnerEnv: async world => (await configure(world)).env
}
