import t from 'tap'
import { addCriteria, parse, serialize } from '../../../lib/rich-text/index.ts'
import { fill, isOnlyFilled, unfill, type Filling } from '../ui/create/filling.ts'
import { withCriteria } from '../ui/create/with-criteria.ts'

const template: Filling = {
  name: 'Bug report',
  teamId: 'team',
  title: 'Bug',
  descriptionMarkdown: 'What happens.',
  labelIds: ['bug', 'mine'],
  criteria: ['A test', '- [ ] It is in the changelog'],
  priority: 2
}
const EMPTY = { fields: { title: '' }, text: '' }

t.test('criteria are added as the server does it', async t => {
  const texts = [
    '',
    'Some text',
    '- [ ] A test shows it',
    '- [x] a test',
    '## Acceptance criteria\n\n- [ ] Fast\n\n## Notes\n\nNone'
  ]
  for (const text of texts) {
    const { after } = fill({ fields: { title: '' }, text }, template, withCriteria)
    const described = text === '' ? template.descriptionMarkdown : text
    t.equal(after.text, serialize(addCriteria(parse(described), template.criteria)), text)
    t.equal(after.text.match(/## Acceptance/g)?.length, 1, text)
    t.match(after.text, '- [ ] It is in the changelog')
  }
  t.match(fill({ fields: { title: '' }, text: texts[2]! }, template, withCriteria).after.text, /- \[ \] A test$/m)
  t.equal(withCriteria('  as typed ', []), '  as typed ')
})

t.test('what is chosen stays, also “No priority”', async t => {
  const fields = { title: 'Mine', priority: 0, labelIds: ['mine'] }
  const { after } = fill({ fields, text: 'Text' }, { ...template, criteria: [] }, withCriteria)
  t.strictSame(after, {
    fields: { title: 'Mine', teamId: 'team', priority: 0, labelIds: ['mine', 'bug'] },
    text: 'Text'
  })
})

t.test('it can be undone', async t => {
  const change = fill(EMPTY, template, withCriteria)
  t.ok(isOnlyFilled(change.after, change))
  t.equal(JSON.stringify(unfill(change.after, change)), JSON.stringify(EMPTY), 'the empty form')

  const fields = { title: '', labelIds: ['mine'] }
  const more = fill({ fields, text: '' }, template, withCriteria)
  const changed = { ...more.after.fields, title: 'Bug in it', labelIds: ['mine', 'bug', 'other'] }
  t.notOk(isOnlyFilled({ ...more.after, fields: changed }, more))
  t.match(unfill({ ...more.after, fields: changed }, more), {
    fields: { title: 'Bug in it', labelIds: ['mine', 'other'], priority: undefined },
    text: ''
  })
})
