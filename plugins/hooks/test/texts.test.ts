import t from 'tap'
import { listedTools } from '../../../test/guide-text.ts'
import { WrittenText } from '../../../core/text/written-text.ts'
import { testServer } from '../../../test/runner/harness.ts'
import { TOOLSETS } from '../../mcp/contract.ts'
import { answersText, listText, reminderText, startText } from '../texts.ts'

/* Hooks do not know the tools in their agent's list: their texts must be true with each list. */

const issue = { key: 'ENG-1', title: 'One', criteriaMet: 0, criteriaTotal: 2, hasLapsed: true, inProgress: 3 }
const answer = { key: 'ENG-1', question: 'Which?', by: 'Ada', isWithdrawn: false, answer: 'This.' }
const written = new WrittenText()
const TEXTS = [
  startText([issue], [{ key: 'ENG-2', holder: 'Ada' }], 'session-1', written),
  listText([issue], written),
  reminderText([issue], written),
  answersText([answer, { ...answer, isWithdrawn: true }, { ...answer, answer: null }], written)
].join('\n')

t.test('each list has the tools and arguments that the texts tell an agent to use', async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const all = await listedTools(server, 'all')
  const takesSession = all.filter(({ input }) => 'session' in input.properties).map(({ name }) => name)
  t.match(TEXTS, /send it as session with its tools/)
  for (const toolset of TOOLSETS) {
    const tools = await listedTools(server, toolset)
    for (const { name, input } of tools) {
      t.equal('session' in input.properties, takesSession.includes(name), `${name} of ${toolset} takes a session`)
    }
    const unlisted = all.filter(({ name }) => !tools.some(tool => tool.name === name))
    t.strictSame(
      unlisted.filter(({ name }) => name.includes('_') && TEXTS.includes(name)),
      []
    )
  }
})
