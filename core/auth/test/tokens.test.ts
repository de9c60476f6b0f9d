import { crc32 } from 'node:zlib'
import t from 'tap'
import { hashToken, isWellFormedToken, newToken } from '../tokens.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

t.test('a token is trk_, 40 random characters, and their CRC-32 in base62', async t => {
  for (let n = 0; n < 200; n++) {
    const token = newToken()
    t.match(token, /^trk_[0-9A-Za-z]{46}$/)
    const sum = [...token.slice(44)].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)
    if (sum !== crc32(Buffer.from(token.slice(4, 44)))) t.fail(token)
  }
  t.equal(new Set(Array.from({ length: 1000 }, newToken)).size, 1000)
  t.equal(hashToken(newToken()).length, 32)
})

t.test('a typo is noticed without asking anybody', async t => {
  const token = newToken()
  t.ok(isWellFormedToken(token))
  for (let at = 4; at < token.length; at++) {
    const typo = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
    if (isWellFormedToken(typo)) t.fail(typo)
  }
  for (const bad of ['', 'trk_', token.slice(1), token + 'a', token.toLowerCase().replace('trk_', 'TRK_')]) {
    t.notOk(isWellFormedToken(bad), bad)
  }
})
