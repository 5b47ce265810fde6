import { z } from 'zod'
import { markAdvanced } from '../../advanced-settings.ts'

const Url = (title: string, description: string) =>
  z
    .string()
    .trim()
    .max(300)
    .regex(/^https?:\/\/[^\s?#]+$/i, 'Enter a URL starting with https:// or http://')
    .transform((url) => url.replace(/\/+$/, ''))
    .meta({ title, description, destination: true })

const Credential = (title: string, name: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter the ${name}`)
    .max(1_000)
    .regex(/^[\x21-\x7e]*$/, 'It has no spaces and only plain characters')
    .meta({ title })

const Secret = (title: string, name: string) => Credential(title, name).meta({ title, secret: true })

/** The forms in which the values of a template's variables are sent. */
const paramForms = ['json_text', 'object', 'list'] as const
export type ParamForm = (typeof paramForms)[number]

const variableMarks = ['[name]', '{{name}}', '{name}'] as const

export const DotgoConfig = z.object({
  botId: z
    .string()
    .trim()
    .min(1, 'Enter the id of the bot')
    .max(200)
    .regex(/^[\w.@-]+$/, 'Letters, digits and . _ - @ only')
    .meta({ title: 'Bot id', description: 'As the platform shows it' }),
  serverUrl: Url('Server URL', 'Of the platform: https://api.virbm.in/rcs or https://developer-api.dotgo.com'),
  authUrl: Url('Token URL', 'From the operator, for this account'),
  clientId: Credential('Client id', 'client id').meta({ title: 'Client id', description: 'For sending' }),
  clientSecret: Secret('Client secret', 'client secret'),
  adminId: Credential('Admin client id', 'admin client id').meta({
    title: 'Admin client id',
    description: 'For templates',
  }),
  adminSecret: Secret('Admin client secret', 'admin client secret'),
  ...markAdvanced({
    botPath: z
      .string()
      .trim()
      .max(200)
      .regex(/^\/[^\s?#]*$/, 'Enter a path such as /bot/v1')
      .default('/bot/v1')
      .meta({ title: 'Path for sending', description: 'After the server URL; {botId} is replaced' }),
    isAsync: z.boolean().default(false).meta({ title: 'Send to the asynchronous address' }),
    paramForm: z.enum(paramForms).default('json_text').meta({ title: 'Form of template values' }),
    variableMark: z.enum(variableMarks).default('[name]').meta({ title: 'Marks of variables in templates' }),
    concurrency: z.number().int().min(1).max(200).default(20).meta({ title: 'Concurrent requests' }),
    timeoutSeconds: z.number().int().min(1).max(120).default(30).meta({ title: 'Response timeout (seconds)' }),
  }),
})
export type DotgoConfig = z.infer<typeof DotgoConfig>
