import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBrowser } from '../browser.ts'
import { makeFolder, run, type World } from '../world.ts'
import { PROMPT, type DrivenClient } from './client.ts'

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false }
}

async function configure(world: World, settings: object = {}): Promise<World> {
  const folder = await makeFolder(world.env['HOME']!, '.gemini')
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }))
  const env = {
    GEMINI_API_KEY: 'fake-key',
    GOOGLE_GEMINI_BASE_URL: world.model.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true'
  }
  return { ...world, env: { ...world.env, ...env } }
}
// A model by name, or it asks another model which one fits.
const work = (world: World) => run(world, ['gemini', '--model', 'gemini-2.5-pro', '-p', PROMPT])

export const gemini: DrivenClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  command: 'gemini',
  async byToken(plain) {
    const world = await configure(plain)
    await world.tracker.connect('gemini', world.folder, world.env)
    await work(world)
  },
  async byOauth(plain) {
    const tracker = { httpUrl: `${plain.tracker.url}/v1/mcp`, trust: true }
    const world = await configure(plain, { mcpServers: { tracker } })
    await withBrowser(world, signIn)
    await work(world)
  }
}

const CLEAR_LINE = '\x15'
const ENTER = '\r'
/** The keys, a step at a time: the first enter may only accept a completion, and a busy client drops keys. */
const KEYS = [CLEAR_LINE, '/mcp auth tracker', ENTER, ENTER, '', '', '']
const KEY_INTERVAL_MS = 3_000

/** Only the interactive client signs in: by the command `/mcp auth`. */
async function signIn(world: World): Promise<void> {
  let typing: NodeJS.Timeout | undefined
  await run(world, ['gemini', '--model', 'gemini-2.5-pro'], {
    terminal: true,
    until: /reloaded tools for/,
    onOutput(output, type) {
      if (typing !== undefined || !/Type your message/.test(output)) return
      let step = 0
      typing = setInterval(() => type(KEYS[step++ % KEYS.length]!), KEY_INTERVAL_MS)
    }
  }).finally(() => clearInterval(typing))
}
