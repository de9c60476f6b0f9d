import t from 'tap'
import { toolResult } from '../../../test/runner/call-tool.ts'
import type { Harness } from '../contract.ts'
import { TOOL_HARNESSES } from '../tools.ts'
import { ENOUGH, heard, hookServer } from './client.ts'

t.test('the hook tools answer, as text, what the client reads as its hook’s output', async t => {
  const server = await hookServer({ plugins: [...ENOUGH, 'mcp'] })
  t.teardown(() => server.close())
  for (const harness of TOOL_HARNESSES) {
    const { token, begin } = await server.worker(harness)
    const call = (name: string, args: object) => toolResult(server, name, args, token)
    const hook = async (event: 'prompt' | 'stop', as: Harness = harness) => {
      const { content, isError } = await call(event === 'prompt' ? 'hook_prompt_submit' : 'hook_stop', {
        session_id: 's1',
        harness: as
      })
      t.notOk(isError)
      return heard(as, event, JSON.parse(content[0]!.text))
    }
    t.equal(await hook('prompt'), undefined, '{} while nothing is in progress')
    const key = await begin()
    t.match(await hook('prompt'), key)
    t.equal(await hook('prompt'), undefined)
    server.clock.pass(20)
    t.match(await hook('stop'), key)
    t.equal(await hook('stop'), undefined, 'the server’s own rule is the guard against loops')
    t.match(await call('hook_stop', { session_id: 's1', harness: 'emacs' }), {
      isError: true,
      content: [{ text: /claude-code, codex, cursor/ }]
    })
    t.equal(
      await hook(
        'stop',
        TOOL_HARNESSES.find(other => other !== harness)
      ),
      undefined,
      'a session of another client'
    )
  }
})
