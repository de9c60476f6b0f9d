import { enableCompileCache } from 'node:module'

/* `npm run tracker -- NAME …` */

// As in main.ts: before anything else is loaded.
enableCompileCache()
const [{ runCommandLine }, { installed }] = await Promise.all([
  import('./run-command.ts'),
  import('../plugins/index.ts')
])
await runCommandLine(installed, process.argv.slice(2))
