import { randomBytes, randomUUID } from 'node:crypto'
import { hasPhoneOrEmail, readProfile } from './agent-profile.ts'
import { regionIdOf } from './carriers.ts'
import { presentLaunches, requestLaunch, requestVerification } from './launch.ts'
import { agentNameOf, type ManagementCall, type ManagementRoute, needAgent, needBrand } from './management-call.ts'
import type { Agent, Row } from './objects.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { needRow, needText, needUrl, readList, requireKnown } from './reading.ts'
import { verifyWebhook } from './webhook-check.ts'

const agentPath = String.raw`^brands/([^/:]+)/agents/([^/:]+)`

function route(method: ManagementRoute['method'], rest: string, answer: AgentAnswer): ManagementRoute {
  const path = new RegExp(`${agentPath}${rest}$`)
  return {
    method,
    path,
    answer: (call, [brandId = '', id = '', ...parts]) => answer(call, needAgent(call, brandId, id), parts),
  }
}

type AgentAnswer = (call: ManagementCall, agent: Agent, parts: string[]) => unknown

/** Agents, their verification, launch and webhooks. */
export const agentCalls: ManagementRoute[] = [
  { method: 'POST', path: /^brands\/([^/:]+)\/agents$/, answer: createAgent },
  { method: 'GET', path: /^brands\/([^/:]+)\/agents$/, answer: listAgents },
  route('GET', '', present),
  route('PATCH', '', changeAgent),
  route('DELETE', '', deleteAgent),
  route('POST', ':requestVerification', verify),
  route('GET', '/verification', (_call, agent) => presentVerification(agent)),
  route('POST', ':requestLaunch', launch),
  route('GET', '/launch', (_call, agent) => presentLaunch(agent)),
  route('POST', '/integrations', integrate),
  route('GET', '/integrations', (_call, agent) => ({ integrations: agent.webhook ? [presentIntegration(agent)] : [] })),
  route('DELETE', '/integrations/([^/:]+)', (_call, agent) => {
    agent.webhook = undefined
    return {}
  }),
]

function present({ rbm }: ManagementCall, agent: Agent) {
  const profile = { ...agent.profile }
  for (const name of ['logoUri', 'heroUri']) profile[name] = absolute(rbm.origin, profile[name])
  return {
    name: agentNameOf(agent),
    displayName: agent.displayName,
    brandName: rbm.directory.brands.get(agent.brandId)?.displayName,
    rcsBusinessMessagingAgent: profile,
  }
}

/** Images of the demo are paths on the simulator. */
export function absolute(origin: string, uri: unknown): string {
  return typeof uri === 'string' && URL.canParse(uri, origin) ? new URL(uri, origin).href : ''
}

function createAgent(call: ManagementCall, [brandId = '']: string[]) {
  const { rbm, body } = call
  needBrand(call, brandId)
  requireKnown(body, ['name', 'displayName', 'brandName', 'rcsBusinessMessagingAgent'], '')
  const displayName = needText({ row: body, name: 'displayName' }, 100)
  const words = displayName.toLowerCase().replaceAll(/[^a-z\d]+/g, '_')
  const agent: Agent = {
    id: `${words}_${randomBytes(4).toString('hex')}_agent@rbm.goog`,
    platform: 'google',
    brandId,
    displayName,
    ...readProfile(needRow({ row: body, name: 'rcsBusinessMessagingAgent' })),
    verification: 'UNVERIFIED',
    verificationContact: undefined,
    questionnaire: undefined,
    launches: new Map(),
    webhook: undefined,
  }
  rbm.directory.agents.set(agent.id, agent)
  return present(call, agent)
}

function listAgents(call: ManagementCall, [brandId = '']: string[]) {
  if (brandId !== '-') needBrand(call, brandId)
  const agents = [...call.rbm.directory.agents.values()].filter(
    (agent) => agent.platform === 'google' && (brandId === '-' || agent.brandId === brandId),
  )
  return { agents: agents.map((agent) => present(call, agent)) }
}

const fixedAfterVerification = ['logoUri', 'heroUri']

