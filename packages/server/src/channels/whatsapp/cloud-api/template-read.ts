import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import {
  WhatsappCategory,
  type TemplateButton,
  type TemplateCard,
  type TemplateHeader,
  type TemplateSample,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { ReviewedTemplate } from '../management.ts'
import { variablesOf, type ParameterFormat } from '../template-leg.ts'
import { isRow, rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { numberOf } from './json.ts'
import { qualityOf } from './webhook-template.ts'

/** A template as returned by Meta; undefined without an id or name. */
export function readTemplate(row: Row): ReviewedTemplate[] {
  const id = stringOf(row['id'])
  const name = stringOf(row['name'])
  if (id === undefined || name === undefined) return []
  const category = readCategory(row['category']) ?? 'UTILITY'
  const parameterFormat = stringOf(row['parameter_format'])?.toLowerCase() === 'named' ? 'named' : 'positional'
  const rejected = stringOf(row['rejected_reason'])
  return [
    {
      id,
      name,
      language: stringOf(row['language']) ?? '',
      category,
      parameterFormat,
      status: stringOf(row['status'])?.toUpperCase() ?? 'PENDING',
      quality: qualityOf(rowOf(row['quality_score'])['score'] ?? row['quality_score']),
      rejectedReason: rejected === 'NONE' ? undefined : rejected,
      previousCategory: readCategory(row['previous_category']),
      content: readContent(row, { isCode: category === 'AUTHENTICATION', format: parameterFormat }),
    },
  ]
}

export function readCategory(value: unknown): WhatsappCategory | undefined {
  return WhatsappCategory.safeParse(stringOf(value)?.toUpperCase()).data
}

type Reading = { isCode: boolean; format: ParameterFormat }

function readContent(row: Row, reading: Reading): ReviewedTemplate['content'] {
  const find = finder(row['components'])
  const [header] = readHeader(find('HEADER'))
  const body = find('BODY')
  const footer = find('FOOTER')
  const seconds = numberOf(row['message_send_ttl_seconds'])
  const minutes = numberOf(footer['code_expiration_minutes'])
  return {
    ...(header ? { header } : {}),
    ...readBody(body, reading),
    footer: stringOf(footer['text']) ?? '',
    buttons: rowsOf(find('BUTTONS')['buttons']).map((button) => readButton(button, reading)),
    cards: rowsOf(find('CAROUSEL')['cards']).flatMap((card) => readCard(card, reading)),
    securityRecommendation: body['add_security_recommendation'] !== false,
    ...(minutes >= 1 ? { codeExpirationMinutes: minutes } : {}),
    // Minus one means thirty days, Meta's default.
    ...(seconds >= 30 ? { timeToLiveSeconds: seconds } : {}),
  }
}

function finder(components: unknown): (type: string) => Row {
  const rows = rowsOf(components)
  return (type) => rows.find((row) => stringOf(row['type'])?.toUpperCase() === type) ?? {}
}

/** A header of an unknown kind is ignored. */
function readHeader(row: Row): TemplateHeader[] {
  const format = stringOf(row['format'])?.toUpperCase()
  const example = rowOf(row['example'])
  if (format === 'LOCATION') return [{ type: 'HEADER', format }]
  if (format === 'TEXT') {
    const sample = firstOf(example['header_text']) ?? namedSamples(example['header_text_named_params'])[0]?.sample ?? ''
    return [{ type: 'HEADER', format, text: stringOf(row['text']) ?? '', sample }]
  }
  const kinds = { IMAGE: 'IMAGE', VIDEO: 'VIDEO', GIF: 'VIDEO', DOCUMENT: 'DOCUMENT' } as const
  const kind = Object.entries(kinds).find(([name]) => name === format)?.[1]
  return kind ? [{ type: 'HEADER', format: kind, handle: firstOf(example['header_handle']) ?? '' }] : []
}

function readBody(row: Row, { isCode, format }: Reading): { body: string; samples: TemplateSample[] } {
  const body = stringOf(row['text']) ?? ''
  if (isCode) return { body, samples: [] }
  const example = rowOf(row['example'])
  if (format === 'named') return { body, samples: namedSamples(example['body_text_named_params']) }
  const given: unknown = example['body_text']
  const first: unknown = Array.isArray(given) ? given[0] : undefined
  const texts = Array.isArray(first) ? first : Array.isArray(given) ? given : []
  const samples = variablesOf(body, format).map((name, index) => ({ name, sample: stringOf(texts[index]) ?? '' }))
  return { body, samples }
}

function namedSamples(given: unknown): TemplateSample[] {
  return rowsOf(given).map((each) => ({
    name: stringOf(each['param_name']) ?? '',
    sample: stringOf(each['example']) ?? '',
  }))
}

/** Unsupported button types become quick replies, so that the indexes of others stay the same. */
function readButton(row: Row, { isCode }: Reading): TemplateButton {
  const type = stringOf(row['type'])?.toUpperCase() ?? ''
  const read = buttons[isCode && type === 'URL' ? 'OTP' : type]
  return read ? read(row) : { type: 'QUICK_REPLY', text: stringOf(row['text']) ?? type }
}

const buttons: Partial<Record<string, (row: Row) => TemplateButton>> = {
  OTP: readCodeButton,
  URL: (row) => {
    const url = stringOf(row['url']) ?? ''
    const sample = listTemplateVariables(url).length === 0 ? '' : (firstOf(row['example']) ?? '')
    return { type: 'URL', text: stringOf(row['text']) ?? '', url, sample }
  },
  PHONE_NUMBER: (row) => ({
    type: 'PHONE_NUMBER',
    text: stringOf(row['text']) ?? '',
    phone_number: stringOf(row['phone_number']) ?? '',
  }),
  COPY_CODE: (row) => ({ type: 'COPY_CODE', sample: firstOf(row['example']) ?? '' }),
}

/** It is created as a copy-code button and returned as a URL that contains its kind. */
function readCodeButton(row: Row): TemplateButton {
  const asked = stringOf(row['otp_type']) ?? /[?&]otp_type=(\w+)/.exec(stringOf(row['url']) ?? '')?.[1]
  const kinds = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const
  return {
    type: 'OTP',
    otp_type: kinds.find((kind) => kind === asked?.toUpperCase()) ?? 'COPY_CODE',
    text: stringOf(row['text']) ?? '',
    autofill_text: stringOf(row['autofill_text']) ?? '',
    supported_apps: rowsOf(row['supported_apps']).map((app) => ({
      package_name: stringOf(app['package_name']) ?? '',
      signature_hash: stringOf(app['signature_hash']) ?? '',
    })),
  }
}

function readCard(card: Row, reading: Reading): TemplateCard[] {
  const find = finder(card['components'])
  const [header] = readHeader(find('HEADER'))
  if (!header) return []
  const buttons = rowsOf(find('BUTTONS')['buttons']).map((button) => readButton(button, reading))
  return [{ header, ...readBody(find('BODY'), reading), buttons }]
}

/** Lists of one, and plain texts where Meta omits the list. */
function firstOf(value: unknown): string | undefined {
  return stringOf(Array.isArray(value) ? value[0] : isRow(value) ? undefined : value)
}
