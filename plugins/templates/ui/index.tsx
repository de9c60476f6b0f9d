import { hasAllWords } from '../../../lib/words/fold.ts'
import { createFillings, openCreate } from '../../issues/ui/contract.ts'
import { finders, go, commands, liveQueries, settingsTabs, type Part } from '../../ui/browser/contract.ts'
import { fetchTemplates } from './data.ts'
import { TemplateChoice } from './template-choice.tsx'

const NEW = 'New issue from template'

const part: Part = ({ contribute }) => {
  contribute(createFillings, TemplateChoice)
  contribute(finders, {
    section: 'Templates',
    async find(text, _signal, client) {
      const templates = await fetchTemplates(client)
      return templates
        .filter(({ name }) => hasAllWords(`${NEW}: ${name}`, text))
        .map(template => ({
          id: template.id,
          title: `${NEW}: ${template.name}`,
          run: () => openCreate({ filling: template })
        }))
    }
  })
  contribute(commands, {
    id: 'templates.settings',
    title: 'Templates for issues…',
    words: 'create new add template',
    section: 'Issues',
    run: () => go('/settings/templates')
  })
  contribute(settingsTabs, {
    path: 'templates',
    title: 'Templates',
    words: 'create new add issue',
    order: 45,
    load: () => import('./templates.tsx')
  })
  for (const events of ['issue_template.', 'label.', 'team.']) {
    contribute(liveQueries, { events, queries: ['issue_templates'] })
  }
}
export default part
