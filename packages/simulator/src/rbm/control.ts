import { settingProblem } from '../setting-problem.ts'
import { isCarrier, regionIdOf } from './carriers.ts'
import { demoPartner } from './demo-agent.ts'
import { changeLaunch } from './launch.ts'
import type { MessageFilter, RbmMessage } from './message-log.ts'
import { type Agent, agentUseCases, type DotgoTemplate, launchStates, templateStatuses, type Row } from './objects.ts'
import { createPersonActions } from './person-actions.ts'
import type { Rbm } from './rbm.ts'
import { needOneOf, needText, readOneOf, readText } from './reading.ts'
import { resetRbm } from './reset-rbm.ts'
import { defaultSettings } from './settings.ts'
import { verifyWebhook } from './webhook-check.ts'

/** Control functions of the simulated RCS platforms, in process and over HTTP. */
export type RbmControl = ReturnType<typeof createRbmControl>

export function createRbmControl(rbm: Rbm) {
  return { ...settingActions(rbm), ...accountActions(rbm), ...agentActions(rbm), people: createPersonActions(rbm) }
}

const mostListed = 5000

function settingActions(rbm: Rbm) {
  return {
    settings: () => ({ ...rbm.settings }),
    set(changes: Row) {
      const problem = settingProblem(defaultSettings, changes)
      if (problem !== undefined) throw new RangeError(problem)
      return { settings: { ...Object.assign(rbm.settings, changes) } }
    },
    /** Restores the initial state, including agents, templates and webhooks, which a reset keeps. */
    restart() {
      rbm.directory.reset()
      resetRbm(rbm)
      return { restarted: true }
    },
    overview: () => ({
      agents: [...rbm.directory.agents.values()].map(presentAgent),
      webhook: rbm.directory.webhook()?.url,
      webhooks: rbm.outbox.counts(),
    }),
    /** What became of every accepted message, and every time a phone showed it. */
    listMessages(filter: MessageFilter) {
      const number = filter.number?.replaceAll(/\D/g, '')
      const messages = rbm.messages.list({ ...filter, number, limit: Math.min(filter.limit, mostListed) })
      return { messages: messages.map(presentMessage), next: messages.at(-1)?.sequence ?? filter.since }
    },
    listTemplates: () => ({ templates: [...rbm.directory.templates.values()].map(presentTemplate) }),
    /** The operator's decision about a template of the Dotgo platform. */
    changeTemplate(name: string, row: Row) {
      const template = [...rbm.directory.templates.values()].find((each) => each.name === name)
      if (!template) throw new RangeError(`There is no template ${name}`)
      template.status = needOneOf({ row, name: 'status' }, templateStatuses)
      template.reason = readText({ row, name: 'reason' }) ?? ''
      return presentTemplate(template)
    },
  }
}

function presentTemplate({ files: _files, ...template }: DotgoTemplate) {
  return template
}

function presentMessage(message: RbmMessage) {
  const { sequence, id, agent, number, text, status, shownAtMs, isUnwanted, isRead, trafficType, templateCode } =
    message
  return {
    sequence,
    id,
    agentId: agent.id,
    number,
    text,
    status,
    timesShown: shownAtMs.length,
    shownAt: shownAtMs.map((at) => new Date(at).toISOString()),
    isRead,
    isUnwanted,
    trafficType,
    templateCode,
  }
}

function presentAgent({ launches, webhook, ...agent }: Agent) {
  return { ...agent, launches: Object.fromEntries(launches), webhook: webhook?.url }
}

function accountActions(rbm: Rbm) {
  return {
    /** The key file of the partner's service account. */
    serviceAccount() {
      const [key] = rbm.directory.keys()
      return {
        type: 'service_account',
        project_id: demoPartner.projectId,
        private_key_id: key?.id ?? '',
        private_key: key?.privateKey ?? '',
        client_email: demoPartner.clientEmail,
        client_id: demoPartner.partnerId,
        token_uri: `${rbm.origin}/rbm/token`,
      }
    },
    /** The earlier key and its tokens are rejected from now on. */
    replaceKey() {
      rbm.directory.replaceKey()
      rbm.tokens.revokeAll()
      return { replaced: true }
    },
    issueToken: () => ({ token: rbm.tokens.issue() }),
    revokeTokens() {
      rbm.tokens.revokeAll()
      rbm.dotgoTokens.clear()
      return { revoked: true }
    },
    /** The webhook of one agent, or of the partner. */
    async setWebhook(row: Row) {
      const url = needText({ row, name: 'url' })
      const clientToken = readText({ row, name: 'clientToken' }) ?? demoPartner.clientToken
      const agentId = readText({ row, name: 'agentId' })
      const agent = agentId === undefined ? undefined : needAgent(rbm, agentId)
      if (agent?.platform !== 'dotgo' && row.handshake !== false) await verifyWebhook({ url, clientToken })
      if (agent) agent.webhook = { url, clientToken, integrationId: 'control' }
      else rbm.directory.setWebhook({ url, clientToken })
      return { url, clientToken, agentId: agent?.id }
    },
    /** Webhooks on this machine get a new origin: the server may have restarted on another port. */
    moveCallbacks(address: string) {
      const { origin } = new URL(address)
      const webhooks = [rbm.directory.webhook(), ...[...rbm.directory.agents.values()].map(({ webhook }) => webhook)]
      for (const webhook of webhooks) {
        if (!webhook) continue
        const url = new URL(webhook.url)
        if (url.hostname === '127.0.0.1') webhook.url = `${origin}${url.pathname}${url.search}`
      }
      return { address: origin }
    },
  }
}

function needAgent(rbm: Rbm, id: string): Agent {
  const agent = rbm.directory.findAgent(id)
  if (!agent) throw new RangeError(`There is no agent ${id}`)
  return agent
}

function agentActions(rbm: Rbm) {
  return {
    changeAgent(id: string, row: Row) {
      const agent = needAgent(rbm, id)
      agent.useCase = readOneOf({ row, name: 'useCase' }, agentUseCases) ?? agent.useCase
      agent.verification =
        readOneOf({ row, name: 'verification' }, ['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED']) ??
        agent.verification
      return presentAgent(agent)
    },
    /** A carrier's decision about the launch of an agent. */
    changeLaunch(id: string, row: Row) {
      const agent = needAgent(rbm, id)
      const region = regionIdOf(needText({ row, name: 'region' }))
      if (!isCarrier(region)) throw new RangeError(`There is no region ${region}`)
      const state = needOneOf({ row, name: 'state' }, launchStates)
      changeLaunch(rbm, agent, { region, state, comment: readText({ row, name: 'comment' }) })
      return presentAgent(agent)
    },
  }
}
