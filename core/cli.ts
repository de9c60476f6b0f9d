import { installed } from '../plugins/index.ts'
import { runCommandLine } from './cli/run-command.ts'

/* `npm run tracker -- NAME …` */
await runCommandLine(installed, process.argv.slice(2))
