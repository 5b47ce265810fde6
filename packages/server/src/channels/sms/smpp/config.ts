import { FailureClass } from '@carillon/contract/campaign-records'
import { z } from 'zod'
import { markAdvanced } from '../../advanced-settings.ts'

const Tag = z.string().regex(/^0x[0-9a-fA-F]{1,4}$/, 'A tag is written 0x1400')
const TypeOfNumber = z.enum(['auto', '0', '1', '2', '3', '4', '5', '6'])
const NumberingPlan = z.enum(['auto', '0', '1', '3', '4', '6', '8', '9', '10', '14', '18'])
/** A C-octet string of the protocol: no NUL, Latin-1. */
const octets = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .regex(/^[\u0001-\u00ff]*$/, 'Only Latin letters, digits and signs')

const VendorError = z.object({
  code: z
    .string()
    .regex(/^(?:0x[0-9a-fA-F]{1,8}|\d{1,10})$/, 'A code is a number, or written 0x410')
    .meta({ title: 'Code' }),
  reason: FailureClass.meta({ title: 'Means' }),
  action: z.enum(['reject', 'retry']).meta({ title: 'Then' }),
})

const ExtraTlv = z.object({
  tag: Tag.meta({ title: 'Tag' }),
  format: z.enum(['text', 'text-nul', 'hex']).meta({ title: 'Format' }),
  value: z.string().max(512).meta({ title: 'Value' }),
})

const connection = {
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/, 'A host name or an address')
    .meta({ title: 'Host', description: 'Name or address of the operator’s SMSC', destination: true }),
  port: z.number().int().min(1).max(65_535).default(2775).meta({ title: 'Port' }),
  tls: z.boolean().default(false).meta({ title: 'TLS', description: 'Encrypt the connection' }),
  systemId: octets(64).min(1).meta({ title: 'System id' }),
  password: octets(64).default('').meta({ title: 'Password', secret: true }),
  bindMode: z.enum(['transceiver', 'transmitter-and-receiver']).default('transceiver').meta({ title: 'Bind mode' }),
  sessions: z
    .number()
    .int()
    .min(1)
    .max(8)
    .default(1)
    .meta({ title: 'Sessions', description: 'How many binds the operator allows at once' }),
  window: z
    .number()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .meta({ title: 'Window', description: 'Unanswered messages allowed on each bind' }),
}

const connectionDetails = {
  rejectUnauthorized: z.boolean().default(true).meta({
    title: 'Check the certificate',
    description: 'Switch off only for an operator with a self-signed certificate',
  }),
  systemType: octets(12)
    .default('')
    .meta({ title: 'System type', description: 'Empty unless the operator requires one' }),
  enquireLinkSeconds: z.number().int().min(1).max(600).default(30).meta({ title: 'Keep-alive after (seconds)' }),
  responseTimeoutSeconds: z.number().int().min(1).max(600).default(60).meta({ title: 'Response timeout (seconds)' }),
}

const messages = {
  sourceTon: TypeOfNumber.default('auto').meta({
    title: 'Header TON',
    description: 'Auto: 5 for letters, 1 for a long number, 3 for a short code',
  }),
  sourceNpi: NumberingPlan.default('auto').meta({ title: 'Header NPI' }),
  destinationTon: TypeOfNumber.exclude(['auto']).default('1').meta({ title: 'Number TON' }),
  destinationNpi: NumberingPlan.exclude(['auto']).default('1').meta({ title: 'Number NPI' }),
  longMessage: z
    .enum(['udh', 'udh16', 'sar', 'payload'])
    .default('udh')
    .meta({ title: 'Long texts', description: 'How the parts of a long text are joined' }),
  dataCoding: z.enum(['auto', 'gsm7', 'latin1', 'ucs2']).default('auto').meta({ title: 'Character set' }),
  defaultAlphabet: z
    .enum(['gsm7', 'latin1'])
    .default('gsm7')
    .meta({ title: 'Data coding 0 means', description: 'GSM 03.38 at nearly all operators' }),
  registeredDelivery: z.enum(['always', 'on-failure', 'never']).default('always').meta({ title: 'Delivery receipts' }),
  dlrIdBase: z
    .enum(['auto', 'same', 'resp-hex-receipt-decimal', 'resp-decimal-receipt-hex'])
    .default('auto')
    .meta({ title: 'Message ids in receipts' }),
  validityMinutes: z
    .number()
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .meta({ title: 'Validity (minutes)', description: 'How long the operator tries; empty: the operator’s default' }),
  timezoneOffset: z
    .string()
    .regex(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, 'Written +05:30')
    .default('+05:30')
    .meta({ title: 'Time zone of receipts' }),
}

const registry = {
  dlt: z.boolean().default(true).meta({
    title: 'Send DLT ids',
    description: 'Entity and template id with every message, as Indian operators require',
  }),
  dltTelemarketer: octets(255)
    .default('')
    .meta({ title: 'Telemarketer id or chain hash', description: 'Sent only when filled in' }),
}

const registryDetails = {
  dltEntityTag: Tag.default('0x1400').meta({ title: 'Entity tag' }),
  dltTemplateTag: Tag.default('0x1401').meta({ title: 'Template tag' }),
  dltTelemarketerTag: Tag.default('0x1402').meta({ title: 'Telemarketer tag' }),
  dltWithNul: z
    .boolean()
    .default(false)
    .meta({ title: 'End DLT ids with NUL', description: 'Some operators refuse them without' }),
  extraTlvs: z
    .array(ExtraTlv)
    .max(10)
    .default([])
    .meta({ title: 'Additional parameters', description: 'Sent with every message' }),
  vendorErrors: z.array(VendorError).max(200).default([]).meta({ title: 'Error codes of this operator' }),
}

export const SmppConfig = z.object({
  ...connection,
  ...registry,
  ...markAdvanced({ ...connectionDetails, ...messages, ...registryDetails }),
})
export type SmppConfig = z.infer<typeof SmppConfig>
