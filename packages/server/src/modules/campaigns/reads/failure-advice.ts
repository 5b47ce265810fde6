import { FailureClass } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'

export type FailureAdvice = { title: string; advice: string }

/** What each class of failure means and what to do about it, for a person. */
const adviceByClass: Record<FailureClass, FailureAdvice> = {
  number_unreachable: {
    title: 'The phone could not be reached',
    advice: 'It was off or out of coverage until the operator gave up. Send again on another day.',
  },
  invalid_number: { title: 'The number does not exist', advice: 'Take it off your list: it is not in use.' },
  operator_rejected: {
    title: 'The operator refused the message',
    advice: 'Check the operator’s code with your provider.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'The operator tried and gave up. The number may be out of use; try once more before you take it off.',
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
    advice:
      'Promotional SMS may arrive between 10:00 and 21:00, India time: keep the campaign’s hours within these. On WhatsApp, more than 24 hours had passed since the person’s last message: use a template.',
  },
  dlt_entity: {
    title: 'The registered entity was not accepted',
    advice:
      'Compare the entity id of the template with the one on your DLT portal, and see whether it is active there.',
  },
  dlt_telemarketer: {
    title: 'The chain of telemarketers is not registered',
    advice: 'Register your provider as telemarketer for your entity on the DLT portal.',
  },
  dlt_header: {
    title: 'The header was not accepted',
    advice: 'See on the DLT portal whether the header is active and belongs to your entity.',
  },
  dlt_template: {
    title: 'The text does not match its registered template',
    advice:
      'Compare text and template on the DLT portal to the letter; values must suit their tags and may not be too long.',
  },
  sender_rejected: {
    title: 'The provider does not accept the header',
    advice: 'Ask your provider to enable this header for your account.',
  },
  channel_auth: {
    title: 'The provider rejected the credentials',
    advice: 'Check name and password, or the token, of the account.',
  },
  content_blocked: {
    title: 'The text was blocked',
    advice: 'A link or a word in it is not permitted. Have links whitelisted on the DLT portal.',
  },
  bad_request: {
    title: 'The provider could not read the message',
    advice: 'Check the settings of the SMS account, or ask your provider.',
  },
  throughput_limited: {
    title: 'The provider was too busy for too long',
    advice: 'Lower the rate of the SMS account to what was agreed.',
  },
  not_connected: { title: 'There was no connection to the provider', advice: 'Check the status of the SMS account.' },
  missing_variable: {
    title: 'A variable had no value',
    advice: 'Fill the empty cells of the file, or enter a value for rows without one.',
  },
  user_marketing_cap: {
    title: 'Meta’s marketing limit reached',
    advice:
      'WhatsApp limits how much marketing a person gets from all businesses together. Try again after a day, or by SMS.',
  },
  sender_spam_limited: {
    title: 'WhatsApp limits this number because of complaints',
    advice: 'Stop marketing from it until its quality is green again, and write only to people who asked for it.',
  },
  pair_rate_limited: {
    title: 'Too many messages to the same person',
    advice: 'WhatsApp takes about ten a minute from one number to one person. Spread them out.',
  },
  template_params: {
    title: 'Values don’t match the template',
    advice: 'Compare the template’s variables and buttons with the values: how many, of which kind, and how long.',
  },
  template_missing_locale: {
    title: 'Template not found in this language',
    advice: 'See whether it is approved in the language that was sent, and under the same name.',
  },
  template_paused: {
    title: 'The template is paused',
    advice: 'People reported or ignored it. It resumes after some hours; send it to fewer people, or change it.',
  },
  template_disabled: {
    title: 'The template is disabled',
    advice: 'It was paused too often or may not be used. Write a new one.',
  },
  media_failed: {
    title: 'The picture, video or document could not be used',
    advice:
      'Upload it again in a type and size that WhatsApp takes, and see whether its address can be opened by anybody.',
  },
  auth_template_to_bsuid: {
    title: 'Codes need a visible phone number',
    advice: 'Authentication templates need a phone number: ask the person for it.',
  },
  recently_messaged: {
    title: 'Messaged recently',
    advice: 'This campaign skips people messaged recently by another campaign. Try again in a few days.',
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

/** Where WhatsApp means something else by a class than an operator of SMS. */
const adviceOnWhatsapp: Partial<Record<FailureClass, FailureAdvice>> = {
  number_unreachable: {
    title: 'Not reachable on WhatsApp',
    advice: 'The number has no WhatsApp, an old version of it, or has not accepted its terms. Write to it by SMS.',
  },
  operator_rejected: {
    title: 'WhatsApp refused the message',
    advice: 'Look up Meta’s error code for the rule or setting.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'WhatsApp tried and gave up. Send again on another day, or by SMS.',
  },
  expired: {
    title: 'Expired before delivery on WhatsApp',
    advice: 'The phone was off for too long. Send again on another day, or by SMS.',
  },
  bad_request: {
    title: 'WhatsApp could not read the message',
    advice: 'Compare the template with its values, and see whether the number is still registered.',
  },
  throughput_limited: {
    title: 'WhatsApp was too busy for too long',
    advice: 'Send again later: nothing is wrong with the number or the text.',
  },
  not_connected: {
    title: 'There was no connection to WhatsApp',
    advice: 'Check the setup steps of the WhatsApp account.',
  },
  content_blocked: {
    title: 'The text was blocked',
    advice: 'Something in it goes against WhatsApp’s rules for businesses. Change the template.',
  },
}

export function adviseOn(reason: string, channel: Channel): FailureAdvice {
  const known = FailureClass.safeParse(reason)
  const failure = known.success ? known.data : 'unknown'
  return (channel === 'whatsapp' ? adviceOnWhatsapp[failure] : undefined) ?? adviceByClass[failure]
}
