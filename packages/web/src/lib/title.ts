import { useEffect, useSyncExternalStore } from 'react'
import { currentSession } from './session.ts'

let product = 'Carillon'
let screen = ''
let record: string | undefined
const listeners = new Set<() => void>()

/** Sets the tab title: screen and product; with a mark during impersonation. */
export function nameTab(title: string) {
  screen = title
  const mark = currentSession().impersonation ? '⟨as⟩ ' : ''
  document.title = screen === '' ? `${mark}${product}` : `${mark}${screen} · ${product}`
}

/** Sets the title of a screen about one record, in the tab and the breadcrumbs: 'Edit order_update'. */
export function nameProduct(name: string) {
  product = name
  nameTab(screen)
}

/** Title of a screen about one record, in the tab and the breadcrumbs: 'Edit order_update'. */
export function useScreenName(name: string) {
  useEffect(() => {
    nameTab(name)
    changeRecord(name)
    return () => changeRecord(undefined)
  }, [name])
}

/** The title set by the screen, if it is about one record. */
export function useRecordName(): string | undefined {
  return useSyncExternalStore(listen, () => record)
}

function changeRecord(name: string | undefined) {
  record = name
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
