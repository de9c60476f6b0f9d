import t from 'tap'
import { assertLoopTurns } from './written-texts.ts'

t.test('the longest texts keep nobody waiting, either', t => assertLoopTurns(t, [1024 * 1024]))
