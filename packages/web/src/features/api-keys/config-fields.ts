/** How a value of a key config is entered. */
export type FieldKind =
  | { kind: 'text'; maxLength?: number }
  | { kind: 'number'; placeholder?: string }
  | { kind: 'rupees' }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly { value: string; label: string }[]; none?: string }
  /** Texts that contain no spaces, one per line. */
  | { kind: 'texts' }
  | { kind: 'channel' }
  | { kind: 'channels' }
  | { kind: 'sender' }
  | { kind: 'senders' }
  | { kind: 'template' }
  | { kind: 'templates' }

export type ConfigField = FieldKind & {
  /** In the payload, such as `rate.burst`. */
  path: string
  label: string
  help?: string
  isRequired?: true
  isWide?: true
}

export type ConfigGroup = { title: string; text: string; fields: readonly ConfigField[] }

/** Every field of a key config. A test compares them with the schema. */
export const configGroups: readonly ConfigGroup[] = [
  {
    title: 'About',
    text: 'What the config is for, and which keys can use it.',
    fields: [
      { kind: 'text', path: 'binding.name', label: 'Name', maxLength: 120, isRequired: true },
      {
        kind: 'choice',
        path: 'binding.environment',
        label: 'For keys',
        none: 'Test and live keys',
        options: [
          { value: 'test', label: 'Test keys' },
          { value: 'live', label: 'Live keys' },
        ],
      },
      { kind: 'text', path: 'binding.description', label: 'Description', maxLength: 300, isWide: true },
    ],
  },
  {
    title: 'Channels and senders',
    text: 'Messages on other channels, or from other senders, are refused.',
    fields: [
      {
        kind: 'channels',
        path: 'channels.allowed',
        isWide: true,
        label: 'Allowed channels',
        help: 'None chosen: every channel.',
      },
      {
        kind: 'senders',
        path: 'channels.senderIds',
        isWide: true,
        label: 'Allowed senders',
        help: 'None chosen: every sender.',
      },
    ],
  },
  {
    title: 'Defaults',
    text: 'Used for messages that leave them out. All except country and expiry belong to the default channel.',
    fields: [
      { kind: 'channel', path: 'channels.default', label: 'Channel' },
      { kind: 'sender', path: 'defaults.senderId', label: 'Sender' },
      { kind: 'template', path: 'defaults.templateId', label: 'Template' },
      { kind: 'text', path: 'defaults.category', label: 'Category', maxLength: 40, help: 'Such as transactional.' },
      {
        kind: 'text',
        path: 'defaults.language',
        label: 'Language',
        maxLength: 20,
        help: 'Of templates, such as en_US.',
      },
      {
        kind: 'text',
        path: 'defaults.country',
        label: 'Country',
        maxLength: 2,
        help: 'Of numbers without one, such as IN.',
      },
      { kind: 'text', path: 'defaults.dlt.entityId', label: 'DLT entity id', maxLength: 19, help: '19 digits' },
      { kind: 'text', path: 'defaults.dlt.templateId', label: 'DLT template id', maxLength: 19, help: '19 digits' },
      {
        kind: 'number',
        path: 'defaults.ttlSeconds',
        label: 'Expires after (seconds)',
        help: 'From 60 to 172,800 (two days).',
      },
    ],
  },
  {
    title: 'Filters',
    text: 'Calls and messages that do not pass are refused.',
    fields: [
      {
        kind: 'texts',
        path: 'filters.ipAllowlist',
        label: 'Allowed addresses',
        help: 'One per line, in addition to those of the key. Empty: any address.',
      },
      {
        kind: 'texts',
        path: 'filters.allowedCountries',
        label: 'Allowed countries',
        help: 'Two capital letters each, such as IN. Empty: every country.',
      },
      {
        kind: 'texts',
        path: 'filters.blockedPrefixes',
        label: 'Blocked prefixes',
        help: 'First digits of numbers, with the country code, such as 91140.',
      },
      {
        kind: 'number',
        path: 'filters.maxSegments',
        label: 'Most parts of a message',
        placeholder: 'No limit',
        help: 'From 1 to 10.',
      },
      {
        kind: 'templates',
        path: 'filters.allowedTemplateIds',
        isWide: true,
        label: 'Allowed templates',
        help: 'None chosen: every template.',
      },
      {
        kind: 'switch',
        path: 'filters.templatesOnly',
        label: 'Only templates',
        help: 'Messages with free text are refused.',
      },
    ],
  },
  {
    title: 'One-time passwords',
    text: 'Defaults of passwords that leave these out, and limits of all passwords.',
    fields: [
      { kind: 'number', path: 'otp.length', label: 'Digits of the code', placeholder: '6', help: 'From 4 to 10.' },
      {
        kind: 'number',
        path: 'otp.expirySeconds',
        label: 'Valid for (seconds)',
        placeholder: '300',
        help: 'From 60 to 3,600 (an hour).',
      },
      {
        kind: 'number',
        path: 'otp.maxTries',
        label: 'Wrong codes until it ends',
        placeholder: '5',
        help: 'From 1 to 10.',
      },
      {
        kind: 'number',
        path: 'otp.resendAfterSeconds',
        label: 'Seconds between codes',
        placeholder: '30',
        help: 'To the same number, from 30 to 3,600.',
      },
      {
        kind: 'templates',
        path: 'otp.templateIds',
        isWide: true,
        label: 'Templates',
        help: 'For passwords without a text. The one chosen first is sent; the others follow if it does not arrive.',
      },
    ],
  },
  {
    title: 'Rates',
    text: 'Every key counts for itself. Calls above a rate are refused, and can be repeated later.',
    fields: [
      { kind: 'number', path: 'rate.requestsPerSecond', label: 'Calls per second', placeholder: 'As your account' },
      { kind: 'number', path: 'rate.burst', label: 'Calls at once', placeholder: 'As per second' },
      { kind: 'number', path: 'rate.messagesPerSecond', label: 'Messages per second', placeholder: 'No limit' },
      { kind: 'number', path: 'rate.messagesPerDay', label: 'Messages per day', placeholder: 'No limit' },
      {
        kind: 'number',
        path: 'rate.recipientsPerRequest',
        label: 'Recipients per request',
        placeholder: '1,000',
      },
    ],
  },
  {
    title: 'Spending',
    text: 'What the messages of one key may cost. Days and months are those of your time zone.',
    fields: [
      { kind: 'rupees', path: 'spend.maxPerMessage', label: 'For a message' },
      { kind: 'rupees', path: 'spend.maxPerHour', label: 'In an hour' },
      { kind: 'rupees', path: 'spend.maxPerDay', label: 'In a day' },
      { kind: 'rupees', path: 'spend.maxPerMonth', label: 'In a month' },
      {
        kind: 'choice',
        path: 'spend.onLimit',
        label: 'Above a limit',
        options: [
          { value: 'reject', label: 'Refuse the message' },
          { value: 'alert', label: 'Send it, and notify me' },
        ],
      },
    ],
  },
  {
    title: 'Privacy',
    text: 'What the request log keeps of the bodies of calls. One-time passwords are always masked.',
    fields: [
      {
        kind: 'choice',
        path: 'privacy.storeBody',
        label: 'Request and response bodies',
        options: [
          { value: 'masked', label: 'Mask texts and values' },
          { value: 'full', label: 'Store in full' },
          { value: 'none', label: 'Do not store' },
        ],
      },
      {
        kind: 'switch',
        path: 'privacy.maskNumbers',
        label: 'Mask phone numbers',
        help: 'Only the country code and the last three digits are stored.',
      },
    ],
  },
]

export type ConfigDraft = Record<string, unknown>

const isRecord = (value: unknown): value is ConfigDraft =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path such as `rate.burst`. */
export function valueAt(draft: ConfigDraft, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), draft)
}

/** The draft with another value at a path; undefined removes it. */
export function withValue(draft: ConfigDraft, path: string, value: unknown): ConfigDraft {
  const [key = '', ...rest] = path.split('.')
  const inner = draft[key]
  const next = rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest.join('.'), value)
  if (next !== undefined) return { ...draft, [key]: next }
  return Object.fromEntries(Object.entries(draft).filter(([name]) => name !== key))
}

/** Paths of errors that the form shows at a field. */
export function isShown(path: string): boolean {
  return configGroups.some(({ fields }) =>
    fields.some((field) => path === field.path || path.startsWith(`${field.path}.`)),
  )
}
