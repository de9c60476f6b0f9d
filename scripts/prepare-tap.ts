/*
 * Run first by `npm test`: builds tap with the plugins of `.taprc`, if it is built with others. tap does that itself,
 * but not for the process that runs the test files; and each build takes six seconds of a processor.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

const { plugin: names } = parse(readFileSync('.taprc', 'utf8')) as { plugin: string[] }
const built = new Set(t.pluginSignature.split('\n'))
const isBuilt = names.every(name => (name.startsWith('!') ? !built.has(name.slice(1)) : built.has(name)))
if (!isBuilt) execFileSync('tap', ['build'], { stdio: 'inherit' })
