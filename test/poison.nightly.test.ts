import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Supervisor, type Letter } from './poison/supervisor.ts'

t.setTimeout(600_000)
/** A full batch of the consumer `victim`, with the poison in it. */
const namesWith = (poison: string) => Array.from({ length: 16 }, (_, n) => (n === 10 ? poison : `event ${n}`))
/** The first crash, another before the batch is halved, one for each half, one of the event alone, and the start. */
const MAX_STARTS = 2 + Math.log2(16) + 1 + 1

for (const poison of ['exit', 'spin']) {
  t.test(`an event that ends each process (${poison}) is set aside, and the others are handled once`, async t => {
    const server = await Supervisor.start(t)
    const names = namesWith(poison)
    await server.ask('/events', { names })
    const letters = await untilLetters(server)
    t.match(letters, [{ consumer: 'poison/victim', reason: /processes have ended/, event: { data: { name: poison } } }])
    t.equal(letters.length, 1)
    t.ok(letters[0]!.attempts >= 3)
    t.ok(server.starts <= MAX_STARTS, `${server.starts} starts`)
    const harmless = names.filter(name => name !== poison)
    await server.ask('/events', { names: ['later'] })
    while (!(await server.handled('victim')).includes('later')) await sleep(50)
    t.same(await server.handled('victim'), [...harmless, 'later'])
    while (!(await server.handled('bystander')).includes('later')) await sleep(50)
    t.same([...new Set(await server.handled('bystander'))], [...names, 'later'], 'a consumer beside it misses nothing')
  })
}

t.test('a job that ends each process is set aside, and one that ran beside it is done', async t => {
  const server = await Supervisor.start(t)
  await server.ask('/jobs', { names: ['slow', 'kill', 'harmless'] })
  let failed: object[] = []
  while (failed.length === 0) {
    await sleep(100)
    failed = await server.ask<object[]>('/failed')
  }
  t.match(failed, [{ name: 'kill', reason: /3 processes have ended, or hung, while it ran/ }])
  t.equal(server.starts, 4)
  while ((await server.handled('job')).length < 2) await sleep(50)
  // A job that ran beside a crash may run again.
  t.same([...new Set(await server.handled('job'))].toSorted(), ['harmless', 'slow'])

  await server.ask('/jobs', { names: ['kill', 'later'] })
  while (!(await server.handled('job')).includes('later')) await sleep(50)
  while ((await server.ask<object[]>('/failed')).length < 2) await sleep(50)
  await server.restart()
  await server.ask('/jobs', { names: ['kill', 'last'] })
  while ((await server.ask<object[]>('/failed')).length < 3) await sleep(50)
  while (!(await server.handled('job')).includes('last')) await sleep(50)
  t.equal(server.starts, 5, 'and one like it is not run again, by this process nor by the next')
})

async function untilLetters(server: Supervisor): Promise<Letter[]> {
  for (;;) {
    const letters = await server.ask<Letter[]>('/letters')
    if (letters.length > 0) return letters
    await sleep(50)
  }
}
