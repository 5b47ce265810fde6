import type { LineTemplate } from '@carillon/contract/conversation-records'

/** A template with the values that were entered. */
export type TemplateDraft = { template: LineTemplate; values?: Record<string, string>; error?: string }

const maximum = 50
const sent = new Map<string, TemplateDraft>()

/** Keeps the values of a template that is being sent, in case it fails. */
export function keepTemplate(clientId: string, draft: TemplateDraft) {
  sent.set(clientId, draft)
  for (const old of [...sent.keys()].slice(0, -maximum)) sent.delete(old)
}

/** The template and its values of a reply that this tab sent. */
export function findTemplate(clientId: string | undefined): TemplateDraft | undefined {
  return clientId === undefined ? undefined : sent.get(clientId)
}