/** `updateMask` names the fields that change; without it all given ones do. */
function changeAgent(call: ManagementCall, agent: Agent) {
  const { body, query } = call
  const given =
    body.rcsBusinessMessagingAgent === undefined ? {} : needRow({ row: body, name: 'rcsBusinessMessagingAgent' })
  const mask = query.updateMask?.split(',').map((field) => field.replace(/^rcsBusinessMessagingAgent\.?/, ''))
  const isMasked = (name: string) => !mask || mask.includes(name) || (mask.includes('') && name !== 'displayName')
  const changes: Row = Object.fromEntries(Object.entries(given).filter(([name]) => isMasked(name)))
  const isRenamed = body.displayName !== undefined && isMasked('displayName')
  const displayName = isRenamed ? needText({ row: body, name: 'displayName' }, 100) : agent.displayName
  const fixed = fixedAfterVerification.find((name) => name in changes && changes[name] !== agent.profile[name])
  if (agent.verification === 'VERIFIED' && (fixed !== undefined || displayName !== agent.displayName))
    throw new RbmError('FAILED_PRECONDITION', `${fixed ?? 'displayName'} of a verified agent cannot be changed`)
  Object.assign(agent, { displayName, ...readProfile(mergeProfile(call, agent, changes)) })
  return present(call, agent)
}

function mergeProfile({ rbm }: ManagementCall, { profile }: Agent, changes: Row): Row {
  const uris = Object.fromEntries(fixedAfterVerification.map((name) => [name, absolute(rbm.origin, profile[name])]))
  return { ...profile, ...uris, ...changes }
}

function deleteAgent({ rbm }: ManagementCall, agent: Agent) {
  if (agent.launches.size > 0) throw new RbmError('FAILED_PRECONDITION', 'A launched agent cannot be deleted')
  rbm.directory.agents.delete(agent.id)
  return {}
}

const contactFields = [
  'partnerName',
  'partnerEmailAddress',
  'brandContactName',
  'brandContactEmailAddress',
  'brandWebsiteUrl',
]

function verify({ rbm, body }: ManagementCall, agent: Agent) {
  const path = 'agentVerificationContact'
  const contact = needRow({ row: body, name: path })
  for (const name of contactFields) needText({ row: contact, name, path })
  requestVerification(rbm, agent)
  agent.verificationContact = contact
  return presentVerification(agent)
}

function presentVerification(agent: Agent) {
  return {
    name: `${agentNameOf(agent)}/verification`,
    verificationState: `VERIFICATION_STATE_${agent.verification}`,
    ...(agent.verificationContact ? { agentVerificationContact: agent.verificationContact } : {}),
  }
}

const questions = ['interactionsDescription', 'optoutDescription', 'triggerDescription', 'agentAccessInstructions']

function launch({ rbm, body }: ManagementCall, agent: Agent) {
  const given = needRow({ row: needRow({ row: body, name: 'agentLaunch' }), name: 'rcsBusinessMessaging' })
  const path = 'agentLaunch.rcsBusinessMessaging'
  const questionnaire = needRow({ row: given, name: 'questionnaire', path })
  for (const name of questions) needText({ row: questionnaire, name, path: `${path}.questionnaire` })
  if (!readList({ row: questionnaire, name: 'contacts', path })?.length)
    throw invalid(`${path}.questionnaire.contacts`, 'is required')
  const regions = Object.keys(needRow({ row: given, name: 'launchDetails', path })).map(regionIdOf)
  if (regions.length === 0) throw invalid(`${path}.launchDetails`, 'must name a region')
  if (agent.verification !== 'VERIFIED')
    throw new RbmError('FAILED_PRECONDITION', 'The agent must be verified before it is launched')
  if (!hasPhoneOrEmail(agent.profile))
    throw new RbmError('FAILED_PRECONDITION', 'The agent must have a phone number or an email address')
  requestLaunch(rbm, agent, regions)
  agent.questionnaire = questionnaire
  return presentLaunch(agent)
}

function presentLaunch(agent: Agent) {
  return {
    name: `${agentNameOf(agent)}/launch`,
    rcsBusinessMessaging: {
      ...(agent.questionnaire ? { questionnaire: agent.questionnaire } : {}),
      launchDetails: presentLaunches(agent.launches),
    },
  }
}

/** The webhook of one agent, which is validated first. */
async function integrate({ body }: ManagementCall, agent: Agent) {
  const path = 'agentWebhookIntegration'
  const row = needRow({ row: body, name: path })
  const webhook = {
    url: needUrl({ row, name: 'webhookUri', path }),
    clientToken: needText({ row, name: 'verificationToken', path }),
  }
  await verifyWebhook(webhook)
  agent.webhook = { ...webhook, integrationId: randomUUID() }
  return presentIntegration(agent)
}

function presentIntegration(agent: Agent) {
  return {
    name: `${agentNameOf(agent)}/integrations/${agent.webhook?.integrationId}`,
    status: 'ENABLED',
    agentWebhookIntegration: { webhookUri: agent.webhook?.url },
  }
}
