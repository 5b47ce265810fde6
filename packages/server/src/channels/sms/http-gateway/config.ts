import { FailureClass } from '@carillon/contract/campaign-records'
import { z } from 'zod'
import { markAdvanced } from '../../advanced-settings.ts'
import { parsePath } from './json-path.ts'
import { findUnknownPlaceholder } from './template.ts'

const Template = z
  .string()
  .max(8_000)
  .refine((text) => findUnknownPlaceholder(text) === undefined, {
    error: ({ input }) => `There is no placeholder {{${findUnknownPlaceholder(String(input)) ?? ''}}}`,
  })
const Path = z
  .string()
  .max(200)
  .refine((path) => parsePath(path.replace(/^\^+/, '')) !== undefined, 'A path is written data.items[0].id')
const HeaderName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/, 'Invalid header name')
const Header = z.object({
  name: HeaderName.min(1).meta({ title: 'Name' }),
  value: Template.max(1_000).meta({ title: 'Value' }),
})

const ErrorEntry = z.object({
  match: z.string().min(1).max(200).meta({ title: 'Code or text' }),
  reason: FailureClass.meta({ title: 'Means' }),
  action: z.enum(['reject', 'retry', 'stop-account']).meta({ title: 'Then' }),
})
const StatusEntry = z.object({
  value: z.string().min(1).max(100).meta({ title: 'Gateway status' }),
  status: z.enum(['sent', 'delivered', 'read', 'failed', 'ignore']).meta({ title: 'Means' }),
})

const request = {
  url: Template.regex(/^https?:\/\//i, 'Enter a URL starting with https:// or http://').meta({
    title: 'Address',
    destination: true,
  }),
  method: z.enum(['POST', 'GET', 'PUT']).default('POST').meta({ title: 'Method' }),
  headers: z.array(Header).max(20).default([]).meta({ title: 'Headers' }),
  auth: z.enum(['none', 'basic', 'bearer', 'header', 'query']).default('none').meta({ title: 'Sign-in' }),
  authName: z.string().max(100).default('').meta({
    title: 'Header or parameter',
    description: 'Where to send the key, for authentication by header or query',
  }),
  authUser: z.string().max(200).default('').meta({ title: 'User name' }),
  authSecret: z.string().max(2_000).default('').meta({ title: 'Password or key', secret: true }),
  contentType: z
    .enum(['urlencoded', 'json', 'xml', 'query'])
    .default('json')
    .meta({ title: 'Body', description: 'Query: all parameters are in the URL' }),
  bodyTemplate: Template.default('').meta({
    title: 'Body template',
    description: 'With {{text}}, {{to}}, {{from}}, {{reference}} and the other placeholders',
    multiline: true,
  }),
  numberFormat: z
    .enum(['e164', 'digits', 'national'])
    .default('e164')
    .meta({ title: 'Numbers', description: 'How {{to}} is written' }),
}

const requestDetails = {
  idempotencyHeader: HeaderName.default('').meta({
    title: 'Idempotency header',
    description: 'Only if the gateway sends a message once per value',
  }),
  concurrency: z.number().int().min(1).max(500).default(200).meta({
    title: 'Concurrent requests',
    description: 'Maximum; fewer while the gateway responds fast',
  }),
  timeoutSeconds: z.number().int().min(1).max(120).default(30).meta({ title: 'Response timeout (seconds)' }),
}

const answer = {
  successFrom: z.number().int().min(100).max(599).default(200).meta({ title: 'Accepted: from status' }),
  successTo: z.number().int().min(100).max(599).default(299).meta({ title: 'Taken: to status' }),
  successRule: z
    .enum(['status', 'id', 'contains', 'starts-with', 'json-equals'])
    .default('status')
    .meta({ title: 'Accepted when', description: 'Besides the status; id: the response contains a message id' }),
  successPath: Path.default('').meta({ title: 'Taken: path' }),
  successValue: z.string().max(200).default('').meta({ title: 'Accepted: value or text' }),
  idFrom: z
    .enum(['json', 'pattern', 'header', 'own'])
    .default('json')
    .meta({ title: 'Message id from', description: 'Own: reports contain our reference' }),
  idPath: z.string().max(200).default('id').meta({
    title: 'Message id at',
    description: 'A path, a header name, or the response’s text with * for the id and {any} for text to skip',
  }),
  errorCodePath: Path.default('').meta({ title: 'Error code at' }),
  errorTextPath: Path.default('').meta({ title: 'Error text at' }),
  errorMap: z.array(ErrorEntry).max(200).default([]).meta({ title: 'Error codes' }),
}

const reports = {
  reportFormat: z.enum(['json', 'form', 'query', 'json-in-form']).default('json').meta({ title: 'Report format' }),
  reportField: z.string().max(100).default('data').meta({ title: 'Reports: form field with the JSON' }),
  reportRoot: Path.default('').meta({
    title: 'Reports: list at',
    description: 'Empty for one report per call; [*] for each of a list',
  }),
  reportId: Path.default('id').meta({ title: 'Reports: message id at' }),
  reportNumber: Path.default('').meta({ title: 'Reports: phone number at' }),
  reportReference: Path.default('').meta({ title: 'Reports: our reference at' }),
  reportStatus: Path.default('status').meta({ title: 'Reports: status at' }),
  reportError: Path.default('error').meta({ title: 'Reports: error code at' }),
  reportTime: Path.default('at').meta({ title: 'Reports: time at' }),
  statusMap: z
    .array(StatusEntry)
    .max(100)
    .default([])
    .meta({ title: 'Status names', description: 'Common names are recognised' }),
  timezoneOffset: z
    .string()
    .regex(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, 'Written +05:30')
    .default('+05:30')
    .meta({ title: 'Time zone of reports', description: 'For times without a zone' }),
  inboundFormat: z.enum(['json', 'form', 'query']).default('json').meta({ title: 'Inbound format' }),
  inboundFrom: Path.default('from').meta({ title: 'Inbound: from at' }),
  inboundTo: Path.default('to').meta({ title: 'Inbound: to at' }),
  inboundText: Path.default('text').meta({ title: 'Inbound: text at' }),
  inboundTime: Path.default('at').meta({ title: 'Inbound: time at' }),
  inboundId: Path.default('id').meta({ title: 'Inbound: id at' }),
  replyBody: z.string().max(1_000).default('').meta({ title: 'Response to callbacks' }),
  replyType: z
    .string()
    .max(100)
    .regex(/^[\w.+/; =-]+$/)
    .default('text/plain')
    .meta({ title: 'Content type of the response' }),
}

const signature = {
  signature: z
    .enum(['none', 'basic', 'twilio', 'hmac'])
    .default('none')
    .meta({ title: 'Callback signature', description: 'The callback URL itself is always secret' }),
  signatureUser: z.string().max(200).default('').meta({ title: 'Callback user name' }),
  signatureSecret: z.string().max(2_000).default('').meta({ title: 'Callback password or signing key', secret: true }),
  signatureHeader: HeaderName.default('x-signature').meta({ title: 'Signature header' }),
  signatureAlgorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256').meta({ title: 'Signature algorithm' }),
  signatureEncoding: z.enum(['hex', 'base64']).default('hex').meta({ title: 'Signature encoding' }),
}

export const HttpGatewayConfig = z.object({
  ...request,
  ...markAdvanced({ ...requestDetails, ...answer, ...reports, ...signature }),
})
export type HttpGatewayConfig = z.infer<typeof HttpGatewayConfig>
