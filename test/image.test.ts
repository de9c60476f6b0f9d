import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { testServer } from './runner/harness.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const instructions = read('Dockerfile').replaceAll('\\\n', '').split('\n')
/** The command of an instruction in the form of a list. */
const commandOf = (instruction: RegExp): string[] => {
  const line = instructions.find(line => instruction.test(line))!
  return JSON.parse(line.slice(line.indexOf('['))) as string[]
}

t.test('the base of the image is named by its digest, and is the Node that the tests run on', t => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } }
  const bases = instructions.filter(line => /^FROM /.test(line) && !/^FROM (?:base|dependencies|build)\b/.test(line))
  t.strictSame(bases, [['FROM $', '{BASE} AS base'].join('')])
  const [base] = instructions.filter(line => line.startsWith('ARG BASE='))
  t.match(base, new RegExp(`^ARG BASE=node:${devDependencies.node}-\\S+@sha256:[0-9a-f]{64}$`))
  t.end()
})

t.test('process 1 of the image collects the processes that others leave behind', t => {
  t.strictSame(commandOf(/^ENTRYPOINT /), ['tini', '--'])
  t.end()
})

t.test('the image starts the server as npm start does, from what is built', t => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const [, variable] = /^ENV (MALLOC_\S+)$/.exec(instructions.find(line => line.startsWith('ENV MALLOC_'))!)!
  const command = `${variable} exec ${commandOf(/^CMD /).join(' ')}`
  t.equal(command, scripts.start.replace('core/main.ts', 'core/main.js'))
  t.end()
})

t.test('the health check of the image finds out whether a server answers, without a Node process', async t => {
  const [command, ...args] = commandOf(/^HEALTHCHECK /)
  const check = (port: number) =>
    new Promise<number>(resolve => {
      execFile(command!, args, { env: { PATH: process.env['PATH'], PORT: String(port) } }, error =>
        resolve(error === null ? 0 : Number(error.code))
      )
    })
  t.notMatch([command, ...args].join(' '), /\bnode\b/)
  const server = await testServer({ plugins: ['workspace', 'issues'] })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  t.equal(await check(port), 0)
  await server.app.close()
  t.equal(await check(port), 1)
})
