import { assertPasses } from './built-server.ts'

/* Starts as processes, and tools of agents. */
assertPasses('test/first-start.test.ts')
assertPasses('plugins/mcp/test/tools.test.ts')
