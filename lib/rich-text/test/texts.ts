/** A typical task of an agent, with most kinds of markup; about 2 KB. */
export const agentText = `## Problem

The \`POST /v1/issues\` endpoint returns **500** when \`labelIds\` holds a label of another team. \
See https://example.com/logs/42 and ENG-12; @anna saw it too.

### Steps to reproduce

1. Create a team \`ENG\` and a team \`OPS\`.
2. Create a label *Bug* in \`OPS\`.
3. Send this:

\`\`\`json
{ "title": "x", "teamId": "ENG", "labelIds": ["0190-aaaa"] }
\`\`\`

| Field | Expected | Actual |
| --- | :---: | ---: |
| status | 404 | 500 |
| body | \`{"code":"NOT_FOUND"}\` | \`a \\| b\` |

> The stack ends in \`snake_case_name\` at C:\\Users\\me\\src\\index.ts,
> which is odd.

## Acceptance criteria

- [ ] A label of another team is a 404 that names the label
- [x] The error has a \`code\`
  - [ ] and a message
  - [ ] and **no** stack
- [ ] Tests cover [the matrix](https://example.com/matrix "Matrix")

## Notes

It's likely that \`queries.ts\` does 2 * 3 lookups; the _second_ one ignores \`team_id\`. \
~~Not~~ reproducible on main. Line one
line two with a soft break and a hard\\
break.

<details><summary>Logs</summary>

    ERROR: boom

</details>

What was tried: turning the cache off (no change), an older build (same), \
and a request without \`labelIds\`, which works.
The label check in \`assertLabels()\` compares ids only; the team is joined *after* it. A fix could be one condition:
\`where team_id = :team\`. Nobody else uses that function, as far as \`grep -r assertLabels\` shows.
`

/** Texts that trackers are known to mangle. */
export const texts: Record<string, string> = {
  'an ordinary task': agentText,
  'nested tasks': '- [ ] a\n  - [x] b\n    1. [ ] c\n\n       more\n- [X] d\n* [ ] e\n',
  'a table with pipes in code': '| a | b |\n|---|:-:|\n| `x \\| y` | \\| |\n| c |\n',
  'fences in fences': '````md\n```js\nx\n```\n````\n\n~~~\n```\n~~~\n\n- ```\n  in item\n  ```\n',
  'what looks like footnotes': 'A claim[^1] and [another].\n\n[^1]: Its source.\n',
  mentions: '@name did ENG-12, see #34 and !56 & ~label.\n',
  'Windows paths': 'C:\\Users\\me\\*.ts and \\\\server\\share\\_x_\n',
  'Windows line ends': '# a\r\n\r\n- b\r\n- c\r\n\r\n\r\nd\r\ne',
  'hard breaks': 'a  \nb\\\nc<br>d\n',
  'lists that start anywhere': '7. a\n8. b\n\ntext\n\n0) c\n1) d\n\n000. e\n',
  'lists side by side': '- a\n- b\n\n* c\n\n1. d\n\n1) e\n',
  'loose and tight lists': '- a\n\n- b\n\n  c\n\ntext\n\n1. d\n   - e\n2. f\n',
  'quotes with code': '> a\n>\n>     code\n>\n> ```\n> x\n> ```\n> > nested\nlazy\n',
  'HTML details':
    '<details>\n<summary>Logs</summary>\n\n```\nx\n```\n\n</details>\n\na <kbd>Ctrl</kbd> <!-- note --> b\n',
  'HTML in items': '- a\n  <div>b</div>\n- [ ]\n  <p>\n\ntext\n\n- c\n\n  <b>\n',
  emoji: '👩‍👩‍👧 **🎉done🎉** 🇩🇪 :tada:\n',
  'right to left': 'שלום **עולם** עם `קוד`\n\n- مرحبا\n',
  'names in snake case': 'snake_case_name __init__ _private a_b *c_d*\n',
  'literal stars and underscores': '2 * 3 * 4, \\*not em\\*, 5*6*7, a\\_b, ** x **\n',
  addresses:
    'https://a.b/c_d?e=f&g=h#i, (www.x.yz) <https://q.r> me@x.yz. [t](http://a.b/(c) "d \\"e\\"") `http://n.o`\n',
  references: "[a][b], [b], ![c][b]\n\n[b]: <http://x.y> 't'\n",
  headings: 'One\n===\n\nTwo\nlines\n---\n\n### three ###\n#\n',
  rules: '***\n- - -\n___\n',
  'indented code': '    a\n\n      b\n\n- c\n\n      d\n',
  'nested emphasis': '***a** b* **c*d*** ~~e **f**~~ *g _h_* ____i____\n',
  'links beside links': '[a](x)[a](x) [](y) [![i](j)](k)\n',
  references_to_characters: '&copy; &#10; &lt;b&gt; &amp;amp; &nbsp;a\n',
  'blank lines everywhere': '\n\n\na\n\n\n\n# b\nc\n\n\n',
  nothing: ''
}
