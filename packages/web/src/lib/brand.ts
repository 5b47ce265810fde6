import type { PublicBrand } from '@carillon/contract/brands'
import { useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { currentUser } from './session.ts'
import type { Theme } from './theme.ts'
import { nameProduct } from './title.ts'

/** Default brand, used if none is set or the request failed. */
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
 * Loads the brand of this host name, and again after sign-in: then the account's brand applies, whatever the host. A failed
 * request keeps the current brand.
 */
export async function loadBrand(): Promise<void> {
  const token = currentUser()?.token ?? ''
  if (askedAs === token) return
  askedAs = token
  const found = await call(token ? 'brand.current' : 'brand.ofHost', {}).catch(() => undefined)
  // Another account has signed in meanwhile, and loads its own brand.
  if (askedAs === token) show(found ?? brand ?? own)
}

/** After a change of the caller's own brand. */
export function reloadBrand(): Promise<void> {
  askedAs = undefined
  return loadBrand()
}

/** Undefined until the first response, so that no other name flashes. */
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

/** A constructed style sheet, because the content security policy allows no other generated style. */
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

/** Derives a brand's design tokens from its colour; contrast is validated when the colour is saved. */
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
