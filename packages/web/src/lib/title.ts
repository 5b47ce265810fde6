import { currentSession } from './session.ts'

let product = 'Carillon'
let screen = ''

/** Names the browser's tab: the screen and the product; in another's account a mark before them. */
export function nameTab(title: string) {
  screen = title
  const mark = currentSession().impersonation ? '⟨as⟩ ' : ''
  document.title = screen === '' ? `${mark}${product}` : `${mark}${screen} · ${product}`
}

/** What the product is called here: the brand's name. */
export function nameProduct(name: string) {
  product = name
  nameTab(screen)
}
