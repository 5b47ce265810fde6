import type { Locator, Page, Request } from 'playwright-core'

/** Background calls of the shell. */
const ownCalls = /\/realtime\/ticket$|\/notifications\/read$/

/** Submit and confirm buttons of the open dialog, or else of the page. */
export function submitsOf(page: Page): Locator {
  const dialog = page.locator('[role="dialog"], [role="alertdialog"]')
  const buttons =
    'button:is([type="submit"], [data-variant="primary"], [data-variant="destructive"]):visible:not([disabled]):not([aria-disabled="true"])'
  return dialog.locator(buttons).or(page.locator(`body:not(:has([role="dialog"], [role="alertdialog"])) ${buttons}`))
}

/** Fills every empty field with valid input, so that the form's validation passes. */
export async function fillEmptyFields(page: Page) {
  const scope = (await page.locator('[role="dialog"]').count()) > 0 ? page.locator('[role="dialog"]').last() : page
  const fields = scope.locator('input:visible:enabled:not([readonly]), textarea:visible:enabled:not([readonly])')
  for (const field of await fields.all()) {
    const [type, mode, role, label, value] = await field.evaluate((element: HTMLInputElement) => [
      element.type,
      element.inputMode,
      element.getAttribute('role') ?? '',
      element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? '',
      element.value,
    ])
    if (value !== '' || ['search', 'checkbox', 'radio', 'file', 'date'].includes(type ?? '') || role === 'combobox')
      continue
    if (/search/i.test(label ?? '')) continue
    await field.fill(sampleFor({ type: type ?? '', mode: mode ?? '', label: label ?? '' })).catch(() => undefined)
  }
}

let count = 0

function sampleFor({ type, mode, label }: { type: string; mode: string; label: string }): string {
  count += 1
  if (type === 'email' || /e-?mail/i.test(label)) return `double-${count}@test.example`
  if (type === 'tel' || /mobile|phone number/i.test(label)) return '+91 98765 43210'
  if (type === 'password') return 'a long password of its own 7'
  if (type === 'number' || mode === 'decimal' || mode === 'numeric') return '5'
  if (type === 'url' || /url|address of/i.test(label)) return 'https://gateway.example/send'
  if (/username/i.test(label)) return `double-${count}`
  return `Sample ${count}`
}

export type Write = { call: string; body: string }

/** Write requests sent during `press`, until their responses. */
export async function writesDuring(page: Page, press: () => Promise<void>): Promise<Write[]> {
  const writes: Write[] = []
  const open = new Set<Request>()
  const begun = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' || !pathname.startsWith('/api/') || ownCalls.test(pathname)) return
    open.add(request)
    writes.push({ call: `${request.method()} ${pathname}`, body: request.postData() ?? '' })
  }
  const ended = (request: Request) => void open.delete(request)
  page.on('request', begun)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  try {
    await press()
    do await page.waitForTimeout(150)
    while (open.size > 0)
    // A dialog whose code is still loading would open on the next screen.
    await page.locator('[aria-busy="true"][hidden]').first().waitFor({ state: 'detached' })
  } finally {
    page.off('request', begun)
    page.off('requestfinished', ended)
    page.off('requestfailed', ended)
  }
  return writes
}

/** Requests sent more than once with the same body. */
export function repeatedOf(writes: readonly Write[]): string[] {
  const seen = new Map<string, number>()
  for (const { call, body } of writes) seen.set(`${call} ${body}`, (seen.get(`${call} ${body}`) ?? 0) + 1)
  return [...seen].filter(([, times]) => times > 1).map(([write]) => write.slice(0, 200))
}
