import { channelList } from '../../channels/index.ts'

const records = channelList.flatMap((entry) => entry.records ?? [])

/** Actions as text that follows a name: 'Meera Joshi invited someone'. */
const words: Record<string, string> = {
  ...Object.fromEntries(records.flatMap(({ actions }) => Object.entries(actions))),
  'account.activated': 'reactivated an account',
  'account.closed': 'closed an account',
  'account.created': 'created an account',
  'account.locked': 'locked an account',
  'account.moved': 'moved an account',
  'account.registered': 'registered',
  'account.suspended': 'suspended an account',
  'account.updated': 'changed an account',
  'agent.added': 'added an agent',
  'agent.removed': 'removed an agent',
  'agent.updated': 'changed an agent',
  'api_key.created': 'created an API key',
  'api_key.deactivated': 'deactivated an API key',
  'api_key.regenerated': 'regenerated an API key',
  'api_key.updated': 'changed an API key',
  'audience.corrected': 'corrected numbers of an audience',
  'audience.removed': 'deleted a saved audience',
  'audience.saved': 'saved an audience',
  'audience.uploaded': 'uploaded an audience',
  'balance.closed': 'switched an account to the shared balance',
  'balance.moved': 'moved balance',
  'balance.opened': 'set up a separate balance for an account',
  'billing_details.updated': 'changed the billing details',
  'brand.changed': 'changed the brand',
  'campaign.cancelled': 'cancelled a campaign',
  'campaign.completed': 'completed a campaign',
  'campaign.created': 'created a campaign',
  'campaign.discarded': 'discarded a campaign',
  'campaign.paused': 'paused a campaign',
  'campaign.reopened': 'edited a ready campaign',
  'campaign.rescheduled': 'rescheduled a campaign',
  'campaign.resumed': 'resumed a campaign',
  'campaign.running': 'began sending a campaign',
  'campaign.scheduled': 'scheduled a campaign',
  'campaign.started': 'started a campaign',
  'campaign.taken_back': 'unscheduled a campaign to edit it',
  'campaign.test_sent': 'sent a test message',
  'campaign.unscheduled': 'unscheduled a campaign',
  'campaign.validated': 'finished validating a campaign',
  'campaign.validation_failed': 'found errors in a campaign',
  'campaign.validation_requested': 'validated a campaign',
  'channels.updated': 'switched channels',
  'email.change_cancelled': 'cancelled an email address change',
  'email.change_requested': 'requested an email address change',
  'email.change_resent': 'resent an email address confirmation',
  'email.changed': 'changed an email address',
  'file.deleted': 'deleted a file',
  'file.uploaded': 'uploaded a file',
  'impersonation.allowed': 'changed impersonation rights',
  'impersonation.ended': 'stopped impersonating an account',
  'impersonation.started': 'impersonated an account',
  'inbox_settings.updated': 'changed the inbox settings',
  'invitation.accepted': 'accepted an invitation',
  'invitation.resent': 'resent an invitation',
  'invitation.revoked': 'revoked an invitation',
  'invitation.sent': 'invited someone',
  'key_config.created': 'created a key config',
  'key_config.deleted': 'deleted a key config',
  'key_config.updated': 'changed a key config',
  'limits.changed': 'changed limits',
  'opt_out.added': 'added opt-outs',
  'opt_out.removed': 'removed an opt-out',
  'password.changed': 'changed the password',
  'password.link_sent': 'sent a password link',
  'password.one_time_set': 'set a one-time password',
  'password.reset': 'reset the password by email',
  'permissions.changed': 'changed permissions',
  'rate_card.created': 'added a rate card',
  'rate_card.removed': 'removed a rate card',
  'report.deleted': 'deleted a report',
  'report.requested': 'requested a report',
  'second_factor.added': 'turned on two-factor authentication',
  'second_factor.removed': 'turned off two-factor authentication',
  'sending.paused': 'paused all sending',
  'sending.resumed': 'resumed all sending',
  'sending_rules.updated': 'changed the sending limits',
  'session.ended': 'signed out',
  'session.started': 'signed in',
  'sessions.ended': 'ended all sessions',
  'sign_up.changed': 'changed the registration settings',
  'smpp_credential.created': 'created SMPP credentials',
  'smpp_credential.deactivated': 'deactivated SMPP credentials',
  'smpp_credential.password_changed': 'changed the password of SMPP credentials',
  'smpp_credential.updated': 'changed SMPP credentials',
  'support.escalated': 'escalated a support request',
  'support.opened': 'opened a support request',
  'team.created': 'created a team',
  'team.deleted': 'deleted a team',
  'team.updated': 'changed a team',
  'template.created': 'created a template',
  'template.deleted': 'deleted a template',
  'template.updated': 'changed a template',
  'template_family.created': 'created a template family',
  'template_family.deleted': 'deleted a template family',
  'template_family.updated': 'changed a template family',
  'topup.approved': 'approved a top-up request',
  'topup.rejected': 'rejected a top-up request',
  'topup.requested': 'requested a top-up',
  'webhook_endpoint.created': 'created a webhook endpoint',
  'webhook_endpoint.deleted': 'deleted a webhook endpoint',
  'webhook_endpoint.disabled': 'disabled a webhook endpoint',
  'webhook_endpoint.enabled': 'enabled a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'rotated the secret of a webhook endpoint',
  'webhook_endpoint.updated': 'changed a webhook endpoint',
}

/** The first part of an action, used as filter. */
export const auditGroups: readonly { value: string; label: string }[] = [
  { value: 'any', label: 'Everything' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'campaign', label: 'Campaigns' },
  { value: 'opt_out', label: 'Opt-outs' },
  { value: 'account', label: 'Accounts' },
  { value: 'permissions', label: 'Permissions' },
  { value: 'balance', label: 'Balance' },
  { value: 'password', label: 'Passwords' },
  { value: 'impersonation', label: 'Impersonation' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'api_key', label: 'API keys' },
  { value: 'webhook_endpoint', label: 'Webhooks' },
  { value: 'smpp_credential', label: 'SMPP' },
  { value: 'agent', label: 'Agents' },
  { value: 'team', label: 'Teams' },
  ...records.flatMap(({ actionGroups }) => actionGroups),
]

export function describeAction(action: string): string {
  return words[action] ?? action.replaceAll(/[._]/g, ' ')
}

type Details = Record<string, string | number | boolean | null>

/** The entry already names both. */
const named = ['actor', 'subject']
/** Written by the server with two decimals. */
const amounts = ['amount', 'approved', 'asked']

/** Details of an entry, such as a reason or granted modules. */
export function describeDetails(details: Details): string {
  return Object.entries(details)
    .filter(([name, value]) => value !== '' && value !== null && !named.includes(name))
    .map(([name, value]) => `${spell(name)}: ${amounts.includes(name) ? '₹' : ''}${String(value)}`)
    .join(' · ')
}

/** fileName: file name */
function spell(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .replace(/\bapi\b/, 'API')
}
