/** What had the focus last; for a menu the button it belongs to, because it is gone by the time its deed is done. */
let latest: HTMLElement | undefined
let isLeadingBack = false
/** Of each panel, what had the focus before it came in. */
const openers = new WeakMap<EventTarget, HTMLElement>()

/** Notes from now on what has the focus; answers how to stop. */
export function watchFocus(): () => void {
  document.addEventListener('focusin', note)
  return () => document.removeEventListener('focusin', note)
}

function note({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement)) return
  const menu = target.closest('[role=menu]')
  if (menu) {
    latest = document.getElementById(menu.getAttribute('aria-labelledby') ?? '') ?? latest
    return
  }
  const panel = target.closest('[role=dialog], [role=alertdialog]')
  if (panel && latest && !openers.has(panel)) openers.set(panel, latest)
  latest = target
}

/** As a panel closes: whoever is still in it is led back to what opened it. */
export function returnToOpener(event: Event) {
  event.preventDefault()
  const { currentTarget: panel } = event
  const opener = panel ? openerOf(panel) : undefined
  const active = document.activeElement
  const isInPanel = panel instanceof Node && panel.contains(active)
  if (!opener?.isConnected || (active !== document.body && !isInPanel)) return
  isLeadingBack = true
  opener.focus()
  isLeadingBack = false
}

/** Where one panel took another's place, what opened the first of them. */
function openerOf(panel: EventTarget): HTMLElement | undefined {
  const opener = openers.get(panel)
  const former = opener?.isConnected ? null : opener?.closest('[role=dialog], [role=alertdialog]')
  return former ? openerOf(former) : opener
}

/** Of what gets the focus back nobody asked anything: no tooltip opens, no tab is chosen. */
export function ignoreWhenLedBack(event: { preventDefault: () => void }) {
  if (isLeadingBack) event.preventDefault()
}
