import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'

export type ApprovedTemplate = {
  body: string
  name?: string
  header?: string
  category?: SmsCategory
  dltTemplateId?: string
  entityId?: string
}

type Label = keyof ApprovedTemplate

/** Labels before each value in DLT portals. */
const labels: [Label, RegExp][] = [
  ['dltTemplateId', /^(?:dlt )?template id$/],
  ['entityId', /^(?:principal )?(?:entity|pe) id$/],
  ['name', /^template name$/],
  ['header', /^(?:header|sender)(?: id| name| mapped)?$/],
  ['category', /^(?:template |message |content )?(?:type|category)$/],
  ['body', /^(?:approved )?(?:template )?(?:content|message|text|body|template)(?: \(.*\))?$/],
]

const line = /^\s*([A-Za-z][A-Za-z ()/]{1,40}?)\s*(?::|=|\t|\s-\s)\s*(.*)$/

/** Parses a template from text copied from a DLT portal or its mail; undefined if it contains none. */
export function parseApproval(text: string): ApprovedTemplate | undefined {
  const found = readFields(text)
  const body = (found.get('body') ?? (found.size === 0 ? text : '')).trim()
  const isTemplate = /\{#\w+#\}/.test(body) || (found.size > 1 && body !== '')
  return isTemplate ? { body, ...rest(found) } : undefined
}

/** Lines that begin with a known label; the text extends to the next label. */
function readFields(text: string): Map<Label, string> {
  const found = new Map<Label, string>()
  let open: Label | undefined
  for (const raw of text.replaceAll('\r', '').split('\n')) {
    const [, words = '', value = ''] = line.exec(raw) ?? []
    const label = labelOf(words)
    if (label) {
      open = found.has(label) ? undefined : label
      if (open) found.set(open, value)
    } else if (open === 'body') found.set('body', `${found.get('body')}\n${raw}`)
  }
  return found
}

function labelOf(words: string): Label | undefined {
  const plain = words.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  return labels.find(([, pattern]) => pattern.test(plain))?.[0]
}

function rest(found: ReadonlyMap<Label, string>): Omit<ApprovedTemplate, 'body'> {
  const digits = (label: Label, pattern: RegExp) => pattern.exec(found.get(label) ?? '')?.[0]
  const header = /[A-Za-z0-9]{3,11}/.exec(found.get('header') ?? '')?.[0]
  const name = found.get('name')?.trim()
  const category = categoryOf(found.get('category') ?? '')
  const dltTemplateId = digits('dltTemplateId', /\d{12,19}/)
  const entityId = digits('entityId', /\d{19}/)
  return {
    ...(name ? { name } : {}),
    ...(header ? { header } : {}),
    ...(category ? { category } : {}),
    ...(dltTemplateId ? { dltTemplateId } : {}),
    ...(entityId ? { entityId } : {}),
  }
}

function categoryOf(words: string): SmsCategory | undefined {
  if (/promo/i.test(words)) return 'promotional'
  if (/transac/i.test(words)) return 'transactional'
  if (/explicit/i.test(words)) return 'service_explicit'
  if (/service|implicit/i.test(words)) return 'service_implicit'
  return /govern/i.test(words) ? 'government' : undefined
}
