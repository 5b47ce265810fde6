/** The element focused last; for a menu its button, because the menu is gone when its action is done. */
let latest: HTMLElement | undefined
let isLeadingBack = false
/** For each panel, the element focused before it opened. */
const openers = new WeakMap<EventTarget, HTMLElement>()

/** Panels restore the focus themselves, shortly after closing. */
const graceMs = 60

/** Tracks the focus, and restores it when the focused element disappears; returns the stop function. */
export function watchFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const losses = new MutationObserver((changes) => {
    keepFocus(changes)
    if (!isLost()) return
    clearTimeout(timer)
    timer = setTimeout(() => isLost() && catchFocus(), graceMs)
  })
  document.addEventListener('focusin', note)
  losses.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', note)
    losses.disconnect()
    clearTimeout(timer)
  }
}

/** The focused control that was disabled while its change is saved. */
let disabled: HTMLElement | undefined

/** A disabled control loses the focus; restores it once enabled, unless the focus has moved elsewhere. */
function keepFocus(changes: MutationRecord[]) {
  for (const { type, target } of changes) {
    if (type !== 'attributes' || !(target instanceof HTMLElement)) continue
    if (target.hasAttribute('disabled')) disabled = target === latest ? target : disabled
    else if (target === disabled) {
      disabled = undefined
      // Dialogs take the focus when a control inside loses it.
      if (document.activeElement?.matches('body, [role=dialog], [role=alertdialog]')) leadTo(target)
    }
  }
}

/** The focused element was removed, and nothing else is focused. */
function isLost(): boolean {
  return latest !== undefined && !latest.isConnected && document.activeElement === document.body
}

/** Focuses the heading of the front layer, so that keyboard users do not restart at the top of the page. */
function catchFocus() {
  const panel = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')].at(-1)
  const place = panel ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

function note({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement)) return
  const menu = target.closest('[role=menu]')
  if (menu) {
    latest = document.getElementById(menu.getAttribute('aria-labelledby') ?? '') ?? latest
    return
  }
  const panel = target.closest('[role=dialog], [role=alertdialog]')
  // A control inside the panel has not opened it, even if nothing had the focus before.
  if (panel && latest && !panel.contains(latest) && !openers.has(panel)) openers.set(panel, latest)
  latest = target
}

/** When a panel closes with the focus inside, returns the focus to the control that opened it, or to `row` if the panel last showed another row. */
export function returnToOpener(event: Event, row?: HTMLElement | null) {
  event.preventDefault()
  const { currentTarget: panel } = event
  const first = panel ? openerOf(panel) : undefined
  const opener = row && !row.contains(first ?? null) ? row : first
  const active = document.activeElement
  const isInPanel = panel instanceof Node && panel.contains(active)
  if (!opener?.isConnected || (active !== document.body && !isInPanel)) return
  leadTo(opener)
}

function leadTo(place: HTMLElement) {
  isLeadingBack = true
  place.focus()
  isLeadingBack = false
}

/** If one panel replaced another, the opener of the first one. */
function openerOf(panel: EventTarget): HTMLElement | undefined {
  const opener = openers.get(panel)
  const former = opener?.isConnected ? null : opener?.closest('[role=dialog], [role=alertdialog]')
  return former ? openerOf(former) : opener
}

/** Prevents tooltips and tab changes when focus is restored. */
export function ignoreWhenLedBack(event: { preventDefault: () => void }) {
  if (isLeadingBack) event.preventDefault()
}
