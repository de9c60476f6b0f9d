import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { jira } from '../jira/index.ts'
import { wikiToMarkdown } from '../jira/text/wiki.ts'
import type { WikiContext } from '../jira/text/wiki-context.ts'
import { codeSpan } from '../markdown.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

const context: WikiContext = {
  attachments: new Map([
    ['shot.png', 'https://j.example/a/1/shot.png'],
    ['log.txt', 'https://j.example/a/2/log.txt']
  ]),
  people: new Map([
    ['ann', 'Ann Lee'],
    ['557058:ab', 'Ben Bold']
  ]),
  mention: (_: string, otherwise: string) => otherwise,
  reference: key => `‹${key}›`
}

/** Each checked by hand against Jira's rendering. */
const CONVERSIONS: ReadonlyArray<readonly [wiki: string, markdown: string]> = [
  ['||Name||Size||\n|a|1|\n|b|2|', '| Name | Size |\n| --- | --- |\n| a | 1 |\n| b | 2 |'],
  ['|a|1|\n|b|2|', '|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |'],
  ['||H1|a|\n||H2|b|', '|  |  |\n| --- | --- |\n| H1 | a |\n| H2 | b |'],
  ['|a b|{{x|y}}|', '|  |  |\n| --- | --- |\n| a b | `x\\|y` |'],
  ['|one\ntwo|x|', '|  |  |\n| --- | --- |\n| one<br>two | x |'],
  ['|a| |c|', '|  |  |  |\n| --- | --- | --- |\n| a |  | c |'],
  [
    '|[text|https://a.example/x]|!shot.png!|',
    '|  |  |\n| --- | --- |\n| [text](https://a.example/x) | ![shot.png](https://j.example/a/1/shot.png) |'
  ],
  ['|{code}if (a) {\n  b()\n}{code}|y|', '|  |  |\n| --- | --- |\n| `if (a) {`<br>`  b()`<br>`}` | y |'],
  ['|a \\| b|c|', '|  |  |\n| --- | --- |\n| a \\| b | c |'],
  ['* a\n* b', '- a\n- b'],
  ['- a\n- b', '- a\n- b'],
  ['# a\n# b', '1. a\n2. b'],
  ['* a\n** b\n*** c\n* d', '- a\n  - b\n    - c\n- d'],
  ['# a\n## b\n# c', '1. a\n   1. b\n2. c'],
  ['# a\n#* b\n#* c\n# d', '1. a\n   - b\n   - c\n2. d'],
  ['* a\n*# b\n*# c', '- a\n  1. b\n  2. c'],
  ['* a\nstill a\n* b', '- a\n  still a\n- b'],
  ['* a {code}x = 1{code}\n* b', '- a\n\n  ```\n  x = 1\n  ```\n- b'],
  ['text before\n* a\ntext', 'text before\n\n- a\n  text'],
  ['{panel}plain{panel}', '> plain'],
  ['{panel:title=Note|borderStyle=dashed}\n* a\n* b\n{panel}', '> **Note**\n>\n> - a\n> - b'],
  ['{panel:title=Code}\n{code}\nx*y*z\n{code}\n{panel}', '> **Code**\n>\n> ```\n> x*y*z\n> ```'],
  ['{quote}said *loudly*{quote}', '> said **loudly**'],
  ['bq. one line', '> one line'],
  ['{code}\na[0] = b * c; // {not} a macro\n{code}', '```\na[0] = b * c; // {not} a macro\n```'],
  ['{code:java|title=Main.java|borderStyle=solid}\nint i;\n{code}', '**Main.java**\n\n```java\nint i;\n```'],
  ['{noformat}\n||no table||\n{noformat}', '```\n||no table||\n```'],
  ['{{a_b*c}} and {{`x`}}', '`a_b*c` and `` `x` ``'],
  ['before {code}inline{code} after', 'before\n\n```\ninline\n```\n\nafter'],
  ['{code}never closed', '{code}never closed'],
  ['{code}```\nfence\n```{code}', '````\n```\nfence\n```\n````'],
  ['{color:red}warning{color}: *{color:#ff0000}hot{color}*', 'warning: **hot**'],
  ['{color:blue}a{color} b {color}c', 'a b c'],
  ['[~ann] and [~accountid:557058:ab] and [~gone]', '@Ann Lee and @Ben Bold and @gone'],
  [
    '!shot.png|thumbnail,width=300! and !https://x.example/i.gif!',
    '![shot.png](https://j.example/a/1/shot.png) and ![](https://x.example/i.gif)'
  ],
  [
    '[^log.txt] and [the log|^log.txt] and [^missing.txt]',
    '[log.txt](https://j.example/a/2/log.txt) and [the log](https://j.example/a/2/log.txt) and missing.txt'
  ],
  ['Stop!No image! here', 'Stop!No image! here'],
  ['[https://a.example/b_c_d]', '<https://a.example/b_c_d>'],
  ['[label *bold*|https://a.example/x(y)]', '[label **bold**](<https://a.example/x(y)>)'],
  ['https://a.example/snake_case_path_.', 'https://a.example/snake_case_path_.'],
  ['[ENG|https://j.example/browse/ENG-12] https://j.example/browse/ENG-13 ENG-14', 'ENG (‹ENG-12›) ‹ENG-13› ‹ENG-14›'],
  ['[#anchor] {anchor:top}x', '[#anchor] x'],
  ['[not a link] [1] a[0]', '[not a link] [1] a[0]'],
  ['*bold* _italic_ -gone- +new+ ??cited??', '**bold** *italic* ~~gone~~ new *cited*'],
  ['2 * 3 * 4 and snake_case_name', '2 \\* 3 \\* 4 and snake_case_name'],
  ['a -b- c x-y-z 10-20', 'a ~~b~~ c x-y-z 10-20'],
  ['*_both_*', '***both***'],
  ['\\*not bold\\* and \\{code}', '\\*not bold\\* and {code}'],
  ['line one\nline two\\\\line three', 'line one\nline two\\\nline three'],
  ['h1. Big\nh3. Small', '# Big\n\n### Small'],
  ['----', '---'],
  ['# not a heading in markdown\n\n1. not a list', '1. not a heading in markdown\n\n1\\. not a list'],
  ['> no quote\n+ no list\n---', '\\> no quote\n\\+ no list\n\\---'],
  ['<b>tag</b> &amp; entity', '\\<b>tag\\</b> \\&amp; entity'],
  ['H~2~O and x^2^', 'H~2~O and x^2^'],
  ['{html}<p>One <b>two</b></p><pre><code>a &lt; b</code></pre>{html}', 'One **two**\n\n```\na < b\n```'],
  ['{html}<table><tr><th>a</th></tr><tr><td>1</td></tr></table>{html}', '| a   |\n| --- |\n| 1   |'],
  ['{unknown:macro}text{unknown}', '{unknown:macro}text{unknown}']
]

