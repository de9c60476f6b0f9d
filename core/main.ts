import { enableCompileCache } from 'node:module'

// Before anything else is loaded: from the second start on, nothing needs to be compiled again.
enableCompileCache()
const [{ run }, { installed }] = await Promise.all([import('./run.ts'), import('../plugins/index.ts')])
await run(installed)
