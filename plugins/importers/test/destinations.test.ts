import t from 'tap'
import { namedIn, withAddresses } from '../attachments/destinations.ts'

const A = 'https://a.example/1'
const addresses = new Map([
  [A, '/v1/files/1/shot%201.png'],
  ['https://a.example/(2)', '/v1/files/2/b.txt'],
  ['dir/c d.png', '/v1/files/3/c.png']
])
const cases: Array<[what: string, markdown: string, expected: string]> = [
  ['an image', `![alt](${A})`, '![alt](/v1/files/1/shot%201.png)'],
  ['an image with a title', `![a](${A} "t")`, '![a](/v1/files/1/shot%201.png "t")'],
  ['a link', `[see *it*](${A}).`, '[see *it*](/v1/files/1/shot%201.png).'],
  ['an image in a link', `[![x](${A})](${A})`, '[![x](/v1/files/1/shot%201.png)](/v1/files/1/shot%201.png)'],
  ['brackets', '[x](https://a.example/(2)) [y](<dir/c d.png>)', '[x](/v1/files/2/b.txt) [y](/v1/files/3/c.png)'],
  ['escaped brackets', '[x](https://a.example/\\(2\\))', '[x](/v1/files/2/b.txt)'],
  [
    'an address',
    `At ${A}, or <${A}>`,
    'At [shot 1.png](/v1/files/1/shot%201.png), or [shot 1.png](/v1/files/1/shot%201.png)'
  ],
  ['a definition', `[x][d]\n\n[d]: ${A} 'title'`, `[x][d]\n\n[d]: /v1/files/1/shot%201.png 'title'`],
  ['an HTML image', `<img alt="x" src='${A}' width=2>`, '![x](/v1/files/1/shot%201.png)'],
  ['a cell', `| a |\n|---|\n| ![x](${A}) |`, '| a |\n|---|\n| ![x](/v1/files/1/shot%201.png) |'],
  ['a longer address', `[x](${A}0) ${A}/2`, `[x](${A}0) ${A}/2`],
  [
    'code',
    `\`${A}\`\n\n    ![x](${A})\n\n\`\`\`\n![x](${A})\n\`\`\``,
    `\`${A}\`\n\n    ![x](${A})\n\n\`\`\`\n![x](${A})\n\`\`\``
  ],
  ['a comment', `<!-- ${A} -->`, `<!-- ${A} -->`]
]
for (const [what, markdown, expected] of cases) {
  t.test(`a text names a file by its address here: ${what}`, async t => {
    t.equal(withAddresses(markdown, addresses), expected)
  })
}

t.test('what a text names, each once', async t => {
  t.strictSame(namedIn(`![x](${A}) [y](${A}) [z](<dir/c d.png>) [w](b?x=1&amp;y=2) \`[c](d)\``), [
    A,
    'dir/c d.png',
    'b?x=1&y=2'
  ])
})
