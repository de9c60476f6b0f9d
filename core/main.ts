import { installed } from '../plugins/index.ts'
import { run } from './cli/run-server.ts'

await run(installed)
