import { z } from 'zod'
import { Id, IdPath, Line, Nothing } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { maximumPageSize } from '../../paging.ts'
import { TemplateRecord } from '../../templates.ts'
import { SmsHeader } from './sms-accounts.ts'

/** TRAI categories. Operators append a suffix to the header: P, S, S, T, G. */
export const SmsCategory = z.enum([
  'promotional',
  'service_implicit',
  'service_explicit',
  'transactional',
  'government',
])
export type SmsCategory = z.infer<typeof SmsCategory>

export const SmsTemplateStatus = z.enum(['draft', 'approved', 'rejected', 'disabled'])
export type SmsTemplateStatus = z.infer<typeof SmsTemplateStatus>

/** A variable of the body, in order of appearance. */
export const SmsVariable = z.object({
  name: Line.min(1).max(40),
  kind: z.enum(['var', 'numeric', 'alphanumeric', 'url', 'urlott', 'cbn', 'email']),
  sample: z.string().max(160).default(''),
})
export type SmsVariable = z.infer<typeof SmsVariable>

export const SmsTemplateInput = z.object({
  smsAccountId: Id,
  name: Line.min(1, 'Enter a name').max(80),
  header: SmsHeader,
  category: SmsCategory,
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, 'Enter a language code such as en or hi')
    .default('en'),
  /** Text with `{#var#}` and the typed DLT tags; must contain some fixed text. */
  body: z.string().min(1, 'Enter the text').max(1600),
  variables: z.array(SmsVariable).max(60).default([]),
  entityId: z
    .string()
    .regex(/^\d{19}$/, 'An entity id has 19 digits')
    .optional(),
  dltTemplateId: z
    .string()
    .regex(/^\d{12,19}$/, 'A DLT template id has 12 to 19 digits')
    .optional(),
  status: SmsTemplateStatus.default('approved'),
})
export type SmsTemplateInput = z.infer<typeof SmsTemplateInput>

export const SmsEncoding = z.enum(['gsm7', 'ucs2'])

export const SmsTemplate = SmsTemplateInput.extend({
  ...TemplateRecord.shape,
  accountName: z.string(),
  encoding: SmsEncoding,
  /** Parts with the samples filled in, and with every variable at its maximum length. */
  parts: z.number(),
  worstParts: z.number(),
})
export type SmsTemplate = z.infer<typeof SmsTemplate>

const templateRoles = ['user', 'manager', 'department_head', 'admin'] as const

export const templateEndpoints = defineEndpoints({
  'smsTemplates.list': {
    route: 'GET /api/sms/templates',
    summary: 'SMS templates, newest change first; of one SMS account, or of all',
    roles: templateRoles,
    module: 'template',
    scope: 'templates:read',
    query: z.object({
      smsAccountId: Id.optional(),
      search: z.string().max(80).optional(),
      category: SmsCategory.optional(),
      encoding: SmsEncoding.optional(),
      status: SmsTemplateStatus.optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      limit: z.coerce.number().int().min(1).max(maximumPageSize).default(25),
    }),
    data: z.object({ templates: z.array(SmsTemplate), total: z.number(), totalPages: z.number(), page: z.number() }),
    fallback: 'Failed to fetch sms templates',
  },
  'smsTemplates.get': {
    route: 'GET /api/sms/templates/{id}',
    summary: 'One SMS template',
    roles: templateRoles,
    module: 'template',
    scope: 'templates:read',
    path: IdPath,
    data: SmsTemplate,
    fallback: 'Failed to fetch sms template',
  },
  'smsTemplates.create': {
    route: 'POST /api/sms/templates',
    summary: 'Add an SMS template as it was approved on the DLT portal',
    roles: templateRoles,
    module: 'template',
    scope: 'templates:write',
    body: SmsTemplateInput,
    data: SmsTemplate,
    fallback: 'Failed to create template',
  },
  'smsTemplates.delete': {
    route: 'DELETE /api/sms/templates/{id}',
    summary:
      'Delete an SMS template; rejected while scheduled or running campaigns need it. Sent messages keep its name',
    roles: templateRoles,
    module: 'template',
    scope: 'templates:write',
    path: IdPath,
    data: Nothing,
    fallback: 'Failed to fetch sms template',
    addition: true,
  },
  'smsTemplates.update': {
    route: 'PUT /api/sms/templates',
    summary: 'Change an SMS template; started campaigns keep their text',
    roles: templateRoles,
    module: 'template',
    scope: 'templates:write',
    body: SmsTemplateInput.extend({ id: Id }),
    data: SmsTemplate,
    fallback: 'Failed to create template',
  },
})
