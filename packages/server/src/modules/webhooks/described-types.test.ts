import { readFileSync } from 'node:fs'
import { WebhookEventType, webhookEvents } from '@carillon/contract/webhook-records'
import { expect, test } from 'vitest'
import { publishedTypesOf } from './published-types.ts'

const page = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')

test.each(WebhookEventType.options)(
  '%s is described for receivers, and is subscribed to as a recorded event',
  (type) => {
    expect(page).toContain(`| \`${type}\` | ${webhookEvents[type]} |`)
    expect(publishedTypesOf([type]).length).toBeGreaterThan(0)
  },
)
