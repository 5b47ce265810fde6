import { currentUser } from './session.ts'

/** An unfinished form stored in this browser for the account. */
export type FormDraft<Form> = {
  form: Form
  savedAt: number
  /** The server's version the form is based on; another version means a conflict. */
  base: string
}

/** `browser`: survives closing the tab. `tab`: survives a reload only. */
export type DraftStorage = 'browser' | 'tab'

const retentionDays = 30

export function readFormDraft<Form extends object>(name: string, like: Form): FormDraft<Form> | undefined {
  const kept = read(localStorage, name) ?? read(sessionStorage, name)
  if (!isSaved<Form>(kept)) return undefined
  const isOld = Date.now() - kept.savedAt > retentionDays * 86_400_000
  // A form saved by an earlier version of the product may lack fields.
  const isWhole = Object.keys(plain(like)).every((key) => key in kept.form)
  if (isOld || !isWhole) return undefined
  return { ...kept, form: { ...like, ...kept.form } }
}

/** False if the browser allows no storage, or it is full. */
export function saveFormDraft(name: string, kept: FormDraft<object>, place: DraftStorage): boolean {
  deleteFormDraft(name)
  try {
    storeOf(place).setItem(keyOf(name), JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

export function deleteFormDraft(name: string) {
  for (const place of ['browser', 'tab'] as const) {
    try {
      storeOf(place).removeItem(keyOf(name))
    } catch {
      // Without storage there is nothing to delete.
    }
  }
}

function storeOf(place: DraftStorage): Storage {
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

/** As restored from storage: without undefined values. */
function plain(form: object): object {
  return JSON.parse(JSON.stringify(form)) as object
}

function isSaved<Form>(value: unknown): value is FormDraft<Form> {
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
