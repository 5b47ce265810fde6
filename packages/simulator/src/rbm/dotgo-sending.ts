import type { FastifyReply } from 'fastify'
import { readContent } from './agent-message.ts'
import { templateKey } from './directory.ts'
import { fillTemplate, variablesOf } from './dotgo-templates.ts'
import type { Agent, DotgoTemplate, Row } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import type { RcsContent } from './rcs-content.ts'
import { isRow, needRow, needText, readRow } from './reading.ts'
import { accept, readingOf } from './send-message.ts'

export type BotOrder = { bot: Agent; number: string; messageId: string; body: Row; reply: FastifyReply }

/** A template or a message of a conversation. Neither expires, and a repeated messageId is delivered again. */
export async function sendFromBot(rbm: Rbm, { bot, number, messageId, body, reply }: BotOrder) {
  const message = needRow({ row: body, name: 'contentMessage' })
  const templateMessage = readRow({ row: message, name: 'templateMessage', path: 'contentMessage' })
  const { content, templateCode } = templateMessage
    ? readTemplateMessage(rbm, bot, templateMessage)
    : { content: readContent(readingOf(rbm), message), templateCode: undefined }
  return accept(rbm, {
    agent: bot,
    number,
    id: messageId,
    content,
    templateCode,
    expiresAtMs: undefined,
    trafficType: undefined,
    reply,
    answer: JSON.stringify({ messageId, status: 'submitted' }),
  })
}

function readTemplateMessage(rbm: Rbm, bot: Agent, row: Row): { content: RcsContent; templateCode: string } {
  const templateCode = needText({ row, name: 'templateCode', path: 'contentMessage.templateMessage' })
  const template = rbm.directory.templates.get(templateKey({ botId: bot.id, name: templateCode }))
  if (!template) throw new RbmError('INVALID_ARGUMENT', `There is no template ${templateCode}`, 'templateCode')
  if (template.status !== 'approved')
    throw new RbmError('INVALID_ARGUMENT', `The template ${templateCode} is ${template.status}`, 'templateCode')
  return { content: fillTemplate(rbm, template, readParams(template, row.customParams)), templateCode }
}

/** A JSON string in the platform's notes, a list in programs that use it: both are accepted. */
function readParams(template: DotgoTemplate, given: unknown): Record<string, string> {
  const parsed = typeof given === 'string' ? parse(given) : given
  const names = variablesOf(template)
  const values: Record<string, string> = {}
  if (Array.isArray(parsed))
    for (const [index, entry] of parsed.entries()) Object.assign(values, readEntry(entry, names[index]))
  else if (isRow(parsed)) for (const [name, value] of Object.entries(parsed)) values[name] = textOf(value)
  else if (parsed !== undefined) throw invalid('customParams', 'must be a JSON object or a list')
  const missing = names.find((name) => values[name] === undefined)
  if (missing !== undefined) throw invalid('customParams', `has no value for ${missing}`)
  return values
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('customParams', 'is not valid JSON')
  }
}

/** A value of a list: `{name, value}`, `{<name>: value}`, or the bare value of the variable in this place. */
function readEntry(entry: unknown, name: string | undefined): Record<string, string> {
  if (!isRow(entry)) return name === undefined ? {} : { [name]: textOf(entry) }
  if (typeof entry.name === 'string' && entry.value !== undefined) return { [entry.name]: textOf(entry.value) }
  return Object.fromEntries(Object.entries(entry).map(([each, value]) => [each, textOf(value)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
