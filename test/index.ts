/* `tracker/test`: what tests of plugins that are packages of their own may use. */
export { testServer, type Call, type TestServer } from './runner/harness.ts'
export { callTool } from './runner/call-tool.ts'
