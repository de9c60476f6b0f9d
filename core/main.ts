import { installed } from '../plugins/index.ts'
import { run } from './run.ts'

await run(installed)
