import type { RcsMessage, RcsTemplateMessage } from '../message.ts'
import { messageIdOf } from '../message-id.ts'
import type { DotgoRequest } from './api.ts'
import type { DotgoConfig, ParamForm } from './config.ts'

/** A template by its name, or a message within a conversation. The platform has no time to live. */
export function sendRequest({ to, reference, content, template }: RcsMessage, config: DotgoConfig): DotgoRequest {
  const { serverUrl, botPath, botId, isAsync, paramForm } = config
  const path = `${botPath.replaceAll('{botId}', encodeURIComponent(botId)).replace(/\/+$/, '')}/phones/${encodeURIComponent(to)}`
  const query = new URLSearchParams({ botId, messageId: messageIdOf(reference) })
  const message = template ? { templateMessage: writeTemplate(template, paramForm) } : content
  return {
    method: 'POST',
    url: `${serverUrl}${path}/agentMessages${isAsync ? '/async' : ''}?${query}`,
    contentType: 'application/json',
    body: JSON.stringify({ contentMessage: message }),
  }
}

function writeTemplate({ name: templateCode, params }: RcsTemplateMessage, form: ParamForm): object {
  const names = Object.keys(params)
  if (names.length === 0) return { templateCode }
  return { templateCode, customParams: paramForms[form](params) }
}

/** Notes of the operator and programs that use the platform differ. */
const paramForms: Record<ParamForm, (params: Record<string, string>) => unknown> = {
  json_text: (params) => JSON.stringify(params),
  object: (params) => params,
  list: (params) => Object.entries(params).map(([name, value]) => ({ name, value })),
}
