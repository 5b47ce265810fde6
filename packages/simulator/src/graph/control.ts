import { createAccountActions } from './account-actions.ts'
import { demoAccount } from './demo-account.ts'
import type { Graph } from './graph.ts'
import type { Media, Person, Row } from './objects.ts'
import { createPersonActions, type PersonActions, type PersonChanges } from './person-actions.ts'
import { needText, readText } from './reading.ts'
import { settingProblem } from '../setting-problem.ts'
import { defaultSettings } from './settings.ts'
import { verifyCallback } from './subscriptions.ts'
import { createTemplateActions } from './template-actions.ts'
import { resetGraph } from './reset-graph.ts'

/** Control functions of the simulated Meta, in process and over HTTP. */
export type GraphControl = ReturnType<typeof createGraphControl>

export function createGraphControl(graph: Graph) {
  const people = createPersonActions(graph)
  return {
    ...settingActions(graph),
    ...phoneActions(graph, people),
    ...createTemplateActions(graph),
    ...createAccountActions(graph),
    people,
  }
}

function settingActions(graph: Graph) {
  return {
    settings: () => ({ ...graph.settings }),
    set(changes: Row) {
      const problem = settingProblem(defaultSettings, changes)
      if (problem !== undefined) throw new RangeError(problem)
      return { settings: { ...Object.assign(graph.settings, changes) } }
    },
    overview: () => overviewOf(graph),
    /** Restores the initial state, including accounts, templates and subscriptions, which a reset keeps. */
    restart() {
      graph.meta.reset()
      resetGraph(graph)
      return { restarted: true }
    },
    /** The webhook of the app dashboard; also subscribes every WABA of the app without a subscription. */
    async setWebhook(row: Row) {
      const appId = readText(row, 'appId') ?? demoAccount.appId
      const app = graph.meta.apps.get(appId)
      if (!app) throw new RangeError(`There is no app ${appId}`)
      const verifyToken = readText(row, 'verifyToken') ?? app.verifyToken
      const secret = readText(row, 'secret') ?? app.secret
      const url = readText(row, 'url')
      if (url !== undefined && row.handshake !== false) await verifyCallback({ url, verifyToken })
      const fields = Array.isArray(row.fields) ? new Set(row.fields.map(String)) : app.fields
      Object.assign(app, { verifyToken, secret, fields, callbackUrl: url ?? app.callbackUrl })
      for (const waba of graph.meta.wabas.values())
        if (url !== undefined && waba.subscriptions.size === 0) waba.subscriptions.set(app.id, { override: undefined })
      return { appId, url: app.callbackUrl, verifyToken }
    },
    listMessages: ({ since, limit }: { since: number; limit: number }) => {
      const messages = graph.messages.list({ since, limit: Math.min(limit, 5000) })
      return { messages, next: messages.at(-1)?.sequence ?? since }
    },
    findMedia: (id: string): Media | undefined => graph.meta.media.get(id),
    findFile: (handle: string) => graph.meta.handles.get(handle),
  }
}

function overviewOf(graph: Graph) {
  return {
    numbers: [...graph.meta.numbers.values()].map(({ pin: _pin, code: _code, profile: _profile, ...number }) => number),
    wabas: [...graph.meta.wabas.values()].map(({ id, name, subscriptions }) => ({
      id,
      name,
      subscriptions: [...subscriptions].map(([appId, { override }]) => ({ appId, url: override?.url })),
    })),
    apps: [...graph.meta.apps.values()].map(({ id, name, callbackUrl }) => ({ id, name, callbackUrl })),
    webhooks: graph.outbox.counts(),
  }
}

const personFields = ['name', 'userId', 'username', 'hidesNumber', 'isOnWhatsApp', 'readReceipts'] as const

function phoneActions(graph: Graph, people: PersonActions) {
  const show = (number: string) => presentPerson(graph, people.describe(number))
  return {
    showPerson: show,
    describePerson(number: string, row: Row) {
      const unknown = Object.keys(row).find((name) => !personFields.some((field) => field === name))
      if (unknown !== undefined) throw new RangeError(`A person has no ${unknown}`)
      people.describe(number, readPersonChanges(row))
      return show(number)
    },
    write(number: string, { phoneNumberId, ...message }: Row) {
      return people.write({ from: number, phoneNumberId: needText({ phoneNumberId }, 'phoneNumberId'), message })
    },
    tap(number: string, row: Row) {
      const count = (name: 'button' | 'card') => (row[name] === undefined ? {} : { [name]: Number(row[name]) })
      const rowId = readText(row, 'row')
      return people.tap({
        from: number,
        messageId: needText(row, 'messageId'),
        ...count('button'),
        ...count('card'),
        ...(rowId === undefined ? {} : { row: rowId }),
      })
    },
    read: (number: string, row: Row) => ({
      read: people.read({ from: number, phoneNumberId: readText(row, 'phoneNumberId') }),
    }),
    react: (number: string, row: Row) =>
      people.react({ from: number, messageId: needText(row, 'messageId'), emoji: readText(row, 'emoji') }),
    block(number: string, row: Row) {
      people.block(number, needText(row, 'phoneNumberId'), row.isBlocked !== false)
      return show(number)
    },
    prefer(number: string, row: Row) {
      const value = row.value === 'resume' ? 'resume' : 'stop'
      people.prefer({ from: number, phoneNumberId: needText(row, 'phoneNumberId'), value })
      return show(number)
    },
  }
}

function readPersonChanges(row: Row): PersonChanges {
  const changes: PersonChanges = {}
  for (const name of ['name', 'userId', 'username'] as const) {
    const text = readText(row, name)
    if (text !== undefined) changes[name] = text
  }
  for (const name of ['hidesNumber', 'isOnWhatsApp', 'readReceipts'] as const)
    if (row[name] !== undefined) changes[name] = row[name] === true
  return changes
}

function presentPerson(graph: Graph, person: Person) {
  return {
    ...person,
    blocked: [...person.blocked],
    stopped: [...person.stopped],
    numbers: [...graph.meta.numbers.values()].map((number) => ({
      id: number.id,
      wabaId: number.wabaId,
      name: number.verifiedName,
      displayPhoneNumber: number.displayPhoneNumber,
      picture: number.profile.profile_picture_url,
      isTyping: graph.typing.isShown(number.id, person.waId),
      windowExpiresAt: graph.windows.expiresAtMs(number.id, person.waId),
    })),
  }
}
