import { currentUser } from './session.ts'

/** A form that was not finished, as this browser keeps it for the account. */
export type KeptForm<Form> = {
  form: Form
  savedAt: number
  /** What the server had when it was written: another base means that it was changed meanwhile. */
  base: string
}

/** In the browser a form outlives its tab; in the tab it outlives a reload only. */
export type KeepingPlace = 'browser' | 'tab'

const daysKept = 30

export function readKept<Form extends object>(name: string, like: Form): KeptForm<Form> | undefined {
  const kept = read(localStorage, name) ?? read(sessionStorage, name)
  if (!isKept<Form>(kept)) return undefined
  const isOld = Date.now() - kept.savedAt > daysKept * 86_400_000
  // A form of an earlier version of the product may lack what this one needs.
  const isWhole = Object.keys(plain(like)).every((key) => key in kept.form)
  if (isOld || !isWhole) return undefined
  return { ...kept, form: { ...like, ...kept.form } }
}

/** False where the browser allows no storage, or has no room. */
export function saveForm(name: string, kept: KeptForm<object>, place: KeepingPlace): boolean {
  forgetForm(name)
  try {
    storeOf(place).setItem(keyOf(name), JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

export function forgetForm(name: string) {
  for (const place of ['browser', 'tab'] as const) {
    try {
      storeOf(place).removeItem(keyOf(name))
    } catch {
      // Without storage there is nothing to forget.
    }
  }
}

function storeOf(place: KeepingPlace): Storage {
  return place === 'browser' ? localStorage : sessionStorage
}

function keyOf(name: string): string {
  return `carillon.draft.${currentUser()?.username ?? ''}.${name}`
}

function read(store: Storage, name: string): unknown {
  try {
    return JSON.parse(store.getItem(keyOf(name)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** As storage gives it back: without what is undefined. */
function plain(form: object): object {
  return JSON.parse(JSON.stringify(form)) as object
}

function isKept<Form>(value: unknown): value is KeptForm<Form> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'form' in value &&
    typeof value.form === 'object' &&
    value.form !== null &&
    'savedAt' in value &&
    typeof value.savedAt === 'number' &&
    'base' in value &&
    typeof value.base === 'string'
  )
}
