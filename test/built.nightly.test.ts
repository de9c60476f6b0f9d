import t from 'tap'
import { assertPasses, buildServer } from './built-server.ts'

buildServer(t)

/* Starts as processes, and tools of agents. */
assertPasses(t, 'test/first-start.test.ts')
assertPasses(t, 'plugins/mcp/test/tools.test.ts')
