import t from 'tap'
import { assertLoopTurns } from './written-texts.ts'

t.test('a text that is written keeps nobody waiting, converted in the loop or in a thread', t =>
  assertLoopTurns(t, [4 * 1024, 64 * 1024])
)
