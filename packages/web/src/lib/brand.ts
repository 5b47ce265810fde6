import type { PublicBrand } from '@carillon/contract/brands'
import { useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { currentUser } from './session.ts'
import type { Theme } from './theme.ts'
import { nameProduct } from './title.ts'

/** The product as itself: what is shown when nobody gave it another face, or the question for one failed. */
const own: PublicBrand = {
  name: 'Carillon',
  color: '#06707e',
  colorDark: '#4fc4d1',
  supportEmail: '',
  supportUrl: '',
  privacyUrl: '',
  certification: '',
  isOwn: true,
  allowsRegistration: false,
}

let brand: PublicBrand | undefined
let askedAs: string | undefined
const listeners = new Set<() => void>()
const sheet = typeof CSSStyleSheet === 'undefined' ? undefined : new CSSStyleSheet()

/**
 * Asks once for the brand of this host name, and again when somebody is signed in: then it is the one he belongs to,
 * whatever the host. A question that fails leaves what was known.
 */
export async function loadBrand(): Promise<void> {
  const token = currentUser()?.token ?? ''
  if (askedAs === token) return
  askedAs = token
  const found = await call(token ? 'brand.current' : 'brand.ofHost', {}).catch(() => undefined)
  // Somebody else has signed in meanwhile, and asked for himself.
  if (askedAs === token) show(found ?? brand ?? own)
}

/** After a change of one's own brand. */
export function reloadBrand(): Promise<void> {
  askedAs = undefined
  return loadBrand()
}

/** Undefined until the first answer: nobody sees another's name for a moment. */
export function useBrand(): PublicBrand | undefined {
  return useSyncExternalStore(listen, () => brand)
}

function show(next: PublicBrand) {
  brand = next
  nameProduct(next.name)
  wear(next)
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A constructed sheet, because the content security policy allows no other style that is made here. */
function wear({ isOwn, color, colorDark }: PublicBrand) {
  if (!sheet) return
  sheet.replaceSync(isOwn ? '' : rulesOf({ color, colorDark }))
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
}

function rulesOf({ color, colorDark }: { color: string; colorDark: string }): string {
  const rules = (colour: string, theme: Theme) =>
    Object.entries(brandTokens(colour, theme))
      .map(([token, value]) => `${token}: ${value};`)
      .join(' ')
  return `:root { ${rules(color, 'light')} } .dark { ${rules(colorDark, 'dark')} }`
}

const grounds = {
  light: { foreground: '#ffffff', ground: '#ffffff', ink: '#000000', tint: 9 },
  dark: { foreground: '#01151a', ground: '#12181c', ink: '#ffffff', tint: 16 },
} as const

/** The tokens that carry a brand, from its colour; whether it can be read was judged when it was chosen. */
export function brandTokens(colour: string, theme: Theme): Record<string, string> {
  const { foreground, ground, ink, tint } = grounds[theme]
  return {
    '--brand': colour,
    '--brand-foreground': foreground,
    '--brand-muted': `color-mix(in oklab, ${colour} ${tint}%, ${ground})`,
    '--brand-text': `color-mix(in oklab, ${colour} 86%, ${ink})`,
    '--ring': colour,
    '--sidebar-primary': colour,
    '--sidebar-primary-foreground': foreground,
    '--sidebar-ring': colour,
  }
}
