import t from 'tap'
import { testServer } from '../../../test/harness.ts'

t.test('an agent gets work done with keys and names alone', async t => {
  const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'projects', 'comments', 'search', 'mcp'] })
  t.after(() => server.close())
  const call = async (name: string, args: object) => {
    const answer = await server.call('/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, headers: { accept: 'application/json, text/event-stream' } })
    return answer.json().result
  }
  t.match(await call('create_task', { title: 'Crash', description: 'It crashes.' }), { isError: true, content: [{ text: /acceptance criteria/ }] })
  await call('create_project', { name: 'Stability' })
  t.match(await call('create_task', { title: 'Crash', description: 'It crashes.', acceptanceCriteria: ['no crash', 'a test'], labels: ['bug'], project: 'stability' }), { structuredContent: { key: 'ENG-1', labels: ['Bug'] } })
  t.match(await call('pick_up_task', { task: 'eng-1' }), { structuredContent: { state: 'In Progress' } })
  t.match(await call('update_task', { task: 'ENG-1', state: 'Dne' }), { isError: true, content: [{ text: /no state 'Dne'; did you mean 'Done'\? There are: .*In Progress/ }] })
  await call('update_task', { task: 'ENG-1', met: ['no crash'] })
  t.match(await call('list_tasks', { assignee: 'me', project: 'Stability' }), { structuredContent: { total: 1, tasks: [{ key: 'ENG-1' }] } })
  t.match(await call('search_tasks', { query: 'ENG-1' }), { structuredContent: { tasks: [{ key: 'ENG-1' }] } })
  t.match(await call('close_task', { task: 'ENG-1', resolution: 'Mended.' }), { structuredContent: { state: 'Done', unmet: ['a test'] } })
  t.match(await call('get_task', { task: 'ENG-1' }), { structuredContent: { state: { name: 'Done' }, comments: [{ bodyMarkdown: 'Mended.' }] } })
})
