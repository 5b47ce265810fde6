import { FailureClass } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { FailureAdvice } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'

/** General text and advice for each failure class, used where the channel has none of its own. */
const adviceByClass: Record<FailureClass, FailureAdvice> = {
  number_unreachable: {
    title: 'The phone could not be reached',
    advice: 'It was off or out of coverage until the message expired. Send again on another day.',
  },
  invalid_number: { title: 'The number does not exist', advice: 'Remove it from your list: it is not in use.' },
  operator_rejected: {
    title: 'The operator rejected the message',
    advice: 'Check the operator’s code with your provider.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'The operator could not deliver it. The number may be out of use; try once more before you remove it.',
  },
  expired: {
    title: 'Expired before delivery',
    advice: 'The phone was off for too long. Send again on another day.',
  },
  dnd_blocked: {
    title: 'Blocked by do-not-disturb',
    advice:
      'The number is on the do-not-disturb register for this category. Ask for consent, or use a service template.',
  },
  opted_out: { title: 'The person opted out', advice: 'Nothing to do: people who opted out are not messaged.' },
  outside_window: {
    title: 'Outside the permitted hours',
    advice: 'Such messages may be sent at certain hours only: keep the campaign’s hours within these.',
  },
  dlt_entity: {
    title: 'The registered entity was not accepted',
    advice:
      'Compare the entity id of the template with the one on your DLT portal, and check whether it is active there.',
  },
  dlt_telemarketer: {
    title: 'The chain of telemarketers is not registered',
    advice: 'Register your provider as telemarketer for your entity on the DLT portal.',
  },
  dlt_header: {
    title: 'The header was not accepted',
    advice: 'Check on the DLT portal whether the header is active and belongs to your entity.',
  },
  dlt_template: {
    title: 'The text does not match its registered template',
    advice:
      'Compare the text with the template on the DLT portal; values must match their tags and may not be too long.',
  },
  sender_rejected: {
    title: 'The provider does not accept the header',
    advice: 'Ask your provider to enable this header for your account.',
  },
  channel_auth: {
    title: 'The provider rejected the credentials',
    advice: 'Check name and password, or the token, of the account.',
  },
  content_blocked: { title: 'The text was blocked', advice: 'A link or a word in it is not permitted: change it.' },
  bad_request: {
    title: 'The provider could not read the message',
    advice: 'Check the settings of the account, or ask your provider.',
  },
  throughput_limited: {
    title: 'The provider was too busy for too long',
    advice: 'Lower the rate of the account to what was agreed.',
  },
  not_connected: { title: 'There was no connection to the provider', advice: 'Check the status of the account.' },
  missing_variable: {
    title: 'A variable had no value',
    advice: 'Fill the empty cells of the file, or enter a value for rows without one.',
  },
  user_marketing_cap: {
    title: 'Marketing limit of the person reached',
    advice: 'The channel limits how much marketing a person gets. Try again after a day.',
  },
  sender_spam_limited: {
    title: 'The sender is limited because of complaints',
    advice: 'Stop marketing from it for a while, and message only people who opted in.',
  },
  pair_rate_limited: {
    title: 'Too many messages to the same person',
    advice: 'The channel limits how often one sender may message one person. Spread them out.',
  },
  template_params: {
    title: 'Values don’t match the template',
    advice: 'Compare the template’s variables and buttons with the values: number, type and length.',
  },
  template_missing_locale: {
    title: 'Template not found in this language',
    advice: 'Check whether it is approved in that language, under the same name.',
  },
  template_paused: {
    title: 'The template is paused',
    advice: 'People reported or ignored it. It resumes after some hours; send it to fewer people, or change it.',
  },
  template_disabled: {
    title: 'The template is disabled',
    advice: 'It was paused too often or violates the rules. Create a new one.',
  },
  media_failed: {
    title: 'The image, video or document could not be used',
    advice: 'Upload it again in another type or size, and check whether its URL is public.',
  },
  auth_template_to_bsuid: {
    title: 'Codes need a visible phone number',
    advice: 'Authentication templates need a phone number: ask the person for it.',
  },
  recently_messaged: {
    title: 'Messaged recently',
    advice: 'This campaign skips people messaged recently by another campaign. Try again in a few days.',
  },
  frequency_capped: {
    title: 'Limit of marketing messages reached',
    advice: 'The person had as many marketing campaigns as your sending limits allow. Send it again in a few days.',
  },
  held_out: {
    title: 'Held out of the test',
    advice: 'Nothing to do: these people get no message, so that the others can be compared with them.',
  },
  revoked: {
    title: 'Revoked before delivery',
    advice:
      'It was not delivered in time, or the campaign was discarded. It was revoked so that it does not arrive late.',
  },
  campaign_expired: {
    title: 'The campaign ended first',
    advice: 'Choose a later end, or ask for a higher rate.',
  },
  unknown: {
    title: 'Unknown reason',
    advice: 'The provider’s code gives no details. Ask your provider.',
  },
}

export function adviseOn(reason: string, channel: Channel): FailureAdvice {
  const known = FailureClass.safeParse(reason)
  const failure = known.success ? known.data : 'unknown'
  return getChannel(channel).advice[failure] ?? adviceByClass[failure]
}
