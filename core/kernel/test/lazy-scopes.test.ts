import { asValue, createContainer } from 'awilix'
import t from 'tap'
import { makeScopesLazy } from '../lazy-scopes.ts'

t.test('a scope is made when something is asked of it, with what was registered in it before', async t => {
  const container = createContainer()
  const createScope = container.createScope
  let made = 0
  container.createScope = () => {
    made++
    return createScope()
  }
  makeScopesLazy(container.register({ service: asValue('service') }))

  const scope = container
    .createScope()
    .register({ caller: asValue('ada') })
    .register('session', asValue('one'))
  const other = container.createScope().register({ caller: asValue('bob') })
  t.equal(made, 0)
  t.strictSame([scope.resolve('caller'), scope.cradle['session'], scope.resolve('service')], ['ada', 'one', 'service'])
  t.equal(made, 1)
  scope.register({ late: asValue('late') })
  t.equal(scope.resolve('late'), 'late')
  t.equal(other.resolve('caller'), 'bob')
  t.notOk(container.hasRegistration('caller'), 'the container itself has none of it')
})