t.test('wiki markup becomes markdown that shows the same', async t => {
  for (const [wiki, markdown] of CONVERSIONS) t.equal(wikiToMarkdown(wiki, context), markdown, JSON.stringify(wiki))
})

t.test('a hostile text is converted in time that grows with its length', async t => {
  for (const hostile of ['*a ', '_', '{code}', '[', '!a', '{{', '|', '* ']) {
    t.type(wikiToMarkdown(hostile.repeat(20_000), context), 'string', hostile)
  }
})

t.test('a table of very many rows, and code of very many backticks, are converted', async t => {
  t.equal(wikiToMarkdown('|a|\n'.repeat(200_000), context).split('\n').length, 200_002)
  t.match(codeSpan('` a'.repeat(200_000)), /^`` ` a/)
  t.match(wikiToMarkdown(`{code}\n${'```\n'.repeat(200_000)}{code}`, context), /^````\n```\n/)
})

t.test('the event loop goes on while long texts are converted', async t => {
  const file = join(temporaryFolder(t), 'board.jsonl')
  const description = '*a '.repeat(50_000)
  writeFileSync(file, JSON.stringify({ id: '1', key: 'ENG-1', fields: { summary: 'Long', description } }))
  let turns = 0
  const reading = new AbortController()
  const counted = (async () => {
    for (; !reading.signal.aborted; turns++) await setImmediate()
  })()
  const kinds: string[] = []
  const input = {
    place: file,
    map: {},
    include: new Set<never>(),
    files: undefined,
    token: undefined,
    waitFactor: 1,
    leaveOut: () => {},
    mention: (_: string, otherwise: string) => otherwise,
    reference: (key: string) => key
  }
  for await (const read of jira.read(input)) kinds.push('record' in read ? read.record.kind : 'none')
  reading.abort()
  await counted
  t.strictSame(kinds, ['team', 'issue'])
  t.ok(turns > 1_000, `${turns} turns`)
})
