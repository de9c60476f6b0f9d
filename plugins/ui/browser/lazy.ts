import { createElement, lazy, type ComponentType, type ReactElement } from 'react'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

const components = new WeakMap<object, unknown>()

export function lazyElement<P extends object>(load: Load<P>, props: P): ReactElement {
  const known = (components.get(load) ?? lazy(() => load().catch(forget))) as ComponentType<P>
  components.set(load, known)
  /** A failed load, without a connection, is retried the next time. */
  function forget(): never {
    components.delete(load)
    throw new Error('This page could not be loaded: reload it when you are online.')
  }
  return createElement(known, props)
}
