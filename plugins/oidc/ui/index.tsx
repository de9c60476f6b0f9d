import { settingsTabs, signInForms, type Part } from '../../ui/browser/contract.ts'
import { OidcForm } from './form.tsx'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'single-sign-on',
    title: 'Single sign-on',
    order: 85,
    load: () => import('./identities.tsx')
  })
  contribute(signInForms, { id: 'oidc', order: 20, component: OidcForm })
}
export default part
