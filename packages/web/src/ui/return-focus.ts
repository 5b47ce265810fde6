/** What had the focus last; for a menu the button it belongs to, because it is gone by the time its deed is done. */
let latest: HTMLElement | undefined
let isLeadingBack = false
/** Of each panel, what had the focus before it came in. */
const openers = new WeakMap<EventTarget, HTMLElement>()

/** Panels lead the focus back by themselves, a moment after they are gone. */
const graceMs = 60

/** Notes from now on what has the focus, and gives it a place when what had it goes; answers how to stop. */
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

/** A disabled control loses the focus; it gets it back once it is enabled, unless the focus has moved to another control. */
function keepFocus(changes: MutationRecord[]) {
  for (const { type, target } of changes) {
    if (type !== 'attributes' || !(target instanceof HTMLElement)) continue
    if (target.hasAttribute('disabled')) disabled = target === latest ? target : disabled
    else if (target === disabled) {
      disabled = undefined
      // A dialog takes the focus itself when a control in it loses it.
      if (document.activeElement?.matches('body, [role=dialog], [role=alertdialog]')) leadTo(target)
    }
  }
}

/** What had the focus was taken out of the page, and nothing else has it. */
function isLost(): boolean {
  return latest !== undefined && !latest.isConnected && document.activeElement === document.body
}

/** Whoever goes on with the keys goes on from the heading of what is in front, not from the top of the page. */
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
  if (panel && latest && !openers.has(panel)) openers.set(panel, latest)
  latest = target
}

/**
 * When a panel closes with the focus inside, moves the focus to the control that opened it, or to `row` if the panel showed
 * another row last.
 */
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
