import type { Call } from './graph.ts'
import { GraphError, noSuchObject } from './graph-error.ts'
import { needScope, reaches } from './auth.ts'
import type { App, Media, PhoneNumber, Scope, Template, Waba } from './objects.ts'
import { readAppSubscriptions, subscribeApp } from './app-subscriptions.ts'
import { deleteMedia, readMedia, sendMediaBytes, uploadMedia } from './media.ts'
import {
  changeNumber,
  createNumber,
  deregisterNumber,
  listNumbers,
  readNumber,
  registerNumber,
  requestCode,
  verifyCode,
} from './numbers.ts'
import { changeProfile, readProfile } from './profiles.ts'
import { readTemplateAnalytics } from './template-analytics.ts'
import { debugToken } from './tokens.ts'
import { startUpload } from './uploads.ts'
import { changeWaba, readWaba } from './wabas.ts'
import { sendMessage } from './send-message.ts'
import {
  compareTemplates,
  createTemplate,
  deleteTemplates,
  editTemplate,
  listTemplates,
  readTemplate,
  resumeTemplate,
} from './templates.ts'
import { readSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

export type Run<Node> = (call: Call, node: Node) => unknown

/** Keyed by `METHOD edge`; without an edge the call addresses the object itself. */
export type Calls<Node> = Record<string, Run<Node>>

const wabaCalls: Calls<Waba> = {
  GET: readWaba,
  POST: changeWaba,
  'GET phone_numbers': listNumbers,
  'POST phone_numbers': createNumber,
  'GET template_analytics': readTemplateAnalytics,
  'POST subscribed_apps': subscribe,
  'GET subscribed_apps': readSubscriptions,
  'DELETE subscribed_apps': unsubscribe,
  'POST message_templates': createTemplate,
  'GET message_templates': listTemplates,
  'DELETE message_templates': deleteTemplates,
}

const numberCalls: Calls<PhoneNumber> = {
  GET: readNumber,
  POST: changeNumber,
  'POST messages': sendMessage,
  'POST media': uploadMedia,
  'POST request_code': requestCode,
  'POST verify_code': verifyCode,
  'POST register': registerNumber,
  'POST deregister': deregisterNumber,
  'GET whatsapp_business_profile': readProfile,
  'POST whatsapp_business_profile': changeProfile,
}

const templateCalls: Calls<Template> = {
  GET: readTemplate,
  POST: editTemplate,
  'POST unpause': resumeTemplate,
  'GET compare': compareTemplates,
}
const mediaCalls: Calls<Media> = { GET: readMedia, DELETE: deleteMedia }

const appCalls: Calls<App> = {
  'POST uploads': startUpload,
  'POST subscriptions': subscribeApp,
  'GET subscriptions': readAppSubscriptions,
}

/** Calls without an object. */
const freeCalls: Record<string, (call: Call) => unknown> = {
  'GET debug_token': debugToken,
  'GET whatsapp_business/attachments': sendMediaBytes,
}

const messagingEdges: ReadonlySet<string> = new Set(['messages', 'media'])

export type Path = { method: string; id: string; edge: string }

/** Resolves the object and the call. Objects the token cannot access are treated as missing. */
export function runCall(call: Call, path: Path): unknown {
  const { meta } = call.graph
  const { id, edge } = path
  const free = freeCalls[`${path.method} ${edge === '' ? id : `${id}/${edge}`}`]
  if (free) return free(call)
  const number = meta.numbers.get(id)
  if (number) {
    const scope = messagingEdges.has(edge) ? 'whatsapp_business_messaging' : 'whatsapp_business_management'
    return runOn(call, path, {
      node: number,
      wabaId: number.wabaId,
      calls: numberCalls,
      type: 'WhatsAppBusinessPhoneNumber',
      scope,
    })
  }
  const waba = meta.wabas.get(id)
  if (waba) return runOn(call, path, { node: waba, wabaId: waba.id, calls: wabaCalls, type: 'WhatsAppBusinessAccount' })
  const template = meta.templates.get(id)
  if (template)
    return runOn(call, path, {
      node: template,
      wabaId: template.wabaId,
      calls: templateCalls,
      type: 'WhatsAppMessageTemplate',
    })
  const media = meta.media.get(id)
  if (media) {
    const wabaId = meta.numbers.get(media.phoneNumberId)?.wabaId ?? ''
    return runOn(call, path, {
      node: media,
      wabaId,
      calls: mediaCalls,
      type: 'WhatsAppMedia',
      scope: 'whatsapp_business_messaging',
    })
  }
  const app = meta.apps.get(id)
  if (app && call.token.appId === app.id) return runOn(call, path, { node: app, calls: appCalls, type: 'Application' })
  throw noSuchObject(id, path.method)
}

type Found<Node> = { node: Node; wabaId?: string; calls: Calls<Node>; type: string; scope?: Scope }

function runOn<Node>(call: Call, { method, id, edge }: Path, found: Found<Node>): unknown {
  const { node, wabaId, calls, type, scope } = found
  if (wabaId !== undefined) {
    if (!reaches(call.token, wabaId)) throw noSuchObject(id, method)
    needScope(call.token, scope ?? 'whatsapp_business_management')
  }
  const run = calls[`${method} ${edge}`.trimEnd()]
  if (run) return run(call, node)
  if (edge === '') throw noSuchObject(id, method)
  throw new GraphError(100, {
    message: `(#100) Tried accessing nonexisting field (${edge}) on node type (${type})`,
  })
}
