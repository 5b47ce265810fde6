import { FailureClass } from '@carillon/contract/campaign-records'

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
    advice: 'Look at the operator’s code, and ask your provider what it stands for.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'The operator tried and gave up. The number may be out of use; try once more before you take it off.',
  },
  expired: {
    title: 'The operator’s time ran out',
    advice: 'The phone was off for too long. Send again on another day.',
  },
  dnd_blocked: {
    title: 'The person does not want such messages',
    advice:
      'The number is on the do-not-disturb register for this category. Ask for consent, or use a service template.',
  },
  opted_out: { title: 'The person opted out', advice: 'Nothing to do: people who said stop are left alone.' },
  outside_window: {
    title: 'It came outside the permitted hours',
    advice:
      'Promotional messages may arrive between 10:00 and 21:00, India time. Keep the campaign’s hours within these.',
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
  channel_auth: { title: 'The provider refused the sign-in', advice: 'Check name and password of the SMS account.' },
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
  not_connected: { title: 'There was no connection to the provider', advice: 'Look at the state of the SMS account.' },
  missing_variable: {
    title: 'A variable had no value',
    advice: 'Fill the empty cells of the file, or enter a value for rows without one.',
  },
  campaign_expired: {
    title: 'The campaign’s own end came first',
    advice: 'Choose a later end, or ask for a higher rate.',
  },
  unknown: {
    title: 'The reason is not known',
    advice: 'The provider gave a code that says nothing more. Ask your provider about it.',
  },
}

export function adviseOn(reason: string): FailureAdvice {
  const known = FailureClass.safeParse(reason)
  return adviceByClass[known.success ? known.data : 'unknown']
}
