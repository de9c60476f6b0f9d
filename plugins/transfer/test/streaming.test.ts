import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { transferOf, type Transfer } from '../../../test/transfer.ts'

/** More than two batches, each of 500. */
const LABELS = 1_300
const statements: string[] = []
let transfer: Transfer
t.before(async () => {
  const server = await testServer({
    plugins: ['workspace', 'transfer'],
    onStatement: statement => statements.push(statement)
  })
  t.teardown(() => server.close())
  transfer = await transferOf(server)
})

t.test('an import holds two batches of its lines at most, however many there are', async t => {
  let [read, done, mostHeld] = [0, 0, 0]
  async function* lines() {
    for (let n = 0; n < LABELS; n++) {
      mostHeld = Math.max(mostHeld, ++read - done)
      yield JSON.stringify({ kind: 'label', name: `Label ${n}`, color: '#123456' })
    }
  }
  const report = await transfer.readFrom(lines(), ({ added }) => {
    done = added['label'] ?? 0
  })
  t.equal(report.added['label'], LABELS)
  t.ok(mostHeld <= 1_001, `${mostHeld} lines`)
})

t.test('an export fetches the next records once the last ones are read', async t => {
  let [labels, mostFetched] = [0, 0]
  statements.length = 0
  for await (const line of transfer.lines()) {
    if ((JSON.parse(line) as { kind: string }).kind !== 'label') continue
    if (labels === 0) statements.length = 0
    labels++
    const fetched = statements.filter(statement => statement.includes('from records')).length
    mostFetched = Math.max(mostFetched, fetched * 500 - labels)
    if (labels === 1_200) break
  }
  t.equal(labels, 1_200)
  t.ok(mostFetched < 500, `${mostFetched} records are there before they are read`)
})
