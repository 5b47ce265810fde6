import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { maximumLoggedBytes } from '@carillon/contract/request-log-records'
import { callingCodeOf } from '../../lib/phone.ts'

export type Privacy = KeyConfigPayload['privacy']

/** Of keys without a config. */
export const defaultPrivacy: Privacy = { storeBody: 'masked', maskNumbers: true }

/**
 * What stays of a value. `word`: names and numbers of the API; `line`: texts of one line; `message`: an error; `phone`: a recipient. An
 * object names the fields that stay. Everything else is hidden, so that a text in a wrong field is hidden as well.
 */
type Shape = 'word' | 'line' | 'message' | 'phone' | { readonly [field: string]: Shape }

const wording = {
  channel: 'word',
  from: 'line',
  template: { id: 'word', name: 'line', language: 'word', codeName: 'word' },
  content: { type: 'word', fileId: 'word' },
} as const

const send = {
  ...wording,
  to: 'phone',
  category: 'word',
  legs: { ...wording, entryConditions: { type: 'word', afterSeconds: 'word' } },
  reference: 'line',
  ttlSeconds: 'word',
  sendAt: 'word',
  length: 'word',
  expirySeconds: 'word',
  delivery: 'word',
} as const satisfies Shape

const refusal = { code: 'word', message: 'message', details: { field: 'line', message: 'message' } } as const
const priced = { channel: 'word', from: { _id: 'word', name: 'line' }, parts: 'word', cost: 'word' } as const
const accepted = {
  ...priced,
  id: 'word',
  status: 'word',
  to: 'phone',
  legs: priced,
  reference: 'line',
  sendAt: 'word',
} as const

/** Lists are as their entries. */
const shapes = {
  request: { ...send, messages: send },
  response: {
    ...refusal,
    success: 'word',
    data: {
      ...accepted,
      messages: { accepted, refused: refusal },
      accepted: 'word',
      refused: 'word',
      messageId: 'word',
      expiresAt: 'word',
      resendAt: 'word',
      triesLeft: 'word',
    },
  },
} as const satisfies Record<string, Shape>

export type StoredBody = { text: string; isCut: boolean }

type Masking = { of: keyof typeof shapes; privacy: Privacy }

/** The body as it is stored; undefined if nothing is. */
export function storeBody(body: unknown, { of, privacy }: Masking): StoredBody | undefined {
  if (body === undefined || privacy.storeBody === 'none') return undefined
  const isMasked = privacy.storeBody === 'masked'
  return cut(JSON.stringify(mask(body, shapes[of], { isMasked, ...privacy })))
}

type Rules = { isMasked: boolean; maskNumbers: boolean }

function mask(value: unknown, shape: Shape | undefined, rules: Rules): unknown {
  if (Array.isArray(value)) return value.map((entry) => mask(entry, shape, rules))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        maskName(name, rules),
        mask(inner, typeof shape === 'object' ? shape[name] : undefined, rules),
      ]),
    )
  if (typeof value === 'string') return maskString(value, shape, rules)
  return typeof value === 'number' ? maskNumber(value, shape, rules) : value
}

const longest = { word: 100, line: 100, message: 1000 }
const aWord = /^[\w.:+-]+$/

function maskString(text: string, shape: Shape | undefined, { isMasked, maskNumbers }: Rules): string {
  if (shape === 'phone' && maskNumbers) return maskPhone(text)
  if (isMasked && !stays(text, shape)) return lengthOf(text)
  return maskText(text, maskNumbers)
}

function stays(text: string, shape: Shape | undefined): boolean {
  if (shape === 'phone') return looksLikePhone(text)
  if (shape === undefined || typeof shape === 'object') return false
  return text.length <= longest[shape] && (shape !== 'word' || aWord.test(text))
}

function maskNumber(value: number, shape: Shape | undefined, { isMasked, maskNumbers }: Rules): unknown {
  if (shape === 'phone') return maskNumbers ? maskPhone(String(value)) : value
  return isMasked && shape !== 'word' ? '[number]' : value
}

/** Names of fields that do not exist may be anything. */
function maskName(name: string, { isMasked, maskNumbers }: Rules): string {
  return isMasked && (!aWord.test(name) || /\d{7}/.test(name)) ? lengthOf(name) : maskText(name, maskNumbers)
}

const phoneText = /^\+?[\d ().-]{4,25}$/
const looksLikePhone = (text: string) => phoneText.test(text)

/** Numbers within a text are recognised if they begin with a plus sign. */
const phoneInText = /\+\d[\d ().-]{5,20}\d/g
const apiKey = /carillon_(?:test|live)_[\da-f]{8}_[\da-f]{64}(?:_[\da-f]{8})?/g

/** Removes what no log may contain, whatever the privacy: API keys. */
export function maskText(text: string, maskNumbers: boolean): string {
  const safe = text.replaceAll(apiKey, '[API key]')
  return maskNumbers ? safe.replaceAll(phoneInText, maskPhone) : safe
}

const lengthOf = ({ length }: string) => `[${length} character${length === 1 ? '' : 's'}]`

const shownDigits = 3

/** The country code and the last digits stay: +91•••••••678. */
function maskPhone(text: string): string {
  if (!looksLikePhone(text)) return lengthOf(text)
  const digits = text.replaceAll(/\D/g, '')
  const code = text.startsWith('+') || digits.length > 10 ? callingCodeOf(Number(digits)) : ''
  const hidden = Math.max(digits.length - code.length - shownDigits, 0)
  return `${text.startsWith('+') ? '+' : ''}${code}${'•'.repeat(hidden)}${digits.slice(code.length + hidden)}`
}

function cut(text: string): StoredBody {
  const bytes = Buffer.from(text)
  if (bytes.length <= maximumLoggedBytes) return { text, isCut: false }
  // The last character may have been divided.
  return {
    text: bytes
      .subarray(0, maximumLoggedBytes)
      .toString()
      .replace(/\uFFFD+$/, ''),
    isCut: true,
  }
}
