import { truncate } from '@carillon/contract/text'
import { gsmReplacement } from '@carillon/contract/channels/sms/gsm0338'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import {
  checkVariable,
  longestValue,
  parseSmsTemplate,
  worstCase,
  type VariableKind,
} from '@carillon/contract/channels/sms/sms-variables'
import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import { isInOtherScript } from './other-script.ts'

export type TemplateDraft = {
  header: string
  category: SmsCategory
  body: string
  variables: readonly { name: string; kind: VariableKind; sample: string }[]
  entityId: string
  /** The entity id of the SMS account, used when the template names none. */
  accountEntityId?: string | undefined
  dltTemplateId: string
  /** The text copied from the DLT portal, if it was pasted. */
  approved?: string | undefined
}

export type RuleFinding = {
  id: string
  level: 'pass' | 'advice' | 'blocker'
  title: string
  detail?: string
  /** A fix that is applied with one click. */
  fix?: 'replace-offenders' | 'use-approved' | 'add-opt-out'
  /** The field it concerns. */
  field?: 'header' | 'body' | 'entityId' | 'dltTemplateId' | 'variables'
}

/** Checks everything operators check before delivery. */
export function checkTemplate(draft: TemplateDraft): RuleFinding[] {
  return [
    checkBody(draft),
    checkTags(draft),
    checkHeader(draft),
    checkEntity(draft),
    checkTemplateId(draft),
    checkSamples(draft),
    checkAlphabet(draft),
    checkWorstCase(draft),
    checkOptOut(draft),
    checkLinks(draft),
    checkApproved(draft),
  ].filter((finding) => finding !== undefined)
}

function checkBody({ body }: TemplateDraft): RuleFinding {
  const about = { id: 'fixed-text', field: 'body' } as const
  if (body.trim() === '')
    return { ...about, level: 'blocker', title: 'The message is empty', detail: 'Enter the text as it was approved' }
  const fixed = parseSmsTemplate(body).filter((piece) => typeof piece === 'string' && piece.trim() !== '')
  if (fixed.length > 0) return { ...about, level: 'pass', title: 'Fixed text' }
  return {
    ...about,
    level: 'blocker',
    title: 'Only variables',
    detail: 'A template needs fixed text around its variables',
  }
}

