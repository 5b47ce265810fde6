import { z } from 'zod'
import { markAdvanced } from '../../advanced-settings.ts'

export const standardGraphUrl = 'https://graph.facebook.com'
export const standardGraphVersion = 'v25.0'

const GraphId = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{5,25}$/, 'Enter a Meta id: digits only')
    .meta({ title })

export const CloudApiConfig = z.object({
  wabaId: GraphId('WhatsApp business account id'),
  appId: GraphId('App id'),
  accessToken: z
    .string()
    .trim()
    .min(1, 'Enter the access token')
    .max(1_000)
    .regex(/^[\x21-\x7e]*$/, 'A token has no spaces and only plain characters')
    .meta({ title: 'Access token', description: 'Of a system user, with both WhatsApp permissions', secret: true }),
  appSecret: z
    .string()
    .trim()
    .max(200)
    .default('')
    .meta({ title: 'App secret', description: 'Verifies callbacks; without it all are rejected', secret: true }),
  verifyToken: z.string().max(200).default('').meta({ title: 'Verify token', secret: true }),
  ...markAdvanced({
    graphUrl: z
      .string()
      .trim()
      .max(300)
      .regex(/^https?:\/\/[^\s?#]+$/i, 'Enter a URL starting with https:// or http://')
      .default(standardGraphUrl)
      .meta({ title: 'URL of the Graph API', destination: true }),
    graphVersion: z
      .string()
      .regex(/^v\d{2}\.\d$/, 'Enter a version such as v25.0')
      .default(standardGraphVersion)
      .meta({ title: 'Version of the Graph API' }),
    concurrency: z.number().int().min(1).max(500).default(200).meta({ title: 'Concurrent requests' }),
    timeoutSeconds: z.number().int().min(1).max(120).default(30).meta({ title: 'Response timeout (seconds)' }),
  }),
})
export type CloudApiConfig = z.infer<typeof CloudApiConfig>
