import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import graphql from 'highlight.js/lib/languages/graphql'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Span } from './messages.ts'

/* Their aliases are known, too: `ts`, `py`, `sh`, `html`, `toml`. */
const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, graphql, ini, java, javascript, json, kotlin, makefile },
  ...{ markdown, php, powershell, python, ruby, rust, shell, sql, swift, typescript, xml, yaml }
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** The colours of scopes, as `--code-…` in tokens.css. Scopes that are not here have the colour around them. */
const COLOURS: Record<string, string> = {
  ...colour('comment', 'comment', 'quote'),
  ...colour('keyword', 'keyword', 'selector-tag', 'doctag', 'deletion'),
  ...colour('string', 'string', 'regexp', 'link', 'addition', 'char'),
  ...colour('value', 'number', 'literal', 'variable', 'attr', 'attribute', 'symbol', 'bullet', 'template-variable'),
  ...colour('name', 'title', 'section', 'name', 'selector-class', 'selector-id'),
  ...colour('type', 'type', 'built_in', 'class', 'meta'),
  ...colour('', 'subst', 'params')
}
function colour(name: string, ...scopes: string[]): Record<string, string> {
  return Object.fromEntries(scopes.map(scope => [scope, name]))
}

/** The library's output is HTML: elements of one kind, and text. */
const PART = /<span class="hljs-([\w-]+)(?:\s[^"]*)?">|<span[^>]*>|<\/span>|&#?\w+;|[^<&]+/g

export function spansOf(code: string, language: string): Span[] {
  if (!hljs.getLanguage(language)) return []
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true })
  const spans: Span[] = []
  const colours: string[] = []
  let at = 0
  for (const [part, scope = ''] of value.matchAll(PART)) {
    const around = colours.at(-1) ?? ''
    if (part.startsWith('<span')) colours.push(COLOURS[scope] ?? around)
    else if (part === '</span>') colours.pop()
    else {
      const to = at + (part.startsWith('&') ? 1 : part.length)
      const before = spans.at(-1)
      if (before?.to === at && before.colour === around) before.to = to
      else if (around !== '') spans.push({ from: at, to, colour: around })
      at = to
    }
  }
  return spans
}
