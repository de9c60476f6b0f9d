import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  withoutEvents: { 'POST /v1/mcp': 'the requests of its tools are logged as theirs' },
  withoutLocks: ['POST /v1/mcp'],
  notCounted: { 'POST /v1/mcp': 'its tools are counted' },
  openToRuns: { 'POST /v1/mcp': 'each tool uses routes that check it' }
}
