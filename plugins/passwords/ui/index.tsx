import { settingsTabs, signInForms, type Part } from '../../ui/browser/contract.ts'
import { PasswordForm } from './form.tsx'

const part: Part = ({ contribute }) => {
  contribute(settingsTabs, {
    path: 'password',
    title: 'Password',
    words: 'change security sessions',
    order: 80,
    load: () => import('./account.tsx')
  })
  contribute(signInForms, { id: 'passwords', order: 10, component: PasswordForm })
}
export default part