const anyBraces = /\{#?[^{}]*#?\}/g

function checkTags({ body }: TemplateDraft): RuleFinding | undefined {
  const pieces = parseSmsTemplate(body)
  const strange = pieces.flatMap((piece) => (typeof piece === 'string' ? (piece.match(anyBraces) ?? []) : []))
  const about = { id: 'tags', field: 'body' } as const
  if (strange.length > 0) {
    return {
      ...about,
      level: 'advice',
      title: `${strange[0]} is not a DLT tag`,
      detail: 'It is sent as plain text; write {#var#} for a variable',
    }
  }
  const neighbours = pieces.some((piece, index) => typeof piece === 'object' && typeof pieces[index + 1] === 'object')
  if (!neighbours) return undefined
  return {
    ...about,
    level: 'advice',
    title: 'Two variables side by side',
    detail: 'Operators cannot separate them; put a word in between',
  }
}

function checkHeader({ header, category }: TemplateDraft): RuleFinding {
  const about = { id: 'header', field: 'header' } as const
  if (header === '')
    return { ...about, level: 'blocker', title: 'No header', detail: 'Choose the sender shown to recipients' }
  const isNumber = /^\d+$/.test(header)
  if (category !== 'promotional' && isNumber) {
    return {
      ...about,
      level: 'advice',
      title: 'Numeric header',
      detail: 'Operators expect letters for anything but promotions',
    }
  }
  if (!isNumber && header.length !== 6) {
    return {
      ...about,
      level: 'advice',
      title: `${header} has ${header.length} characters`,
      detail: 'Headers registered in India have six',
    }
  }
  return { ...about, level: 'pass', title: 'Header', detail: header }
}

function checkEntity({ entityId, accountEntityId }: TemplateDraft): RuleFinding {
  const about = { id: 'entity', field: 'entityId' } as const
  const id = entityId || accountEntityId
  if (!id)
    return { ...about, level: 'advice', title: 'No entity id', detail: 'Indian operators refuse messages without one' }
  if (!/^\d{19}$/.test(id))
    return { ...about, level: 'blocker', title: `Entity id has ${id.length} characters`, detail: 'It has 19 digits' }
  return { ...about, level: 'pass', title: 'Entity id' }
}

function checkTemplateId({ dltTemplateId: id }: TemplateDraft): RuleFinding {
  const about = { id: 'template-id', field: 'dltTemplateId' } as const
  if (!id)
    return {
      ...about,
      level: 'advice',
      title: 'No DLT template id',
      detail: 'Indian operators refuse messages without one',
    }
  if (!/^\d{12,19}$/.test(id))
    return { ...about, level: 'blocker', title: 'Invalid DLT template id', detail: 'It has 12 to 19 digits' }
  return { ...about, level: 'pass', title: 'DLT template id' }
}

function checkSamples({ variables }: TemplateDraft): RuleFinding | undefined {
  if (variables.length === 0) return undefined
  const about = { id: 'samples', field: 'variables' } as const
  for (const { name, kind, sample } of variables) {
    const problem = sample === '' ? undefined : checkVariable(kind, sample)
    if (problem) return { ...about, level: 'advice', title: `The sample of ${name} does not fit`, detail: problem }
  }
  const names = variables.map(({ name }) => name.trim().toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice)
    return {
      ...about,
      level: 'advice',
      title: `Two variables are called ${twice}`,
      detail: 'Different names make columns easier to match',
    }
  const empty = variables.find(({ sample }) => sample === '')
  if (empty)
    return {
      ...about,
      level: 'advice',
      title: `${empty.name} has no sample`,
      detail: 'A real value shows the real length',
    }
  return { ...about, level: 'pass', title: 'Variables' }
}

function checkAlphabet(draft: TemplateDraft): RuleFinding | undefined {
  const { offenders } = countSmsParts(draft.body)
  const [first] = offenders
  const about = { id: 'alphabet', field: 'body' } as const
  if (!first) return { ...about, level: 'pass', title: 'Plain alphabet', detail: 'GSM-7, 160 characters in one part' }
  if (isInOtherScript(draft.body))
    return { ...about, level: 'pass', title: 'Unicode', detail: '70 characters in one part, 67 in each of several' }
  const parts = countSmsParts(fillSamples(draft)).parts
  const fixable = offenders.every(({ character }) => gsmReplacement(character) !== undefined)
  const name = /[\u2018\u2019\u201C\u201D]/.test(first.character) ? 'Curly quote' : first.character
  return {
    ...about,
    level: 'advice',
    title: `${name} makes this Unicode`,
    detail: `${parts} ${parts === 1 ? 'part' : 'parts'} of 67 to 70 characters`,
    ...(fixable ? { fix: 'replace-offenders' as const } : {}),
  }
}

function checkWorstCase(draft: TemplateDraft): RuleFinding | undefined {
  if (draft.variables.length === 0) return undefined
  const about = { id: 'worst-case', field: 'variables' } as const
  const parts = countSmsParts(fillSamples(draft)).parts
  const worst = worstCase(draft.body).parts
  if (worst <= parts) return { ...about, level: 'pass', title: 'Length with the longest variables' }
  return {
    ...about,
    level: 'advice',
    title: `Up to ${worst} parts`,
    detail: 'with every variable at its maximum length',
  }
}

const optOut = /\b(?:stop|opt[- ]?out|unsub\w*)\b/i

function checkOptOut({ category, body }: TemplateDraft): RuleFinding | undefined {
  if (category !== 'promotional' || body.trim() === '') return undefined
  const about = { id: 'opt-out', field: 'body' } as const
  if (optOut.test(body)) return { ...about, level: 'pass', title: 'Opt-out instructions' }
  return {
    ...about,
    level: 'advice',
    title: 'No opt-out instructions',
    detail: 'Promotional messages need them in the approved text, such as a link after “Stop:”',
  }
}

const shorteners = /\b(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|ow\.ly|is\.gd|cutt\.ly)\b/i
const links = /\b(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/\S*)?/gi

function checkLinks({ body }: TemplateDraft): RuleFinding | undefined {
  const about = { id: 'links', field: 'body' } as const
  const shared = shorteners.exec(body)
  if (shared)
    return {
      ...about,
      level: 'advice',
      title: `${shared[0]} is a shared shortener`,
      detail: 'Operators reject links that aren’t allowlisted; use your own domain',
    }
  const found = body.match(links)
  return found
    ? { ...about, level: 'pass', title: 'Link', detail: `${found[0]} must be allowlisted with the operator` }
    : undefined
}

function checkApproved({ approved, body }: TemplateDraft): RuleFinding | undefined {
  if (!approved) return undefined
  if (approved === body) return { id: 'approved', field: 'body', level: 'pass', title: 'Same as the approved text' }
  return {
    id: 'approved',
    field: 'body',
    level: 'advice',
    title: 'Differs from the approved text',
    detail: 'Operators reject text that differs from the registration',
    fix: 'use-approved',
  }
}

/** The message with its samples; a variable without a sample shows its name, as on the phone. */
export function fillSamples({ body, variables }: Pick<TemplateDraft, 'body' | 'variables'>): string {
  return parseSmsTemplate(body)
    .map((piece) => (typeof piece === 'string' ? piece : nameOrSample(variables[piece.index])))
    .join('')
}

/** Variables updated to the current body: names and samples stay at their position, new ones get a default name. */
export function alignVariables(
  body: string,
  known: TemplateDraft['variables'],
): { name: string; kind: VariableKind; sample: string }[] {
  const kinds = parseSmsTemplate(body).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.kind]))
  return kinds.map((kind, index) => {
    const before = known[index]
    return {
      name: before?.name ?? `${kind} ${index + 1}`,
      kind,
      sample: truncate(before?.sample ?? '', longestValue[kind] + 40),
    }
  })
}

function nameOrSample(variable: { name: string; sample: string } | undefined): string {
  return variable?.sample || (variable?.name ?? '')
}
